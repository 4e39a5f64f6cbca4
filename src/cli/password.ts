import { withoutSecrets } from '../text/secrets.ts';
import { readNamedFile } from './input.ts';
import type { Io } from './io.ts';
import { UsageError } from './usageError.ts';
import { decodeUtf8 } from './utf8.ts';

/** Where a password may come from. It is never an argument: others could read it in the list of processes. */
interface PasswordPlaces {
  /** The option that names the user, who has the password. */
  readonly userOption: string;
  /** The option that names a file, and the file if it was given. */
  readonly fileOption: string;
  readonly file: string | undefined;
  /** A variable of the environment. */
  readonly variable: string;
  /** What a person is asked, on a terminal. */
  readonly question: string;
}

/**
 * Reads a password from its file, or else the environment, or else whoever is there.
 * @throws UsageError, also for an empty one; no password is in its text
 */
export async function readPassword(places: PasswordPlaces, io: Io): Promise<string> {
  const password = await passwordFrom(places, io);
  if (password === '') throw new UsageError('the password is empty');
  return password;
}

async function passwordFrom(places: PasswordPlaces, io: Io): Promise<string> {
  const { userOption, fileOption, file, variable, question } = places;
  if (file !== undefined) {
    const text = decodeUtf8(await readNamedFile(file, io));
    if (text === undefined) throw new UsageError(`${withoutSecrets(file)} holds no text`);
    // Editors end a file with a newline.
    return text.replace(/\r?\n$/, '');
  }
  const password = io.environment(variable);
  if (password !== undefined) return password;
  if (io.isInteractive) return await io.ask(question, { isHidden: true });
  throw new UsageError(`${userOption} wants a password: use ${fileOption}, or set ${variable}`);
}
