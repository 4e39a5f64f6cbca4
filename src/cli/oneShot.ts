import { formatBase64 } from '../bytes/base64.ts';
import { RpcError } from '../errors.ts';
import { METHODS_BY_NAME } from '../rpc/createRpc.ts';
import type { JsonValue } from '../rpc/jsonValue.ts';
import type { RpcMethod } from '../rpc/method.ts';
import { parseJson } from '../rpc/parseJson.ts';
import { stringifyRpc } from '../rpc/stringify.ts';
import { readInput, readNamedFile } from './input.ts';
import type { Io } from './io.ts';
import { type CommandLine, nearestName, openRpc } from './options.ts';
import { UsageError } from './usageError.ts';

const PSBT_MAGIC = 'psbt\xff';
const PRETTY_INDENT = 2;

/** Runs one method and prints its answer, or the error as `bitcoin-cli` does. @returns the exit code */
export async function runOneShot(line: CommandLine, io: Io): Promise<number> {
  const name = line.command ?? '';
  const method = METHODS_BY_NAME.get(name);
  const rpc = await openRpc(line, io);
  try {
    const params: JsonValue = { type: 'array', items: method ? await argsOf(method, line, io) : [] };
    await io.writeOut(`${stringifyRpc(rpc.callJson(name, params), line.pretty ? { indent: PRETTY_INDENT } : {})}\n`);
    return 0;
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError('the answer is too long to print');
    if (!(error instanceof RpcError)) throw error;
    io.writeError(`error code: ${error.code}\nerror message:\n${error.message}\n${hintFor(name, method)}`);
    return Math.abs(error.code) % 256;
  }
}

function hintFor(name: string, method: RpcMethod | undefined): string {
  if (method) return '';
  const nearest = nearestName(name, [...METHODS_BY_NAME.keys(), 'batch', 'help']);
  return nearest ? `did you mean ${nearest}?\n` : '"countersign help" lists the commands\n';
}

/** The arguments, the first of them from `--file` or, for `-`, from standard input. */
async function argsOf(method: RpcMethod, { args, file }: CommandLine, io: Io): Promise<readonly JsonValue[]> {
  const isPiped = file === undefined && args[0] === '-';
  const source = isPiped ? '-' : file;
  const texts = isPiped ? args.slice(1) : [...args];
  if (source === '-') texts.unshift(argumentText(await readInput('standard input', io.stdin)));
  else if (source !== undefined) texts.unshift(argumentText(await readNamedFile(source, io)));
  return texts.map((text, position) => argumentValue(text, method.params[position]?.type ?? 'string'));
}

/** Strings stand for themselves; anything else is written as JSON, as with `bitcoin-cli`. */
function argumentValue(text: string, type: JsonValue['type']): JsonValue {
  if (type === 'string') return { type, value: text };
  const value = parseJson(text);
  if (!value) throw new UsageError(`Error parsing JSON: ${text}`);
  return value;
}

/** A file's content as an argument: a binary PSBT as base64, anything else as text without the white space around it. */
function argumentText(content: Uint8Array): string {
  const start = String.fromCharCode(...content.subarray(0, PSBT_MAGIC.length));
  return start === PSBT_MAGIC ? formatBase64(content) : new TextDecoder().decode(content).trim();
}
