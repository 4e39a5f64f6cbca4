import { formatBase64 } from '../bytes/base64.ts';
import type { JsonValue } from '../rpc/jsonValue.ts';
import type { RpcParam } from '../rpc/method.ts';
import { parseJson } from '../rpc/parseJson.ts';
import { readInput, readNamedFile } from './input.ts';
import type { Io } from './io.ts';
import type { CommandLine } from './options.ts';
import { UsageError } from './usageError.ts';

const PSBT_MAGIC = 'psbt\xff';

/** What stands on the command line, the first of it from `--file` or, for `-`, from standard input. */
export async function textsOf({ args, file, keysStdin }: CommandLine, io: Io): Promise<string[]> {
  const isPiped = file === undefined && args[0] === '-';
  if (keysStdin && (isPiped || file === '-'))
    throw new UsageError('standard input cannot hold both the keys and the argument');
  const source = isPiped ? '-' : file;
  const texts = isPiped ? args.slice(1) : [...args];
  if (source === '-') texts.unshift(argumentText(await readInput('standard input', io.stdin)));
  else if (source !== undefined) texts.unshift(argumentText(await readNamedFile(source, io)));
  return texts;
}

/** Strings stand for themselves; anything else is written as JSON, as with `bitcoin-cli`. */
export function argumentValue(text: string, { name, type, isSecret }: RpcParam): JsonValue {
  if (type === 'string') return { type, value: text };
  const value = parseJson(text);
  if (!value) throw new UsageError(`Error parsing JSON: ${isSecret ? `what was given as ${name}` : text}`);
  return value;
}

/** A file's content as an argument: a binary PSBT as base64, anything else as text without the white space around it. */
export function argumentText(content: Uint8Array): string {
  const start = String.fromCharCode(...content.subarray(0, PSBT_MAGIC.length));
  return start === PSBT_MAGIC ? formatBase64(content) : new TextDecoder().decode(content).trim();
}
