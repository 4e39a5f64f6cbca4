import { isIP } from 'node:net';
import { isLoopback, parseCount } from '../../server/endpoints.ts';
import { parseStart, type StartBlock } from '../../sync/startBlock.ts';
import type { SyncOptions } from '../../sync/syncOptions.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { CommandLine } from '../options.ts';

/** The settings of a sync, parsed from the command line. */
export interface SyncSettings {
  readonly from:
    | { readonly kind: 'rpc'; readonly url: URL }
    | { readonly kind: 'files'; readonly paths: readonly string[]; readonly keyFile: string | undefined };
  readonly to:
    | { readonly kind: 'directory' }
    | { readonly kind: 'rpc'; readonly url: URL }
    | { readonly kind: 'file'; readonly path: string; readonly since: number };
  /** The block after which a new chain begins. */
  readonly start: StartBlock | undefined;
  readonly rescans: boolean;
  /** Blocks to keep; `undefined` for all. */
  readonly prune: number | undefined;
  /** True if all blocks are fetched, even from a node with block filters. */
  readonly takesAll: boolean;
  /** Milliseconds between two rounds; `undefined` for a single round. */
  readonly interval: number | undefined;
  /** Time limit of a call, in milliseconds. */
  readonly timeout: number;
}

const DEFAULT_INTERVAL = '10';
const DEFAULT_TIMEOUT = '120';
const MAX_INTERVAL = 86_400;
/** The fetch of Node.js waits no longer than this for headers, or for the next part of a body, in seconds. */
const MAX_TIMEOUT = 300;
const MAX_HEIGHT = 0x7fff_ffff;

/** Options that require another one. */
const WANTS: readonly (readonly [option: keyof SyncOptions, wanted: keyof SyncOptions])[] = [
  ['from-cookie', 'from-rpc'],
  ['from-user', 'from-rpc'],
  ['from-password-file', 'from-rpc'],
  ['to-file', 'from-rpc'],
  ['follow', 'from-rpc'],
  ['interval', 'follow'],
  ['xor-file', 'from-file'],
  ['to-cookie', 'to-rpc'],
  ['to-user', 'to-rpc'],
  ['to-password-file', 'to-rpc'],
  ['since', 'to-file'],
  ['start', 'from-rpc'],
  ['all-blocks', 'from-rpc'],
  ['rescan', 'from-rpc'],
  ['prune', 'from-rpc'],
];

/** The least number of blocks to keep, so that a reorganization finds them. @see Bitcoin Core `MIN_BLOCKS_TO_KEEP` */
const LEAST_KEPT = 288;

function parsePrune({ prune }: SyncOptions): number | undefined {
  return prune === undefined
    ? undefined
    : parseCount(prune, { option: '--prune', least: LEAST_KEPT, most: MAX_HEIGHT });
}

/** Options for a chain in this process. */
const LOCAL: readonly (keyof SyncOptions)[] = ['start', 'all-blocks', 'rescan', 'prune'];

/** @throws UsageError for options that are missing, make no sense, or contradict each other */
export function parseSyncSettings({ sync: options, args, file, walletDir, walletStore }: CommandLine): SyncSettings {
  if (args.length > 0 || file !== undefined)
    throw new UsageError('sync takes no arguments; see "countersign help sync"');
  for (const [option, wanted] of WANTS) {
    if (options[option] !== undefined && options[wanted] === undefined) {
      throw new UsageError(`--${option} needs --${wanted}`);
    }
  }
  const { interval = DEFAULT_INTERVAL, rpcclienttimeout = DEFAULT_TIMEOUT } = options;
  const from = parseFrom(options);
  const to = parseTo(options, walletDir ?? walletStore);
  const local = LOCAL.find((option) => options[option] !== undefined);
  if (local !== undefined && to.kind !== 'directory') {
    throw new UsageError(`--${local} needs --wallet-dir or --wallet-store`);
  }
  return {
    start: options.start === undefined ? undefined : parseStart(options.start),
    rescans: options.rescan === true,
    prune: parsePrune(options),
    takesAll: options['all-blocks'] === true,
    from,
    to,
    interval: options.follow === true ? milliseconds(interval, '--interval', MAX_INTERVAL) : undefined,
    timeout: milliseconds(rpcclienttimeout, '--rpcclienttimeout', MAX_TIMEOUT),
  };
}

const milliseconds = (seconds: string, option: string, most: number): number =>
  1000 * parseCount(seconds, { option, least: 1, most });

function parseFrom(options: SyncOptions): SyncSettings['from'] {
  const { 'from-rpc': rpc, 'from-file': paths } = options;
  if ((rpc === undefined) === (paths === undefined)) {
    throw new UsageError('sync needs a source: either --from-rpc URL or --from-file FILE');
  }
  if (rpc !== undefined) return { kind: 'rpc', url: parseUrl(rpc, '--from-rpc') };
  return { kind: 'files', paths: paths ?? [], keyFile: options['xor-file'] };
}

function parseTo(options: SyncOptions, walletDir: string | undefined): SyncSettings['to'] {
  const { 'to-rpc': rpc, 'to-file': path, since = '0' } = options;
  if ([rpc, path, walletDir].filter((place) => place !== undefined).length !== 1) {
    throw new UsageError('sync needs one destination: --wallet-dir DIRECTORY, --to-rpc URL or --to-file FILE');
  }
  if (rpc !== undefined) return { kind: 'rpc', url: parseUrl(rpc, '--to-rpc') };
  if (path === undefined) return { kind: 'directory' };
  return { kind: 'file', path, since: parseCount(since, { option: '--since', least: 0, most: MAX_HEIGHT }) };
}

/** @throws UsageError, which does not quote the URL: it may contain a password */
function parseUrl(text: string, option: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new UsageError(`${option} needs a URL such as http://127.0.0.1:8332`);
  }
  if (url.username === '' && url.password === '') return url;
  const side = option === '--from-rpc' ? 'from' : 'to';
  throw new UsageError(
    `${option} contains a name or password, which others can read: use --${side}-cookie, or --${side}-user with --${side}-password-file`,
  );
}

/** Tells whether data sent to an address goes unencrypted to another machine. */
export function isExposed({ protocol, hostname }: URL): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  const isHere = hostname === 'localhost' || (isIP(address) !== 0 && isLoopback(address));
  return protocol === 'http:' && !isHere;
}
