import { formatBase64 } from '../bytes/base64.ts';
import type { JsonValue } from '../rpc/jsonValue.ts';
import type { RpcParam, RpcSignature } from '../rpc/method.ts';
import { parseJson } from '../rpc/parseJson.ts';
import { withoutSecrets } from '../text/secrets.ts';
import { readInput, readNamedFile } from './input.ts';
import type { Io } from './io.ts';
import { nearestAdvice } from './nearestName.ts';
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
  if (!value)
    throw new UsageError(`Error parsing JSON: ${isSecret ? `what was given as ${name}` : withoutSecrets(text)}`);
  return value;
}

/** What stands on the command line for a parameter. */
export interface Given {
  readonly param: RpcParam;
  /** Where it stands among the method's, from 0. */
  readonly index: number;
  readonly text: string;
}

/**
 * Takes `name=value` apart, as it is written with `--named`; the name may be that of a member that newer nodes take in
 * place of an object.
 * @throws UsageError that does not show the value
 * @see Bitcoin Core `RPCConvertNamedValues`
 */
export function namedArgument(argument: string, { name: method, params }: RpcSignature): Given {
  const end = argument.indexOf('=');
  const name = argument.slice(0, Math.max(end, 0));
  const text = argument.slice(end + 1);
  const index = params.findIndex((one) => one.name === name || one.members?.includes(name));
  const param = params[index];
  if (param) return { param: param.name === name ? param : { name, type: 'any' }, index, text };
  const known = params.flatMap((one) => [one.name, ...(one.members ?? [])]);
  throw new UsageError(
    `--named wants arguments as name=value, with names that ${method} knows: ${known.join(', ')}${nearestAdvice(name, known)}`,
  );
}

/** A file's content as an argument: a binary PSBT as base64, anything else as text without the white space around it. */
export function argumentText(content: Uint8Array): string {
  const start = String.fromCharCode(...content.subarray(0, PSBT_MAGIC.length));
  return start === PSBT_MAGIC ? formatBase64(content) : new TextDecoder().decode(content).trim();
}
