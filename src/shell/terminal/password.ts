import { decodeUtf8WithoutMark } from '../../core/bytes/utf8.ts';
import { shownPath } from '../../core/encoding/redaction.ts';
import { type Io, readNamedFile } from './io.ts';
import { UsageError } from './usageError.ts';

/** A password is never an argument: others could read it in the process list. */
interface PasswordPlaces {
  readonly userOption: string;
  readonly fileOption: string;
  readonly file: string | undefined;
  readonly variable: string;
  readonly question: string;
}

/** Takes the file, else the environment, else a hidden prompt. @throws UsageError, which never quotes the password */
export async function readPassword(places: PasswordPlaces, io: Io): Promise<string> {
  const password = await passwordFrom(places, io);
  if (password === '') throw new UsageError('the password is empty');
  return password;
}

async function passwordFrom(places: PasswordPlaces, io: Io): Promise<string> {
  const { userOption, fileOption, file, variable, question } = places;
  if (file !== undefined) return readPasswordFile(fileOption, file, io);
  const password = io.environment(variable);
  if (password !== undefined) return password;
  if (io.isInteractive) return await io.ask(question, { isHidden: true });
  throw new UsageError(`${userOption} needs a password: use ${fileOption}, or set ${variable}`);
}

/** In bytes. Longer than anybody's password. */
const LONGEST_FILE = 100_000;

/** Removes the byte order mark and the newline that editors add: with them, a passphrase opens another wallet. */
export async function readPasswordFile(option: string, file: string, io: Io): Promise<string> {
  // The name may be the password itself.
  if (!(await io.exists(file))) {
    throw new UsageError(`${option}: cannot read the file, whose name may be the password: no such file`);
  }
  const content = await readNamedFile(option, file, io);
  const text = content.length > LONGEST_FILE ? undefined : decodeUtf8WithoutMark(content);
  if (text === undefined) throw new UsageError(`${option}: ${shownPath(file)} is not a line of UTF-8 text`);
  const line = text.replace(/\r?\n$/, '');
  if (/[\r\n]/.test(line)) {
    throw new UsageError(`${option}: ${shownPath(file)} has several lines: write it in one, without empty ones`);
  }
  return line;
}
