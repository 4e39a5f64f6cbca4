import { join } from 'node:path';
import type { Io } from '../io.ts';
import { readPassword } from '../password.ts';
import { UsageError } from '../usageError.ts';
import { type Credential, credentialOf, parseRpcauth } from './auth.ts';
import { type Cookie, createCookie } from './cookie.ts';
import type { ServeOptions } from './options.ts';

const PASSWORD_PLACES = {
  userOption: '--rpcuser',
  fileOption: '--rpcpassword-file',
  variable: 'COUNTERSIGN_RPCPASSWORD',
  question: 'Password (not shown): ',
};

/** Who may ask, and with which file, if any. */
export interface Login {
  readonly credentials: readonly Credential[];
  /** Its credential is among them. Not written yet. */
  readonly cookie: Cookie | undefined;
}

/**
 * Collects who may ask: `--rpcuser` with its password or else a cookie, and everybody of `--rpcauth`.
 *
 * - `directory`: where the cookie goes unless the options say so
 * @throws UsageError; no password is in its text
 * @see Bitcoin Core `InitRPCAuthentication`
 */
export async function collectLogin(options: ServeOptions, io: Io, directory = '.'): Promise<Login> {
  const { rpccookiefile, norpccookiefile } = options;
  if (rpccookiefile !== undefined && norpccookiefile) {
    throw new UsageError('--norpccookiefile is of no use with --rpccookiefile: there is a cookie or none');
  }
  const named = await namedUser(options, io);
  const salted = (options.rpcauth ?? []).map(parseNamed);
  const hasCookie = !named && options.norpccookiefile !== true;
  const cookie = hasCookie ? createCookie(options.rpccookiefile ?? join(directory, '.cookie')) : undefined;
  const credentials = [named, cookie?.credential, ...salted].filter((credential) => credential !== undefined);
  if (credentials.length === 0)
    throw new UsageError('nobody could ask: --norpccookiefile wants --rpcuser or --rpcauth');
  return { credentials, cookie };
}

function parseNamed(text: string): Credential {
  const credential = parseRpcauth(text);
  // The text is not shown: it may be a password where the hash should be.
  if (!credential)
    throw new UsageError('--rpcauth wants USER:SALT$HASH, as share/rpcauth/rpcauth.py of a node prints it');
  return credential;
}

async function namedUser(options: ServeOptions, io: Io): Promise<Credential | undefined> {
  const user = options.rpcuser;
  if (user === undefined) {
    if (options['rpcpassword-file'] !== undefined) throw new UsageError('--rpcpassword-file wants --rpcuser');
    return undefined;
  }
  if (options.rpccookiefile !== undefined) {
    throw new UsageError('--rpccookiefile is of no use with --rpcuser: there is either a cookie or a user');
  }
  if (user === '' || user.includes(':')) throw new UsageError('--rpcuser wants a name without ":"');
  const file = options['rpcpassword-file'];
  return credentialOf(user, await readPassword({ ...PASSWORD_PLACES, file }, io));
}
