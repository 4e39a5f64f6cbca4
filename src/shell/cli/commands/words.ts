import { formatHex } from '../../../core/bytes/hex.ts';
import { encodeUtf8 } from '../../../core/bytes/utf8.ts';
import { BtcError, isBtcError } from '../../../core/errors.ts';
import { keyFingerprint } from '../../../core/keys/bip32.ts';
import { isElectrumAndBip39Seed, parseElectrumSeed } from '../../../core/keys/electrumSeed.ts';
import { type CompletedWords, completeSeedWords } from '../../../core/keys/seedCompletion.ts';
import { english, parseSeedWords } from '../../../core/keys/seedWords.ts';
import { open } from '../../../kit/open/open.ts';
import { type OpenedKey, openKeys, takesPassphrase, textOfKeys } from '../../../kit/open/openKeys.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { assertNoArguments, declareCommand } from '../declareCommand.ts';
import { OF_WORDS, readPassphrase } from '../input/passphrase.ts';
import { readSecret } from '../input/secretFiles.ts';
import { isMendable, mayBeSeed, withoutPassphrase } from '../input/signingKeys.ts';
import { LOOKED_AT, readSought, type Sought } from '../input/soughtWallet.ts';
import { unknownWordLines } from '../input/wordFaults.ts';
import { type CommandContext, openContext } from '../openContext.ts';
import { type CommandLine, flag, seedOptions, text } from '../options.ts';
import { writeNote } from '../output/writeNote.ts';

const MOST_LISTED = 20;
/** A word at each of 24 places. */
const MOST_CANDIDATES = 24 * english.length;
const QUESTION = 'Seed words, separated by spaces, "?" for a missing one (not shown): ';

const options = {
  ...seedOptions,
  fingerprint: text('HEX', 'the fingerprint of the master key that the words should have'),
  address: text('ADDRESS', `an address that they should have, among the first ${LOOKED_AT}`),
  all: flag(`list all candidates, not only the first ${MOST_LISTED}`),
};
type Line = CommandLine<typeof options>;

export const words = declareCommand({
  synopsis: 'words',
  about: `Checks seed words (BIP39), and helps to mend them. Prints secret words to standard output: do it where no one else
looks, and keep the output nowhere.

Of right words it prints the fingerprint of their master key; of each word that is not in the list, its number and the
words near it. If one word is unknown, or missing ("?" in its place, or one word too few), it lists the words that make the
checksum right: about 128 for one place in 12 words, 8 in 24. Name the master fingerprint or an address to list only those that have it. Seeds
of Electrum and codex32 are only checked.`,
  options,
  exitCode: '2 if the words as given are wrong, or have another fingerprint or no such address.',
  examples: ['countersign words --seed-file words.txt', 'countersign words --fingerprint 73c5da0a'],
  run: runWords,
});

interface Given {
  readonly content: Uint8Array;
  readonly text: string;
  readonly sought: Sought;
  /** Asked for only once it is needed. */
  readonly readPassphrase: () => Promise<string>;
}

interface Place {
  readonly line: Line;
  readonly context: CommandContext;
  readonly io: Io;
}

async function runWords(line: Line, io: Io): Promise<number> {
  assertNoArguments(line, 'words takes no file: give one with --seed-file');
  const context = await openContext(line, io);
  const sought = readSought(line, context);
  const content = await readWords(line, context, io);
  const form = open(content);
  if (!mayBeSeed(form)) throw new UsageError('words takes seed words, and these are other keys');
  const isAsked = line.seedFile === undefined && form.kind === 'secret' && takesPassphrase(form.secret);
  const given: Given = {
    content,
    text: withUsageErrors(() => textOfKeys(content)),
    sought,
    readPassphrase: () => readPassphrase(line, { of: OF_WORDS, isAsked, isNew: false }, io),
  };
  const plain = withoutPassphrase(content, context);
  const place = { line, context, io };
  if (!('fault' in plain)) return showRight(given, place);
  const { fault } = plain;
  if (isMendable(fault)) return mend(given, fault, place);
  if (isBtcError(fault, 'argument/invalid')) throw new UsageError(notWords(given.text, fault));
  await io.writeOut(`${fault.message}\n`);
  return 2;
}

