import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { parseJson } from '../../../answers/json/parseJson.ts';
import { shownPath } from '../../../core/encoding/redaction.ts';
import { isPhrase } from '../../../core/keys/writtenSecrets.ts';
import { type Io, readNamedInput } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { keyOptions, SomeValues } from '../options.ts';

/** The options for keys, of which a command may take only some. */
export type KeyValues = SomeValues<typeof keyOptions>;

/** Tells whether an option says where to read private keys. */
export function wantsKeys({ keysFile, keysStdin, keysPrompt, seedFile }: KeyValues): boolean {
  return keysFile !== undefined || keysStdin === true || keysPrompt === true || seedFile !== undefined;
}

/** Private keys and seed phrases as the user wrote them. */
export interface SecretTexts {
  /** A key, or the words of a phrase with white space between them. */
  readonly texts: readonly string[];
  /** Their source, safe to show. */
  readonly from: string;
  readonly isTyped: boolean;
}

/**
 * Reads private keys and seed words from a file, standard input or a hidden prompt: a JSON array of strings, keys
 * separated by white space, commas or quotes, or the words of one seed phrase.
 * - `takesWords`: whether the messages name seed words, too
 *
 * @throws UsageError, which never quotes a key or word
 */
export async function readSecretTexts(
  line: KeyValues,
  io: Io,
  { takesWords }: { readonly takesWords: boolean },
): Promise<SecretTexts> {
  const { keysFile, keysStdin, keysPrompt, seedFile } = line;
  const ways = [keysFile !== undefined, keysStdin, keysPrompt, seedFile !== undefined];
  if (ways.filter(Boolean).length > 1) {
    throw new UsageError('give the keys in only one way: --keys-file, --keys-stdin, --keys-prompt or --seed-file');
  }
  const option = seedFile === undefined ? '--keys-file' : '--seed-file';
  const path = keysStdin ? '-' : (seedFile ?? keysFile);
  if (path !== undefined) {
    const from = path === '-' ? 'standard input' : `${option}: ${shownPath(path)}`;
    const text = new TextDecoder().decode(await readNamedInput(option, path, io));
    return { texts: secretsIn(text, from), from, isTyped: false };
  }
  if (!io.isInteractive) {
    const options = takesWords
      ? '--seed-file, --keys-file, --keys-stdin or --descriptors-file'
      : '--keys-file or --keys-stdin';
    throw new UsageError(`no terminal to ask for keys on: use ${options}`);
  }
  const from = 'the prompt';
  const question = `Private keys${takesWords ? ' or seed words' : ''}, separated by spaces (not shown): `;
  return { texts: secretsIn(await io.ask(question, { isHidden: true }), from), from, isTyped: true };
}

/**
 * Reads private keys for a method that takes only keys in wallet import format.
 * @returns a JSON array of strings
 * @throws UsageError, which never quotes a key
 */
export async function readKeys(line: KeyValues, io: Io): Promise<JsonValue> {
  const { texts } = await readSecretTexts(line, io, { takesWords: false });
  return { type: 'array', items: texts.map((value) => ({ type: 'string', value })) };
}

/** No seed word is longer, in any language; every key is. */
const LONGEST_WORD = 20;

/** White space, and what lists and spreadsheets write between keys. */
const BETWEEN = /[\s,;"']+/;
/** The kind of address before each key that Electrum exports. */
const ELECTRUM_KIND = /^p2[a-z0-9-]+:/;

function secretsIn(text: string, from: string): readonly string[] {
  const trimmed = text.trim();
  if (isPhrase(trimmed)) return [trimmed];
  const items = trimmed.startsWith('[') ? stringsIn(trimmed, from) : trimmed.split(BETWEEN).filter(Boolean);
  const areWords = items.length > 1 && items.every((item) => item.length <= LONGEST_WORD);
  return areWords ? [items.join(' ')] : items.map((item) => item.replace(ELECTRUM_KIND, ''));
}

function stringsIn(json: string, from: string): readonly string[] {
  const value = parseJson(json);
  const items = value?.type === 'array' ? value.items : undefined;
  const strings = items?.flatMap((item) => (item.type === 'string' ? [item.value] : []));
  if (strings && strings.length === items?.length) return strings;
  throw new UsageError(`${from} does not hold a JSON array of keys`);
}
