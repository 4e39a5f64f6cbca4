import { type JsonValue, toJsonValue } from '../../../answers/json/jsonValue.ts';
import { parseJson } from '../../../answers/json/parseJson.ts';
import { shownPath } from '../../../core/encoding/redaction.ts';
import { isPhrase } from '../../../core/encoding/writtenSecrets.ts';
import { type Io, readNamedInput } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { keyOptions, SomeValues } from '../options.ts';

export type KeyValues = SomeValues<typeof keyOptions>;

export function wantsKeys({ keysFile, keysStdin, keysPrompt, seedFile }: KeyValues): boolean {
  return keysFile !== undefined || keysStdin === true || keysPrompt === true || seedFile !== undefined;
}

export interface SecretTexts {
  /** Keys, or whole seed phrases. */
  readonly texts: readonly string[];
  /** Safe to show. */
  readonly from: string;
  readonly isTyped: boolean;
}

/**
 * Reads a JSON array, keys between white space, commas or quotes, or a seed phrase, and quotes none in errors.
 * `takesWords` says whether messages name seed words.
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

/** Quotes no key in errors. */
export async function readKeys(line: KeyValues, io: Io): Promise<JsonValue> {
  const { texts } = await readSecretTexts(line, io, { takesWords: false });
  return toJsonValue(texts);
}

/** Longer than any seed word in any language, shorter than any key. */
const LONGEST_WORD = 20;

const BETWEEN = /[\s,;"']+/;
/** Electrum writes the kind of address before each key. */
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
