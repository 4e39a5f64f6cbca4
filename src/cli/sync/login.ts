import { withoutSecrets } from '../../text/secrets.ts';
import { readNamedFile } from '../input.ts';
import type { Io } from '../io.ts';
import { readPassword } from '../password.ts';
import { UsageError } from '../usageError.ts';
import { decodeUtf8 } from '../utf8.ts';
import type { SyncOptions } from './options.ts';

/** Of which node a login is: the one that is read, or the one that is fed. */
type Side = 'from' | 'to';

const LOGIN = /^[^:\r\n]+:[^\r\n]+$/;

/**
 * Makes what reads the login for a node, `name:password`: a cookie file anew each time, since it changes when the node
 * is started; a password once. Without options for it there is none.
 * @throws UsageError; no password is in its text
 */
export async function collectLogin(
  options: SyncOptions,
  side: Side,
  io: Io,
): Promise<() => Promise<string | undefined>> {
  const cookie = options[`${side}-cookie`];
  const user = options[`${side}-user`];
  const file = options[`${side}-password-file`];
  if (user === undefined && file !== undefined) throw new UsageError(`--${side}-password-file wants --${side}-user`);
  if (cookie !== undefined) {
    if (user !== undefined) throw new UsageError(`--${side}-cookie is of no use with --${side}-user: there is either`);
    return () => readCookie(cookie, io);
  }
  if (user === undefined) return async () => undefined;
  if (user === '' || user.includes(':')) throw new UsageError(`--${side}-user wants a name without ":"`);
  const places = {
    userOption: `--${side}-user`,
    fileOption: `--${side}-password-file`,
    file,
    variable: side === 'from' ? 'COUNTERSIGN_FROM_PASSWORD' : 'COUNTERSIGN_TO_PASSWORD',
    question: `Password of ${withoutSecrets(user)} at --${side}-rpc (not shown): `,
  };
  const login = `${user}:${await readPassword(places, io)}`;
  return async () => login;
}

async function readCookie(path: string, io: Io): Promise<string> {
  const text = decodeUtf8(await readNamedFile(path, io))?.trim() ?? '';
  if (LOGIN.test(text)) return text;
  throw new UsageError(`${withoutSecrets(path)} is no cookie of a node`);
}
