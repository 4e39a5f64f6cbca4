import { existsSync } from 'node:fs';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { BtcError, RpcError } from '../../../core/errors.ts';
import { formatLabels, type LabelConflict, type LabelRecord } from '../../../kit/labels/labels.ts';
import { readNodeLabels, type WalletCall, writeNodeLabels } from '../../../kit/labels/nodeLabels.ts';
import { counted } from '../../sync/syncProgress.ts';
import { type Io, readInput } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { openNodeRpc } from '../openRpc.ts';
import { type CommandLine, flag, text } from '../options.ts';

const options = {
  'wallet-dir': text('DIR', 'the directory of the wallet'),
  'wallet-store': text('URL', 'or the PostgreSQL database'),
  rpcwallet: text('NAME', 'the wallet, if several are loaded'),
  overwrite: flag('let labels of the file take the places of others that the wallet has'),
};
type Line = CommandLine<typeof options>;

export const labels = declareCommand({
  synopsis: 'labels [FILE]',
  about: `Writes the labels of a wallet as JSON lines (BIP329), which Sparrow and other wallets read. With a file of such labels,
"-" for standard input, it puts them into the wallet: labels of its own addresses, and outputs that are not to be spent. Where the
wallet has another label, that one stays and is reported.`,
  options,
  examples: ['countersign labels --wallet-dir wallets > labels.jsonl'],
  run: runLabels,
});

async function runLabels(line: Line, io: Io): Promise<number> {
  const [path, ...others] = line.args;
  if (others.length > 0) throw new UsageError('labels takes one file');
  if (path === undefined && line.overwrite) throw new UsageError('--overwrite needs a file with labels');
  if (line.walletDir === undefined && line.walletStore === undefined) {
    throw new UsageError('labels needs the wallet: pass --wallet-dir or --wallet-store');
  }
  // Opening it would make the directory.
  if (line.walletDir !== undefined && !existsSync(line.walletDir)) {
    throw new UsageError('--wallet-dir: there is no such directory');
  }
  const file = path === undefined ? undefined : await readFile(path, io);
  const rpc = await openNodeRpc(line, io);
  const answer = rpc.call as (method: string, params: readonly unknown[], wallet?: string) => unknown;
  const call: WalletCall = (method, params) => answer(method, params, line.rpcwallet);
  try {
    if (file === undefined) await io.writeOut(formatLabels(await readNodeLabels(call)));
    else await write(call, file, line, io);
  } catch (error) {
    throw error instanceof RpcError || error instanceof BtcError ? new UsageError(error.message) : error;
  } finally {
    rpc.close();
  }
  return 0;
}

const readFile = (path: string, io: Io): Promise<Uint8Array> =>
  path === '-' ? readInput('standard input', io.stdin) : readInput(path, io.readFile(path));

async function write(call: WalletCall, file: Uint8Array, { overwrite }: Line, io: Io): Promise<void> {
  const { written, conflicts, ignored } = await writeNodeLabels(call, file, { overwrites: overwrite });
  for (const conflict of conflicts) io.writeError(`${conflictText(conflict)}\n`);
  const left =
    ignored.length === 0 ? '' : `; ${counted(ignored.length, 'record')} not of this wallet, or that a node cannot keep`;
  io.writeError(`${counted(written.length, 'label')} written, ${counted(conflicts.length, 'conflict')}${left}\n`);
}

/** Quotes no label: it is for the eyes of its owner. */
const conflictText = ({ member, kept }: LabelConflict): string =>
  `conflict: ${withoutSecrets(kept.type, 'name')} ${shownRef(kept)} has another ${member === 'label' ? 'label' : 'state'} in the wallet, or twice in the file, which was kept`;

/** A file may refer to anything, also to a secret. */
function shownRef({ type, ref }: LabelRecord): string {
  const [, hash, place = ''] = /^([0-9a-f]{64})(:\d+)?$/i.exec(ref) ?? [];
  if (hash !== undefined && HASHES.has(type)) return withoutSecrets(hash, 'hash') + place;
  return withoutSecrets(ref, type === 'addr' ? 'address' : undefined);
}

const HASHES: ReadonlySet<string> = new Set(['tx', 'input', 'output']);
