import { formatBase64 } from '../bytes/base64.ts';
import { RpcError } from '../errors.ts';
import { createRpc, methods } from '../rpc/createRpc.ts';
import { JSON_NULL, type JsonValue } from '../rpc/jsonValue.ts';
import type { RpcMethod } from '../rpc/method.ts';
import { parseJson } from '../rpc/parseJson.ts';
import { stringifyRpc } from '../rpc/stringify.ts';
import type { Io } from './io.ts';
import { type CommandLine, nearestName, readNamedFile, rpcOptions } from './options.ts';
import { UsageError } from './usageError.ts';

/** The most that is read from a file or from standard input: what Core takes as a PSBT file. */
const MAX_INPUT = 100_000_000;
const PSBT_MAGIC = 'psbt\xff';
const PRETTY_INDENT = 2;

/** Runs one method and prints its answer, or the error as `bitcoin-cli` does. @returns the exit code */
export async function runOneShot(line: CommandLine, io: Io): Promise<number> {
  const name = line.command ?? '';
  const method = methods.find((candidate) => candidate.name === name);
  const rpc = createRpc(await rpcOptions(line, io));
  try {
    const params: JsonValue = { type: 'array', items: method ? await argsOf(method, line, io) : [] };
    await io.writeOut(`${stringifyRpc(rpc.callJson(name, params), line.pretty ? { indent: PRETTY_INDENT } : {})}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    io.writeError(`error code: ${error.code}\nerror message:\n${error.message}\n${hintFor(name, method)}`);
    return Math.abs(error.code) % 256;
  }
}

function hintFor(name: string, method: RpcMethod | undefined): string {
  if (method) return '';
  const nearest = nearestName(name, [...methods.map((known) => known.name), 'batch', 'help']);
  return nearest ? `did you mean ${nearest}?\n` : '"countersign help" lists the commands\n';
}

/** The arguments, the first of them from `--file` or, for `-`, from standard input. */
async function argsOf(method: RpcMethod, { args, file }: CommandLine, io: Io): Promise<readonly JsonValue[]> {
  const texts = [...args];
  if (file !== undefined) texts.unshift(argumentText(assertSize(await readNamedFile(file, io), file)));
  else if (texts[0] === '-') texts[0] = argumentText(await readAll(io));
  return texts.map((text, position) => argumentValue(text, method.params[position]?.type ?? 'string'));
}

/** Strings stand for themselves; anything else is written as JSON, as with `bitcoin-cli`. */
function argumentValue(text: string, type: JsonValue['type']): JsonValue {
  if (type === 'string') return { type, value: text };
  const value = parseJson(text);
  if (!value) throw new UsageError(`Error parsing JSON: ${text}`);
  return value ?? JSON_NULL;
}

/** A file's content as an argument: a binary PSBT as base64, anything else as text without the white space around it. */
function argumentText(content: Uint8Array): string {
  const start = String.fromCharCode(...content.subarray(0, PSBT_MAGIC.length));
  return start === PSBT_MAGIC ? formatBase64(content) : new TextDecoder().decode(content).trim();
}

function assertSize(content: Uint8Array, name: string): Uint8Array {
  if (content.length <= MAX_INPUT) return content;
  throw new UsageError(`${name} is larger than ${MAX_INPUT} bytes`);
}

async function readAll(io: Io): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of io.stdin) {
    size += chunk.length;
    if (size > MAX_INPUT) throw new UsageError(`standard input is larger than ${MAX_INPUT} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
