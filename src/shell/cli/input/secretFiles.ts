import { type JsonValue, toJsonValue } from '../../../answers/json/jsonValue.ts';
import { shownPath } from '../../../core/encoding/redaction.ts';
import { splitSecrets } from '../../../core/encoding/writtenSecrets.ts';
import { type Io, readNamedInput } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { CommandLine, keyOptions, SomeValues } from '../options.ts';
import { readCodeFile } from './codeFiles.ts';

export type KeyValues = SomeValues<typeof keyOptions>;

export function wantsKeys({ keysFile, keysStdin, keysPrompt, seedFile }: KeyValues): boolean {
  return keysFile !== undefined || keysStdin === true || keysPrompt === true || seedFile !== undefined;
}

export interface GivenSecret {
  /** Keys, or a seed phrase: `openKeys` opens them. */
  readonly content: Uint8Array;
  /** Safe to show. */
  readonly from: string;
  readonly isTyped: boolean;
}

/** Reads keys or seed words, from a picture of a code, too. `takesWords` says whether messages name seed words. */
export async function readSecret(
  line: KeyValues,
  io: Io,
  { takesWords, network }: { readonly takesWords: boolean; readonly network: string },
): Promise<GivenSecret> {
  const { keysFile, keysStdin, keysPrompt, seedFile } = line;
  const ways = [keysFile !== undefined, keysStdin, keysPrompt, seedFile !== undefined];
  if (ways.filter(Boolean).length > 1) {
    throw new UsageError('give the keys in only one way: --keys-file, --keys-stdin, --keys-prompt or --seed-file');
  }
  const option = seedFile === undefined ? '--keys-file' : '--seed-file';
  const path = keysStdin ? '-' : (seedFile ?? keysFile);
  if (path !== undefined) {
    const from = path === '-' ? 'standard input' : `${option}: ${shownPath(path)}`;
    const content = await readCodeFile(from, await readNamedInput(option, path, io), network);
    return { content, from, isTyped: false };
  }
  if (!io.isInteractive) {
    const options = takesWords
      ? '--seed-file, --keys-file, --keys-stdin or --descriptors-file'
      : '--keys-file or --keys-stdin';
    throw new UsageError(`no terminal to ask for keys on: use ${options}`);
  }
  const question = `Private keys${takesWords ? ' or seed words' : ''}, separated by spaces (not shown): `;
  const typed = await io.ask(question, { isHidden: true });
  return { content: new TextEncoder().encode(typed), from: 'the prompt', isTyped: true };
}

/** Quotes no key in errors. */
export async function readKeys(line: KeyValues & Pick<CommandLine, 'network'>, io: Io): Promise<JsonValue> {
  const { content } = await readSecret(line, io, { takesWords: false, network: line.network });
  return toJsonValue(splitSecrets(new TextDecoder().decode(content).trim()));
}
