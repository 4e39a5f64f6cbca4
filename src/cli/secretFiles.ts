import { withoutSecrets } from '../encoding/redaction.ts';
import type { JsonValue } from '../rpc/json/jsonValue.ts';
import { parseJson } from '../rpc/json/parseJson.ts';
import { type Io, readInput, readNamedFile } from '../terminal/io.ts';
import { UsageError } from '../terminal/usageError.ts';
import type { CommandLine } from './options.ts';

/** Tells whether an option says where to read private keys. */
export function wantsKeys({ keysFile, keysStdin, keysPrompt }: CommandLine): boolean {
  return keysFile !== undefined || keysStdin || keysPrompt;
}

/**
 * Reads private keys from a file, standard input or a hidden prompt: a JSON array of strings, or keys separated by
 * white space.
 * @throws UsageError, which never quotes a key
 */
export async function readKeys(line: CommandLine, io: Io): Promise<JsonValue> {
  const { keysFile, keysStdin } = line;
  if ([keysFile !== undefined, keysStdin, line.keysPrompt].filter(Boolean).length > 1) {
    throw new UsageError('give the keys in only one way: --keys-file, --keys-stdin or --keys-prompt');
  }
  if (keysFile !== undefined)
    return parseKeys(decode(await readNamedFile('--keys-file', keysFile, io)), `--keys-file: ${keysFile}`);
  if (keysStdin) return parseKeys(decode(await readInput('standard input', io.stdin)), 'standard input');
  if (!io.isInteractive) throw new UsageError('no terminal to ask for keys on: use --keys-file or --keys-stdin');
  return parseKeys(await io.ask('Private keys, separated by spaces (not shown): ', { isHidden: true }), 'the prompt');
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function parseKeys(text: string, from: string): JsonValue {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[')) {
    const keys = trimmed.split(/\s+/).filter(Boolean);
    return { type: 'array', items: keys.map((value) => ({ type: 'string', value })) };
  }
  const value = parseJson(trimmed);
  if (value?.type !== 'array') throw new UsageError(`${withoutSecrets(from)} does not hold a JSON array of keys`);
  return value;
}

/**
 * Reads descriptors from a file: a JSON array as `descriptorprocesspsbt` takes it, or one descriptor per line.
 * @throws UsageError, which never quotes the file's content
 */
export async function readDescriptors(path: string, io: Io): Promise<JsonValue> {
  const text = new TextDecoder().decode(await readNamedFile('--descriptors-file', path, io)).trim();
  if (!text.startsWith('[')) {
    const lines = text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    return { type: 'array', items: lines.map((value) => ({ type: 'string', value })) };
  }
  const value = parseJson(text);
  if (value?.type !== 'array')
    throw new UsageError(`--descriptors-file: ${withoutSecrets(path)} does not hold a JSON array of descriptors`);
  return value;
}