/** Says why words with gaps were not taken for seed words, and repeats what else is wrong. */
function notWords(given: string, { message }: BtcError): string {
  const gaps = given.split('?').length - 1;
  return gaps > 1 ? `${gaps} words are missing, and only one can be found: look for the others` : message;
}

async function readWords(line: Line, { network }: CommandContext, io: Io): Promise<Uint8Array> {
  if (line.seedFile !== undefined)
    return (await readSecret(line, io, { takesWords: true, network: network.name })).content;
  if (!io.isInteractive) throw new UsageError('no terminal to ask for the words on: use --seed-file');
  return encodeUtf8(await io.ask(QUESTION, { isHidden: true }));
}

async function showRight(given: Given, { context, io }: Place): Promise<number> {
  const passphrase = await given.readPassphrase();
  const opened = openGiven(given.content, passphrase, context);
  const suffix = passphrase === '' ? '' : ', with the passphrase';
  const fingerprint = formatHex(keyFingerprint(opened.key));
  await io.writeOut(`${nameOf(opened, given.text)}, checksum right: fingerprint ${fingerprint}${suffix}\n`);
  if (isElectrumAndBip39Seed(given.text))
    await io.writeOut('The words are also a seed of Electrum, which opens another wallet there\n');
  const { text, isMetBy } = given.sought;
  if (text === undefined) return 0;
  const isMet = isMetBy(opened);
  await io.writeOut(`This seed ${isMet ? 'has' : 'does not have'} ${text}\n`);
  return isMet ? 0 : 2;
}

type Seed = Extract<OpenedKey, { readonly kind: 'seed' | 'electrum' }>;

function openGiven(content: string | Uint8Array, passphrase: string, { network, ecc }: CommandContext): Seed {
  const [opened, ...more] = withUsageErrors(() => openKeys(content, { network, ecc, passphrase }));
  if (more.length > 0 || (opened?.kind !== 'seed' && opened?.kind !== 'electrum'))
    throw new UsageError('give the words of one seed phrase');
  return opened;
}

function nameOf(opened: Seed, text: string): string {
  if (opened.kind === 'electrum') return `${parseElectrumSeed(text)?.words.length} words of Electrum (${opened.type})`;
  return opened.form === 'codex32' ? 'codex32' : `${parseSeedWords(text).length} words`;
}

async function mend(given: Given, fault: BtcError, { line, context, io }: Place): Promise<number> {
  const unknown = unknownWordLines(given.text);
  for (const said of unknown.length > 0 ? unknown : [fault.message]) await io.writeOut(`${said}\n`);
  const candidates = await findCandidates(given.text, io);
  if (!candidates) return 2;
  await io.writeOut(`${counted(candidates.length, 'candidate')} with a right checksum\n`);
  const fitting = await narrow(candidates, given, { line, context, io });
  const listed = line.all ? fitting : fitting.slice(0, MOST_LISTED);
  for (const { words: whole, position } of listed) {
    await io.writeOut(`word ${position}: ${whole[position - 1]}\n`);
  }
  const left = fitting.length - listed.length;
  if (left > 0) await io.writeOut(`and ${left} more, which --all lists; --fingerprint or --address leave fewer\n`);
  if (left > 0 && unknown.length === 0) await io.writeOut('Put "?" in the place of the missing word, if you know it\n');
  return 2;
}

async function findCandidates(text: string, io: Io): Promise<readonly CompletedWords[] | undefined> {
  try {
    return completeSeedWords(text, { most: MOST_CANDIDATES });
  } catch (error) {
    if (!(error instanceof BtcError)) throw error;
    await io.writeOut(`${error.message}\n`);
    return undefined;
  }
}

async function narrow(candidates: readonly CompletedWords[], given: Given, { context, io }: Place) {
  const { text, isMetBy } = given.sought;
  if (text === undefined) return candidates;
  const passphrase = await given.readPassphrase();
  writeNote(`checking ${counted(candidates.length, 'candidate')}`, io);
  const fitting = candidates.filter(({ words: whole }) => isMetBy(openGiven(whole.join(' '), passphrase, context)));
  const [count, verb] = [fitting.length || 'none', fitting.length > 1 ? 'have' : 'has'];
  await io.writeOut(`${count} of them ${verb} ${text}\n`);
  return fitting;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
