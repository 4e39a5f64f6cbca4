import { existsSync } from 'node:fs';
import { stringifyRpc } from '../../../answers/json/stringify.ts';
import { formatHex } from '../../../core/bytes/hex.ts';
import { formatAmount } from '../../../core/encoding/amount.ts';
import { isBtcError, RpcError } from '../../../core/errors.ts';
import { SILENT_PURPOSE } from '../../../core/holder/silentWallets.ts';
import { formatPsbt } from '../../../core/psbt/format/encodePsbt.ts';
import { buildPsbt } from '../../../kit/account/buildPsbt.ts';
import type { SilentPaymentAccount, SilentPaymentCoin } from '../../../kit/account/silentPaymentAccount.ts';
import { networksOfAddress } from '../../../kit/open/open.ts';
import type { NodeRpc } from '../../../node/createNodeRpc.ts';
import { parseCount } from '../../server/endpoints.ts';
import { counted } from '../../sync/syncProgress.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { accountOptions, openAccount } from '../input/openAccount.ts';
import { type CommandContext, openContext } from '../openContext.ts';
import { openNodeRpc } from '../openRpc.ts';
import { type CommandLine, flag, text } from '../options.ts';

const MOST_LABELS = 100_000;
const MAX_HEIGHT = 0x7fff_ffff;

const options = {
  ...accountOptions,
  'wallet-dir': text('DIR', 'a directory with the blocks, as "countersign sync --all-blocks --start 0" fills it', {
    heading: 'Blocks:',
  }),
  'wallet-store': text('URL', 'a PostgreSQL database with them'),
  start: text(
    'HEIGHT',
    'the first block to search (default: the birth height that the descriptor names (BIP393), or 1)',
    { heading: 'Other options:' },
  ),
  labels: text(
    'NUMBER',
    'search for the labels from 1 to this one (default 100, or the highest that the descriptor names)',
  ),
  json: flag('as JSON: satoshi as text, and in hex the script, the spend key and the tweak that spend a coin'),
  'sweep-to': text('ADDRESS', 'instead, make a PSBT that sends all coins there, for "countersign sign"'),
  'fee-rate': text('SATS', 'satoshi per virtual byte', { needs: ['sweep-to'], indent: 1 }),
};
type Line = CommandLine<typeof options>;

export const coins = declareCommand({
  synopsis: 'coins [FILE]',
  about: `Lists the unspent coins of a wallet of silent payments (BIP352) in blocks: of seed words, or of a file with its sp()
descriptor. Each transaction with taproot outputs is searched, which takes one multiplication.`,
  options,
  examples: ['countersign coins --seed-file words.txt --wallet-dir wallets'],
  run: runCoins,
});

async function runCoins(line: Line, io: Io): Promise<number> {
  const context = await openContext(line, io);
  const asked =
    line.start === undefined ? undefined : parseCount(line.start, { option: '--start', least: 0, most: MAX_HEIGHT });
  const labels = labelsOption(line);
  if (line.json && line.sweepTo !== undefined) throw new UsageError('--json contradicts --sweep-to');
  if (line.walletDir === undefined && line.walletStore === undefined) {
    throw new UsageError('coins needs the blocks: pass --wallet-dir or --wallet-store');
  }
  const account = await openAccount(line, { purpose: String(SILENT_PURPOSE), ...labels }, context, io);
  if (!('coinsIn' in account)) {
    throw new UsageError('coins lists silent payments: give an sp() descriptor or seed words');
  }
  // Opening it would make the directory.
  if (line.walletDir !== undefined && !existsSync(line.walletDir)) {
    throw new UsageError(
      '--wallet-dir: there is no such directory: fill it with "countersign sync --all-blocks --start 0"',
    );
  }
  const start = asked ?? Math.max(1, account.birthHeight ?? 1);
  const to = line.sweepTo === undefined ? undefined : parseDestination(line.sweepTo, context);
  const rpc = await openNodeRpc(line, io);
  try {
    const found = findCoins(account, rpc, start);
    if (to !== undefined) await io.writeOut(`${sweep(found, to, line, io)}\n`);
    else await listCoins(found, account, line, io);
    io.writeError(`searched blocks ${start} to ${rpc.call('getblockcount')}\n`);
  } finally {
    rpc.close();
  }
  return 0;
}

