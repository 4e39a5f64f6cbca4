/** Options of `sync` alone. */
export const SYNC_OPTIONS = {
  'from-rpc': { type: 'string' },
  'from-cookie': { type: 'string' },
  'from-user': { type: 'string' },
  'from-password-file': { type: 'string' },
  'from-file': { type: 'string', multiple: true },
  'xor-file': { type: 'string' },
  'to-rpc': { type: 'string' },
  'to-cookie': { type: 'string' },
  'to-user': { type: 'string' },
  'to-password-file': { type: 'string' },
  'to-file': { type: 'string' },
  since: { type: 'string' },
  start: { type: 'string' },
  'all-blocks': { type: 'boolean' },
  rescan: { type: 'boolean' },
  prune: { type: 'string' },
  follow: { type: 'boolean' },
  interval: { type: 'string' },
  rpcclienttimeout: { type: 'string' },
} as const;

/** The options of `sync` that were given on the command line. */
export interface SyncOptions {
  readonly 'from-rpc'?: string | undefined;
  readonly 'from-cookie'?: string | undefined;
  readonly 'from-user'?: string | undefined;
  readonly 'from-password-file'?: string | undefined;
  readonly 'from-file'?: readonly string[] | undefined;
  readonly 'xor-file'?: string | undefined;
  readonly 'to-rpc'?: string | undefined;
  readonly 'to-cookie'?: string | undefined;
  readonly 'to-user'?: string | undefined;
  readonly 'to-password-file'?: string | undefined;
  readonly 'to-file'?: string | undefined;
  readonly since?: string | undefined;
  readonly start?: string | undefined;
  readonly 'all-blocks'?: boolean | undefined;
  readonly rescan?: boolean | undefined;
  readonly prune?: string | undefined;
  readonly follow?: boolean | undefined;
  readonly interval?: string | undefined;
  readonly rpcclienttimeout?: string | undefined;
}
