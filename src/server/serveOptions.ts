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
}

/** Returns the first option of `serve` that was given, if any. */
export function givenServeOption(options: ServeOptions): string | undefined {
  return Object.keys(SERVE_OPTIONS).find((name) => options[name as keyof ServeOptions] !== undefined);
}
