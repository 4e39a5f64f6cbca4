import type { Io } from '../../terminal/io.ts';
import { readPasswordFile } from '../../terminal/password.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { SomeValues, seedOptions } from '../options.ts';

type Line = Pick<SomeValues<typeof seedOptions>, 'passphraseFile' | 'passphrasePrompt'>;

interface Wanted {
  /** Continues "Passphrase of". */
  readonly of: string;
  /** Asks on a terminal without an option, too. */
  readonly isAsked: boolean;
  /** Asks twice: no key, coin or fingerprint would tell a typing error. */
  readonly isNew: boolean;
}

export const OF_WORDS = 'the seed words (not shown, empty for none)';
const MOST_TRIES = 3;

/** @returns the empty string for none */
export async function readPassphrase(line: Line, { of, isAsked, isNew }: Wanted, io: Io): Promise<string> {
  const { passphraseFile: file, passphrasePrompt = false } = line;
  if (file !== undefined && passphrasePrompt) {
    throw new UsageError('give the passphrase in only one way: --passphrase-file or --passphrase-prompt');
  }
  if (file !== undefined) return readPasswordFile('--passphrase-file', file, io);
  if (!isAsked && !passphrasePrompt) return '';
  if (!io.isInteractive) throw new UsageError('no terminal to ask for the passphrase on: use --passphrase-file');
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const passphrase = await io.ask(`Passphrase of ${of}: `, { isHidden: true });
    if (!isNew || passphrase === '') return passphrase;
    if ((await io.ask('The same passphrase again: ', { isHidden: true })) === passphrase) return passphrase;
    io.writeError('The two passphrases differ.\n');
  }
  throw new UsageError('the passphrase was not typed the same way twice; nothing was done');
}
