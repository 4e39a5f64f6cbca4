import { isIP } from 'node:net';
import { shownPath, withoutSecrets } from '../../core/encoding/redaction.ts';
import { isLoopback } from '../server/endpoints.ts';
import { type Io, readNamedFile } from '../terminal/io.ts';
import { decodeUtf8 } from '../terminal/lines.ts';
import { readPassword } from '../terminal/password.ts';
import { UsageError } from '../terminal/usageError.ts';

/** The options that name a node and the login to it, and the environment variable of the password. */
export interface LoginNames {
  readonly url: string;
  readonly cookie: string;
  readonly user: string;
  readonly passwordFile: string;
  readonly variable: string;
}

export const FROM_LOGIN: LoginNames = {
  url: '--from-rpc',
  cookie: '--from-cookie',
  user: '--from-user',
  passwordFile: '--from-password-file',
  variable: 'COUNTERSIGN_FROM_PASSWORD',
};

export const TO_LOGIN: LoginNames = {
  url: '--to-rpc',
  cookie: '--to-cookie',
  user: '--to-user',
  passwordFile: '--to-password-file',
  variable: 'COUNTERSIGN_TO_PASSWORD',
};

/** Does not quote the URL in errors: it may contain a password. */
export function parseNodeUrl(text: string, names: LoginNames): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new UsageError(`${names.url} needs a URL such as http://127.0.0.1:8332`);
  }
  if (url.username === '' && url.password === '') return url;
  throw new UsageError(
    `${names.url} contains a name or password, which others can read: use ${names.cookie}, or ${names.user} with ${names.passwordFile}`,
  );
}

export function isOnThisMachine({ hostname }: URL): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return hostname === 'localhost' || (isIP(address) !== 0 && isLoopback(address));
}

interface LoginValues {
  readonly cookie: string | undefined;
  readonly user: string | undefined;
  readonly passwordFile: string | undefined;
}

const LOGIN = /^[^:\r\n]+:[^\r\n]+$/;

/**
 * The function returns `name:password`. It reads a cookie anew each time, since a node replaces it at each start.
 * @throws UsageError, which never contains a password
 */
export async function collectLogin(
  { cookie, user, passwordFile: file }: LoginValues,
  names: LoginNames,
  io: Io,
): Promise<() => Promise<string | undefined>> {
  if (cookie !== undefined) {
    if (user !== undefined)
      throw new UsageError(`${names.cookie} and ${names.user} contradict each other: give only one of them`);
    return () => readCookie(names.cookie, cookie, io);
  }
  if (user === undefined) return async () => undefined;
  if (user === '' || user.includes(':')) throw new UsageError(`${names.user} needs a name without ":"`);
  const places = {
    userOption: names.user,
    fileOption: names.passwordFile,
    file,
    variable: names.variable,
    question: `Password of ${withoutSecrets(user)} at ${names.url} (not shown): `,
  };
  const login = `${user}:${await readPassword(places, io)}`;
  return async () => login;
}

async function readCookie(option: string, path: string, io: Io): Promise<string> {
  const text = decodeUtf8(await readNamedFile(option, path, io))?.trim() ?? '';
  if (LOGIN.test(text)) return text;
  throw new UsageError(`${option}: ${shownPath(path)} is not the cookie file of a node`);
}
