import { UsageError } from '../terminal/usageError.ts';

/** Options of `serve` alone, named as in Bitcoin Core. */
export const SERVE_OPTIONS = {
  rpcport: { type: 'string' },
  rpcuser: { type: 'string' },
  'rpcpassword-file': { type: 'string' },
  rpcauth: { type: 'string', multiple: true },
  rpccookiefile: { type: 'string' },
  norpccookiefile: { type: 'boolean' },
  rpcbind: { type: 'string', multiple: true },
  rpcallowip: { type: 'string', multiple: true },
  rpcwhitelist: { type: 'string', multiple: true },
  rpcworkqueue: { type: 'string' },
  rpcservertimeout: { type: 'string' },
  workers: { type: 'string' },
} as const;

/** The options of `serve` that were given on the command line. */
export interface ServeOptions {
  readonly rpcport?: string | undefined;
  readonly rpcuser?: string | undefined;
  readonly 'rpcpassword-file'?: string | undefined;
  readonly rpcauth?: readonly string[] | undefined;
  readonly rpccookiefile?: string | undefined;
  readonly norpccookiefile?: boolean | undefined;
  readonly rpcbind?: readonly string[] | undefined;
  readonly rpcallowip?: readonly string[] | undefined;
  readonly rpcwhitelist?: readonly string[] | undefined;
  readonly rpcworkqueue?: string | undefined;
  readonly rpcservertimeout?: string | undefined;
  readonly workers?: string | undefined;
}

/** Tells whether a user may call a method. */
export type MayCall = (user: string, method: string) => boolean;

/**
 * Creates the rule from texts `USER:METHOD,METHOD`. Without any text, all users may call everything. Otherwise, users
 * without a text may call nothing, and several texts for one user are intersected.
 * @throws UsageError for a text without a user
 * @see Bitcoin Core `-rpcwhitelist`, `-rpcwhitelistdefault`
 */
export function createWhitelist(texts: readonly string[]): MayCall {
  if (texts.length === 0) return () => true;
  const allowed = new Map<string, ReadonlySet<string>>();
  for (const text of texts) {
    const [, user, methods] = /^([^:]+):(.*)$/.exec(text) ?? [];
    if (user === undefined || methods === undefined) throw new UsageError('--rpcwhitelist must be USER:METHOD,METHOD');
    const before = allowed.get(user);
    const names = methods.split(/[, ]+/).filter((name) => name !== '' && (!before || before.has(name)));
    allowed.set(user, new Set(names));
  }
  return (user, method) => allowed.get(user)?.has(method) ?? false;
}
