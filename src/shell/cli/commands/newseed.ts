import { formatHex, isHex, parseHex } from '../../../core/bytes/hex.ts';
import { encodeUtf8 } from '../../../core/bytes/utf8.ts';
import { sha256 } from '../../../core/crypto/hash.ts';
import { keyFingerprint, masterKey } from '../../../core/keys/bip32.ts';
import { findPattern } from '../../../core/keys/randomness.ts';
import { seedOfWords, wordsFromEntropy } from '../../../core/keys/seedWords.ts';
import { type Io, readNamedInput } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { assertNoArguments, declareCommand } from '../declareCommand.ts';
import { readPassphrase } from '../input/passphrase.ts';
import { type CommandLine, file, flag, text } from '../options.ts';

interface SeedSize {
  readonly words: string;
  readonly bytes: number;
  readonly rolls: number;
}

const SIZES: readonly SeedSize[] = [
  { words: '12', bytes: 16, rolls: 50 },
  { words: '24', bytes: 32, rolls: 99 },
];
const USUAL = '24';
/** Looking for a pattern takes the square of their number. */
const MOST_ROLLS = 10_000;

const options = {
  words: text('NUMBER', '24 (the default) or 12'),
  'dice-file': file(
    'the rolls of a die, as digits 1 to 6: at least 99 for 24 words, 50 for 12 ("-": standard input); Coldcard and SeedSigner make the same words of them',
  ),
  'entropy-file': file('64 hex digits for 24 words, 32 for 12, which no one else can guess'),
  'passphrase-file': file('the passphrase that you will use with the words, for the fingerprint; or'),
  'passphrase-prompt': flag('ask for it twice, without showing it', { indent: 1 }),
};
type Line = CommandLine<typeof options>;

export const newseed = declareCommand({
  synopsis: 'newseed',
  about: `Makes new seed words (BIP39), and shows the fingerprint of their master key. They come from random
numbers of this machine, or from your own dice. Write them down on paper: whoever reads them can spend the coins.
Rolls and digits with a pattern are refused; of honest ones, fewer than one in a million is.`,
  options,
  examples: ['countersign newseed --dice-file rolls.txt'],
  run: runNewSeed,
});

async function runNewSeed(line: Line, io: Io): Promise<number> {
  assertNoArguments(line, 'newseed takes no file: give entropy of your own with --dice-file or --entropy-file');
  const size = SIZES.find(({ words }) => words === (line.words ?? USUAL));
  if (!size) throw new UsageError('--words must be 12 or 24');
  const entropy = await entropyFor(size, line, io);
  const source = line.entropyFile === undefined ? '' : '--entropy-file: ';
  const words = withUsageErrors(
    () => wordsFromEntropy(entropy),
    (reason) => source + reason,
  );
  const of = 'the new seed words (not shown, empty for none)';
  const passphrase = await readPassphrase(line, { of, isAsked: false, isNew: true }, io);
  const fingerprint = formatHex(keyFingerprint(masterKey(seedOfWords(words, { passphrase }))));
  io.writeError(
    `master key: fingerprint ${fingerprint}, ${passphrase === '' ? 'without a passphrase' : 'with the passphrase'}\n`,
  );
  await io.writeOut(`${words}\n`);
  return 0;
}

async function entropyFor(size: SeedSize, { diceFile, entropyFile }: Line, io: Io): Promise<Uint8Array> {
  if (diceFile !== undefined && entropyFile !== undefined) {
    throw new UsageError('pass either --dice-file or --entropy-file, not both');
  }
  if (diceFile !== undefined) return entropyFromDice(await readText('--dice-file', diceFile, io), size);
  if (entropyFile !== undefined) return entropyInHex(await readText('--entropy-file', entropyFile, io), size);
  return io.random(size.bytes);
}

const readText = async (option: string, path: string, io: Io): Promise<string> =>
  new TextDecoder().decode(await readNamedInput(option, path, io)).replace(/[\s,;]+/g, '');

/** Hashes the digits as Coldcard and SeedSigner do. */
function entropyFromDice(rolls: string, { words, bytes, rolls: least }: SeedSize): Uint8Array {
  if (!/^[1-6]*$/.test(rolls)) throw new UsageError('--dice-file must hold only the digits 1 to 6, one for each roll');
  if (rolls.length < least) {
    throw new UsageError(`--dice-file holds ${rolls.length} rolls, and ${words} words need at least ${least}`);
  }
  if (rolls.length > MOST_ROLLS) {
    throw new UsageError(`--dice-file holds ${rolls.length} rolls: give at most ${MOST_ROLLS}`);
  }
  const pattern = findPattern({ values: [...rolls].map((roll) => Number(roll) - 1), base: 6, unit: 'rolls' });
  if (pattern !== undefined) throw new UsageError(`--dice-file has a pattern, ${pattern}: roll a die for each digit`);
  return sha256(encodeUtf8(rolls)).slice(0, bytes);
}

function entropyInHex(digits: string, { words, bytes }: SeedSize): Uint8Array {
  if (isHex(digits) && digits.length === 2 * bytes) return parseHex(digits);
  throw new UsageError(`--entropy-file must hold ${2 * bytes} hex digits, for ${words} words (see --words)`);
}