function labelsOption({ labels }: Line): { readonly labels?: () => readonly number[] } {
  if (labels === undefined) return {};
  const length = parseCount(labels, { option: '--labels', least: 0, most: MOST_LABELS });
  return { labels: () => Array.from({ length }, (_, i) => i + 1) };
}

/** The blocks of a directory suffice only if it knows the coins of others, too. */
function findCoins(account: SilentPaymentAccount, rpc: NodeRpc, start: number): readonly SilentPaymentCoin[] {
  try {
    return account.coinsIn(blocksFrom(rpc, start));
  } catch (error) {
    if (!(error instanceof RpcError) && !isBtcError(error, 'argument/invalid')) throw error;
    throw new UsageError(
      'blocks or the coins that they spend are not here, which silent payments need: fill a new directory with "countersign sync --all-blocks --start 0"',
    );
  }
}

function* blocksFrom(rpc: NodeRpc, start: number) {
  const tip = rpc.call('getblockcount');
  if (tip < start) throw new UsageError(`there is no block ${start}: feed blocks with "countersign sync"`);
  for (let height = start; height <= tip; height += 1) {
    yield rpc.call('getblock', [rpc.call('getblockhash', [height]), 3]);
  }
}

/** Shows no text that is not an address, which may be a secret. */
function parseDestination(to: string, { network }: CommandContext): string {
  const networks = networksOfAddress(to);
  if (networks.some(({ name }) => name === network.name)) return to;
  const [other] = networks;
  throw new UsageError(
    other
      ? `--sweep-to: the address is of ${other.name}, not of ${network.name}`
      : '--sweep-to: this is not a valid address',
  );
}

async function listCoins(
  found: readonly SilentPaymentCoin[],
  { network }: SilentPaymentAccount,
  { json }: Line,
  io: Io,
): Promise<void> {
  if (json) return io.writeOut(`${stringifyRpc(found.map(coinJson))}\n`);
  for (const { txid, vout, value, from } of found) {
    const label = from.label === undefined ? '' : `  label ${from.label}`;
    await io.writeOut(`${txid}:${vout}  ${formatAmount(value)}  block ${from.height}${label}\n`);
  }
  const total = found.reduce((sum, { value }) => sum + value, 0n);
  io.writeError(`${counted(found.length, 'coin')}, ${formatAmount(total)} ${network.ticker}\n`);
}

const coinJson = ({ txid, vout, value, from }: SilentPaymentCoin) => ({
  txid,
  vout,
  value: String(value),
  height: from.height,
  ...(from.label !== undefined && { label: from.label }),
  scriptPubKey: formatHex(from.scriptPubKey),
  spendKey: formatHex(from.spendKey),
  tweak: formatHex(from.tweak),
});

/** Reviews refuse higher ones. */
const MOST_RATE = 1000;
/** Virtual bytes of an input that spends taproot by its key. */
const INPUT_SIZE = 57.5;

/** Leaves out what costs more than it is worth: anyone can send such coins. */
function sweep(found: readonly SilentPaymentCoin[], change: string, { feeRate }: Line, io: Io): string {
  if (feeRate === undefined) throw new UsageError('--sweep-to needs --fee-rate');
  const rate = Number(feeRate);
  if (!(rate > 0 && rate <= MOST_RATE)) {
    throw new UsageError(`--fee-rate must be a number of satoshi per virtual byte, above 0 and up to ${MOST_RATE}`);
  }
  const inputs = found.filter(({ value }) => Number(value) > rate * INPUT_SIZE);
  const dust = found.length - inputs.length;
  if (dust > 0)
    io.writeError(`left out ${counted(dust, 'coin')}: at this rate, spending costs more than it is worth\n`);
  if (inputs.length === 0) throw new UsageError('there are no coins to send');
  const psbt = withUsageErrors(() => buildPsbt({ inputs, outputs: {}, change, feeRate: rate }));
  if (psbt.outputs.length === 0) throw new UsageError('the coins would all go to the fee: pass a lower --fee-rate');
  return formatPsbt(psbt);
}
