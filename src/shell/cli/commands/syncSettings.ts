import { parseCount } from '../../server/endpoints.ts';
import { FROM_LOGIN, parseNodeUrl, TO_LOGIN } from '../../sync/nodeLogin.ts';
import { parseStart, type StartBlock } from '../../sync/startBlock.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { assertNoArguments } from '../declareCommand.ts';
import { type CommandLine, file, flag, list, mentioned, scriptOptions, text } from '../options.ts';

export interface SyncSettings {
  readonly from:
    | { readonly kind: 'rpc'; readonly url: URL }
    | { readonly kind: 'files'; readonly paths: readonly string[]; readonly keyFile: string | undefined };
  readonly to:
    | { readonly kind: 'directory' }
    | { readonly kind: 'rpc'; readonly url: URL }
    | { readonly kind: 'file'; readonly path: string; readonly since: number };
  readonly start: StartBlock | undefined;
  readonly rescans: boolean;
  readonly prune: number | undefined;
  /** True to fetch all blocks despite block filters. */
  readonly takesAll: boolean;
  /** Milliseconds between rounds; `undefined` for a single one. */
  readonly interval: number | undefined;
  /** Milliseconds. */
  readonly timeout: number;
}

const DEFAULT_INTERVAL = '10';
const DEFAULT_TIMEOUT = '120';
const MAX_INTERVAL = 86_400;
/** Seconds that the fetch of Node.js waits for headers, or for the next part of a body. */
const MAX_TIMEOUT = 300;
const MAX_HEIGHT = 0x7fff_ffff;

const FROM_RPC = { needs: ['from-rpc'] };

export const syncOptions = {
  'from-rpc': text('URL', 'a node, such as http://127.0.0.1:8332', { heading: 'Source, one of:' }),
  'from-cookie': file('its .cookie file, or', { ...FROM_RPC, indent: 1 }),
  'from-user': text('NAME', 'a name, with the password in', { ...FROM_RPC, indent: 1 }),
  'from-password-file': file(
    'this file, in the environment variable COUNTERSIGN_FROM_PASSWORD, or typed at a hidden prompt',
    { needs: ['from-rpc', 'from-user'], indent: 2 },
  ),
  'from-file': list(
    'FILE',
    'text with "block HEX", "tx HEX" or "drop TXID" on each line ("-": standard input), or a node\'s blk*.dat; may be given more than once',
  ),
  'xor-file': file('the key that obfuscates blk*.dat (default: xor.dat in the same directory, if it exists)', {
    needs: ['from-file'],
    indent: 1,
  }),
  'wallet-dir': text('DIR', 'a directory of wallets that no other process is using', {
    heading: 'Destination, one of:',
  }),
  'wallet-store': text('URL', 'a PostgreSQL database with wallets, which other processes may be using'),
  'to-rpc': text(
    'URL',
    'a running "countersign serve", with --to-cookie, --to-user, --to-password-file (or COUNTERSIGN_TO_PASSWORD) as above',
  ),
  'to-cookie': mentioned(file('', { needs: ['to-rpc'] })),
  'to-user': mentioned(text('NAME', '', { needs: ['to-rpc'] })),
  'to-password-file': mentioned(file('', { needs: ['to-rpc', 'to-user'] })),
  'to-file': text('FILE', 'a new text file for --from-file on another machine ("-": standard output)', FROM_RPC),
  since: text('HEIGHT', 'write only the blocks above this height', { needs: ['to-file'], indent: 1 }),
  start: text(
    'BLOCK',
    'begin a new directory or database after this block: a height, a hash, a UNIX time, or a date such as 2026-01-31 (default: before the oldest key of the wallets)',
    { ...FROM_RPC, heading: 'Other options:' },
  ),
  rescan: flag(
    'find what imports missed: fetch the blocks from the birth of the wallets on that concern them but are missing, or from --start BLOCK on',
    FROM_RPC,
  ),
  prune: text('COUNT', 'keep only the last COUNT blocks, at least 288; of the others, only the headers', FROM_RPC),
  ...scriptOptions,
  'all-blocks': flag('fetch all blocks, even from a node with block filters', FROM_RPC),
  follow: flag('keep running until interrupted', FROM_RPC),
  interval: text('SECONDS', 'how often to check for news with --follow (default 10)', { needs: ['follow'] }),
  rpcclienttimeout: text('SECONDS', 'how long a call may take (default 120, at most 300)'),
};

export type SyncLine = CommandLine<typeof syncOptions>;

/** Core's `MIN_BLOCKS_TO_KEEP`. */
const LEAST_KEPT = 288;

function parsePrune({ prune }: SyncLine): number | undefined {
  return prune === undefined
    ? undefined
    : parseCount(prune, { option: '--prune', least: LEAST_KEPT, most: MAX_HEIGHT });
}

/** Options for a chain in this process. */
const LOCAL: readonly string[] = ['start', 'all-blocks', 'rescan', 'prune', 'assumevalid'];

export function parseSyncSettings(line: SyncLine): SyncSettings {
  assertNoArguments(line, 'sync takes no arguments; see "countersign help sync"');
  const { interval = DEFAULT_INTERVAL, rpcclienttimeout = DEFAULT_TIMEOUT } = line;
  const from = parseFrom(line);
  const to = parseTo(line);
  const local = LOCAL.find((option) => line.optionNames.has(option));
  if (local !== undefined && to.kind !== 'directory') {
    throw new UsageError(`--${local} needs --wallet-dir or --wallet-store`);
  }
  return {
    start: line.start === undefined ? undefined : parseStart(line.start),
    rescans: line.rescan,
    prune: parsePrune(line),
    takesAll: line.allBlocks,
    from,
    to,
    interval: line.follow ? milliseconds(interval, '--interval', MAX_INTERVAL) : undefined,
    timeout: milliseconds(rpcclienttimeout, '--rpcclienttimeout', MAX_TIMEOUT),
  };
}

const milliseconds = (seconds: string, option: string, most: number): number =>
  1000 * parseCount(seconds, { option, least: 1, most });

function parseFrom({ fromRpc: rpc, fromFile: paths, xorFile }: SyncLine): SyncSettings['from'] {
  if ((rpc === undefined) === (paths.length === 0)) {
    throw new UsageError('sync needs a source: either --from-rpc URL or --from-file FILE');
  }
  if (rpc !== undefined) return { kind: 'rpc', url: parseNodeUrl(rpc, FROM_LOGIN) };
  return { kind: 'files', paths, keyFile: xorFile };
}

function parseTo({ toRpc: rpc, toFile: path, since = '0', walletDir, walletStore }: SyncLine): SyncSettings['to'] {
  if ([rpc, path, walletDir ?? walletStore].filter((place) => place !== undefined).length !== 1) {
    throw new UsageError('sync needs one destination: --wallet-dir DIRECTORY, --to-rpc URL or --to-file FILE');
  }
  if (rpc !== undefined) return { kind: 'rpc', url: parseNodeUrl(rpc, TO_LOGIN) };
  if (path === undefined) return { kind: 'directory' };
  return { kind: 'file', path, since: parseCount(since, { option: '--since', least: 0, most: MAX_HEIGHT }) };
}
