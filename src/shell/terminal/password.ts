import { shownPath } from '../../core/encoding/redaction.ts';
import { type Io, readNamedFile } from './io.ts';
import { decodeUtf8 } from './lines.ts';
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

/** Removes the newline that editors add. */
export async function readPasswordFile(option: string, file: string, io: Io): Promise<string> {
  // The name may be the password itself.
  if (!(await io.exists(file))) {
    throw new UsageError(`${option}: cannot read the file, whose name may be the password: no such file`);
  }
  const text = decodeUtf8(await readNamedFile(option, file, io));
  if (text === undefined) throw new UsageError(`${option}: ${shownPath(file)} is not UTF-8 text`);
  return text.replace(/\r?\n$/, '');
}
