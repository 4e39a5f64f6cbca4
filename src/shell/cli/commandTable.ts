import type { Command, Program } from './declareCommand.ts';

/** Loads commands on demand, since loading all takes longer than most calls. In help order. */
export const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['review', async () => (await import('./commands/psbt.ts')).review],
  ['sign', async () => (await import('./commands/psbt.ts')).sign],
  ['combine', async () => (await import('./commands/combine.ts')).combine],
  ['finalize', async () => (await import('./commands/finalize.ts')).finalize],
  ['convert', async () => (await import('./commands/convert.ts')).convert],
  ['register', async () => (await import('./commands/register.ts')).register],
  ['addresses', async () => (await import('./commands/addresses.ts')).addresses],
  ['is-mine', async () => (await import('./commands/isMine.ts')).isMine],
  ['quorum', async () => (await import('./commands/quorum.ts')).quorum],
  ['coins', async () => (await import('./commands/coins.ts')).coins],
  ['pay', async () => (await import('./commands/pay.ts')).pay],
  ['bump', async () => (await import('./commands/bump.ts')).bump],
  ['labels', async () => (await import('./commands/labels.ts')).labels],
  ['newseed', async () => (await import('./commands/newseed.ts')).newseed],
  ['words', async () => (await import('./commands/words.ts')).words],
  ['qr', async () => (await import('./commands/qr.ts')).qr],
  ['inspect', async () => (await import('./commands/inspect.ts')).inspect],
  ['trace', async () => (await import('./commands/trace.ts')).trace],
  ['signpsbt', async () => (await import('./commands/psbt.ts')).signpsbt],
  ['batch', async () => (await import('./commands/batch.ts')).batch],
  ['serve', async () => (await import('./commands/serve.ts')).serve],
  ['dev', async () => (await import('./commands/dev.ts')).dev],
  ['work', async () => (await import('./commands/work.ts')).work],
  ['sync', async () => (await import('./commands/sync.ts')).sync],
  ['compare', async () => (await import('./commands/compare.ts')).compare],
  ['check-wallet', async () => (await import('./commands/checkWallet.ts')).checkWallet],
]);

/** Loads programs on demand. In help order. */
export const programs: ReadonlyMap<string, () => Promise<Program>> = new Map([
  ['bitcoind', async () => (await import('./commands/bitcoind.ts')).bitcoind],
  ['bitcoin-cli', async () => (await import('./commands/bitcoinCli.ts')).bitcoinCli],
]);
