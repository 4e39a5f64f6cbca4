import { join } from 'node:path';
import { readNamedFile } from '../input.ts';
import type { Io } from '../io.ts';
import { UsageError } from '../usageError.ts';
import { decodeUtf8 } from '../utf8.ts';
import { type Credential, credentialOf, parseRpcauth } from './auth.ts';
import { type Cookie, createCookie } from './cookie.ts';
import type { ServeOptions } from './options.ts';

const PASSWORD_VARIABLE = 'COUNTERSIGN_RPCPASSWORD';

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
  const password = await readPassword(options, io);
  if (password === '') throw new UsageError('the password is empty');
  return credentialOf(user, password);
}

/** A password is never an argument: others could read it in the list of processes. */
async function readPassword(options: ServeOptions, io: Io): Promise<string> {
  const file = options['rpcpassword-file'];
  if (file !== undefined) {
    const text = decodeUtf8(await readNamedFile(file, io));
    if (text === undefined) throw new UsageError(`${file} holds no text`);
    // Editors end a file with a newline.
    return text.replace(/\r?\n$/, '');
  }
  const password = io.environment(PASSWORD_VARIABLE);
  if (password !== undefined) return password;
  if (io.isInteractive) return await io.ask('Password (not shown): ', { isHidden: true });
  throw new UsageError(`--rpcuser wants a password: use --rpcpassword-file, or set ${PASSWORD_VARIABLE}`);
}
