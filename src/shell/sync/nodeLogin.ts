import { shownPath, withoutSecrets } from '../../core/encoding/redaction.ts';
import { type Io, readNamedFile } from '../terminal/io.ts';
import { decodeUtf8 } from '../terminal/lines.ts';
import { readPassword } from '../terminal/password.ts';
import { UsageError } from '../terminal/usageError.ts';

type Side = 'from' | 'to';

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
  side: Side,
  io: Io,
): Promise<() => Promise<string | undefined>> {
  if (cookie !== undefined) {
    if (user !== undefined)
      throw new UsageError(`--${side}-cookie and --${side}-user contradict each other: give only one of them`);
    return () => readCookie(`--${side}-cookie`, cookie, io);
  }
  if (user === undefined) return async () => undefined;
  if (user === '' || user.includes(':')) throw new UsageError(`--${side}-user needs a name without ":"`);
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

async function readCookie(option: string, path: string, io: Io): Promise<string> {
  const text = decodeUtf8(await readNamedFile(option, path, io))?.trim() ?? '';
  if (LOGIN.test(text)) return text;
  throw new UsageError(`${option}: ${shownPath(path)} is not the cookie file of a node`);
}
