import { existsSync } from 'node:fs';
import { stringifyRpc } from '../../../answers/json/stringify.ts';
import { formatHex } from '../../../core/bytes/hex.ts';
import { formatAmount } from '../../../core/encoding/amount.ts';
import { isBtcError, RpcError } from '../../../core/errors.ts';
import { SILENT_PURPOSE } from '../../../core/holder/silentWallets.ts';
import { formatPsbt } from '../../../core/psbt/format/encodePsbt.ts';
import type { SilentPaymentAccount, SilentPaymentCoin } from '../../../kit/account/silentPaymentAccount.ts';
import type { NodeRpc } from '../../../node/createNodeRpc.ts';
import { parseCount } from '../../server/endpoints.ts';
import { counted } from '../../sync/syncProgress.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { readAddress } from '../input/addresses.ts';
import { readFeeRate } from '../input/feeRate.ts';
import { accountOptions, openAccount } from '../input/openAccount.ts';
import { openContext } from '../openContext.ts';
import { openNodeRpc } from '../openRpc.ts';
import { type CommandLine, flag, text } from '../options.ts';
import { sweepPsbt } from '../sweep.ts';

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
  const to = line.sweepTo === undefined ? undefined : readAddress('--sweep-to', line.sweepTo, context.network);
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

function sweep(coins: readonly SilentPaymentCoin[], change: string, { feeRate: given }: Line, io: Io): string {
  const feeRate = readFeeRate(given, '--sweep-to');
  return formatPsbt(withUsageErrors(() => sweepPsbt({ coins, outputs: [], change, feeRate }, io)));
}
