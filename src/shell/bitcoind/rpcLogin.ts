import { chmod } from 'node:fs/promises';
import { type Credential, createCredential, parseRpcauth } from '../server/auth.ts';
import { type Cookie, createCookie } from '../server/cookie.ts';
import type { DebugLog } from './debugLog.ts';
import { InitError } from './initError.ts';
import type { Options } from './options.ts';

export interface RpcLogin {
  readonly credentials: readonly Credential[];
  readonly cookie: Cookie | undefined;
}

const MODES: Readonly<Record<string, number>> = { owner: 0o600, group: 0o640, all: 0o644 };

/** What is not a hash behind the dollar sign lets nobody in. */
const RPCAUTH = /^[^:]*:[^:$]*\$[^:$]*$/;

export const noServer = (): InitError => new InitError('Unable to start HTTP server. See debug log for details.');

/**
 * Reads who may log in. The cookie's file is not written yet; it is empty with `-norpccookiefile`.
 * @throws InitError
 * @see Bitcoin Core `InitRPCAuthentication`
 */
export function readLogin(options: Options, cookieFile: string, log: DebugLog): RpcLogin {
  const password = options.text('rpcpassword') ?? '';
  const plain = password === '' ? undefined : createCredential(options.text('rpcuser') ?? '', password);
  const mode = password === '' ? cookieMode(options, log) : undefined;
  const cookie = password === '' && cookieFile !== '' ? withMode(createCookie(cookieFile), mode) : undefined;
  if (plain) log.write('Using rpcuser/rpcpassword authentication.');
  else if (cookie) log.write('Using random cookie authentication.');
  else log.write('RPC authentication cookie file generation is disabled.');
  const salted = options.list('rpcauth').map((text) => {
    if (RPCAUTH.test(text)) return parseRpcauth(text);
    log.write('Invalid -rpcauth argument.', 'warning');
    throw noServer();
  });
  const credentials = [plain, cookie?.credential, ...salted].filter((credential) => credential !== undefined);
  return { credentials, cookie };
}

function cookieMode(options: Options, log: DebugLog): number | undefined {
  const who = options.text('rpccookieperms');
  if (who === undefined) return undefined;
  const mode = Object.hasOwn(MODES, who) ? MODES[who] : undefined;
  if (mode !== undefined) return mode;
  log.write(`Invalid -rpccookieperms=${who}; must be one of 'owner', 'group', or 'all'.`, 'error');
  throw noServer();
}

const withMode = (cookie: Cookie, mode: number | undefined): Cookie => ({
  ...cookie,
  write: async () => {
    await cookie.write();
    if (mode !== undefined) await chmod(cookie.path, mode);
  },
});
