import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { parseJson } from '../../../answers/json/parseJson.ts';
import type { RpcSignature } from '../../../answers/method/method.ts';
import type { Param } from '../../../answers/method/param.ts';
import { formatBase64 } from '../../../core/bytes/base64.ts';
import { shownPath, withoutSecrets } from '../../../core/encoding/redaction.ts';
import { type Io, readNamedInput } from '../../terminal/io.ts';
import { nearestAdvice, UsageError } from '../../terminal/usageError.ts';
import type { CommandLine, keyOptions, SomeValues } from '../options.ts';
import { readCodeFile } from './codeFiles.ts';

const PSBT_MAGIC = 'psbt\xff';

/** Reads the first argument from `--file`, or for `-` from standard input. */
export async function argumentTexts(
  { args, file, keysStdin, network }: CommandLine & SomeValues<typeof keyOptions>,
  io: Io,
): Promise<string[]> {
  const isPiped = file === undefined && args[0] === '-';
  if (keysStdin && (isPiped || file === '-'))
    throw new UsageError('standard input cannot hold both the keys and the argument');
  const source = isPiped ? '-' : file;
  const texts = isPiped ? args.slice(1) : [...args];
  if (source !== undefined) {
    const content = await readNamedInput('--file', source, io);
    texts.unshift(argumentText(await readCodeFile(`--file: ${shownPath(source)}`, content, network)));
  }
  return texts;
}

/**
 * Converts as `bitcoin-cli` does: takes strings literally and parses all else as JSON.
 * @throws UsageError without the text if it may be a secret in the wrong place
 */
export function argumentValue(
  text: string,
  { name, type }: ShownParam,
  { name: method, params }: RpcSignature,
): JsonValue {
  if (type === 'string') return { type, value: text };
  const value = parseJson(text);
  if (value) return value;
  const advice = method === 'combinepsbt' ? '; to combine files: countersign combine FILE FILE...' : '';
  const mayBeSecret = params.some(({ isSecret }) => isSecret);
  throw new UsageError(`Error parsing JSON: ${mayBeSecret ? `the value of ${name}` : withoutSecrets(text)}${advice}`);
}

export type ShownParam = Pick<Param, 'name' | 'type'> & { readonly isSecret?: true };

export interface Given {
  readonly param: ShownParam;
  readonly index: number;
  readonly text: string;
}

/**
 * Takes `name=value`, and in newer nodes the name of a member of an object parameter. Quotes no value in errors.
 * @see Bitcoin Core `RPCConvertNamedValues`
 */
export function namedArgument(argument: string, { name: method, params }: RpcSignature): Given {
  const end = argument.indexOf('=');
  const name = argument.slice(0, Math.max(end, 0));
  const text = argument.slice(end + 1);
  for (const [index, candidate] of params.entries()) {
    const param = [candidate, ...ownMembers(candidate)].find((each) => each.name === name);
    if (param) return { param, index, text };
  }
  const names = params.flatMap((candidate) => [candidate, ...ownMembers(candidate)]).map((each) => each.name);
  throw new UsageError(
    `--named needs arguments as name=value; the names of ${method} are ${names.join(', ')}${nearestAdvice(name, names)}`,
  );
}

/** The members of options that are arguments, too. */
const ownMembers = ({ takesNames, members = [] }: Param): readonly Param[] => (takesNames ? members : []);

/** Converts a binary PSBT to base64. */
export function argumentText(content: Uint8Array): string {
  const start = String.fromCharCode(...content.subarray(0, PSBT_MAGIC.length));
  return start === PSBT_MAGIC ? formatBase64(content) : new TextDecoder().decode(content).trim();
}
