import { join } from 'node:path';
import type { Io } from '../terminal/io.ts';
import { readPassword } from '../terminal/password.ts';
import { UsageError } from '../terminal/usageError.ts';
import { type Credential, createCredential, parseRpcauth } from './auth.ts';
import { type Cookie, createCookie } from './cookie.ts';

interface LoginValues {
  readonly rpcuser: string | undefined;
  readonly rpcpasswordFile: string | undefined;
  readonly rpcauth: readonly string[];
  readonly rpccookiefile: string | undefined;
  readonly norpccookiefile: boolean;
}

const PASSWORD_PLACES = {
  userOption: '--rpcuser',
  fileOption: '--rpcpassword-file',
  variable: 'COUNTERSIGN_RPCPASSWORD',
  question: 'Password (not shown): ',
};

export interface Login {
  readonly credentials: readonly Credential[];
  /** Its file is not written yet. */
  readonly cookie: Cookie | undefined;
}

/**
 * @throws UsageError, which never contains a password
 * @see Bitcoin Core `InitRPCAuthentication`
 */
export async function collectLogin(options: LoginValues, io: Io, directory = '.'): Promise<Login> {
  const { rpccookiefile, norpccookiefile } = options;
  if (rpccookiefile !== undefined && norpccookiefile) {
    throw new UsageError('--norpccookiefile and --rpccookiefile contradict each other: give only one of them');
  }
  const named = await namedUser(options, io);
  const salted = options.rpcauth.map(parseNamed);
  const hasCookie = !named && !options.norpccookiefile;
  const cookie = hasCookie ? createCookie(options.rpccookiefile ?? join(directory, '.cookie')) : undefined;
  const credentials = [named, cookie?.credential, ...salted].filter((credential) => credential !== undefined);
  if (credentials.length === 0)
    throw new UsageError('no client could log in: --norpccookiefile needs --rpcuser or --rpcauth');
  return { credentials, cookie };
}

function parseNamed(text: string): Credential {
  const credential = parseRpcauth(text);
  // Not quoted, since it may be a password in place of the hash.
  if (!credential)
    throw new UsageError("--rpcauth must be USER:SALT$HASH, as printed by Bitcoin Core's share/rpcauth/rpcauth.py");
  return credential;
}

async function namedUser(options: LoginValues, io: Io): Promise<Credential | undefined> {
  const user = options.rpcuser;
  if (user === undefined) {
    if (options.rpcpasswordFile !== undefined) throw new UsageError('--rpcpassword-file needs --rpcuser');
    return undefined;
  }
  if (options.rpccookiefile !== undefined) {
    throw new UsageError(
      '--rpccookiefile does not apply with --rpcuser: clients log in with either a cookie or a password',
    );
  }
  if (user === '' || user.includes(':')) throw new UsageError('--rpcuser needs a name without ":"');
  const file = options.rpcpasswordFile;
  return createCredential(user, await readPassword({ ...PASSWORD_PLACES, file }, io));
}
