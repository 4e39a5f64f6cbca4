import { formatBase64 } from '../bytes/base64.ts';
import { RpcError } from '../errors.ts';
import { METHODS_BY_NAME } from '../rpc/createRpc.ts';
import { JSON_NULL, type JsonValue } from '../rpc/jsonValue.ts';
import type { RpcMethod, RpcParam } from '../rpc/method.ts';
import { parseJson } from '../rpc/parseJson.ts';
import { stringifyRpc } from '../rpc/stringify.ts';
import { isApproved } from './approval.ts';
import { readInput, readNamedFile } from './input.ts';
import type { Io } from './io.ts';
import { namesKeys, readKeys } from './keys.ts';
import { type CommandLine, nearestName, openRpc } from './options.ts';
import { startSigningProgress } from './progress.ts';
import { UsageError } from './usageError.ts';

const PSBT_MAGIC = 'psbt\xff';
const PRETTY_INDENT = 2;

/** Runs one method and prints its answer, or the error as `bitcoin-cli` does. @returns the exit code */
export async function runOneShot(line: CommandLine, io: Io): Promise<number> {
  const name = line.command ?? '';
  const method = METHODS_BY_NAME.get(name);
  const progress = startSigningProgress(io);
  const rpc = await openRpc(line, io, { onProgress: progress.show });
  try {
    const items = method ? await argsOf(method, line, io) : [];
    if (line.review && !(await isApproved(items, line, { rpc, io }))) return 1;
    const answer = rpc.callJson(name, { type: 'array', items });
    progress.end();
    await io.writeOut(`${stringifyRpc(answer, line.pretty ? { indent: PRETTY_INDENT } : {})}\n`);
    return 0;
  } catch (error) {
    progress.end();
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

/** The arguments, in the order of the parameters: some may come from files, from standard input or from a prompt. */
async function argsOf(method: RpcMethod, line: CommandLine, io: Io): Promise<readonly JsonValue[]> {
  const texts = await textsOf(line, io);
  const elsewhere = new Map<string, JsonValue>();
  const prevtxs = line.prevtxsFile;
  if (prevtxs !== undefined) {
    const text = argumentText(await readNamedFile(prevtxs, io));
    elsewhere.set('prevtxs', argumentValue(text, paramOf(method, 'prevtxs', '--prevtxs-file')));
  }
  const isAsked = texts.length === 1 && method.params[1]?.isSecret === true && io.isInteractive;
  if (namesKeys(line) || isAsked) {
    paramOf(method, 'privkeys', 'an option for keys');
    elsewhere.set('privkeys', await readKeys(line, io));
  } else if (io.isWatched && texts[1] !== undefined && method.params[1]?.isSecret) {
    io.writeError(
      'warning: others can read keys on a command line; rather use --keys-file, --keys-stdin or --keys-prompt\n',
    );
  }
  const values: JsonValue[] = [];
  for (const param of method.params) {
    const text = elsewhere.has(param.name) ? undefined : texts.shift();
    const value = elsewhere.get(param.name) ?? (text === undefined ? undefined : argumentValue(text, param));
    // A gap is for parameters that come later, from elsewhere.
    values.push(value ?? JSON_NULL);
  }
  while (values.length > 0 && values[values.length - 1] === JSON_NULL) values.pop();
  return [...values, ...texts.map((value): JsonValue => ({ type: 'string', value }))];
}

function paramOf(method: RpcMethod, name: string, option: string): RpcParam {
  const param = method.params.find((candidate) => candidate.name === name);
  if (!param) throw new UsageError(`${option} is of no use to ${method.name}`);
  return param;
}

/** What stands on the command line, the first of it from `--file` or, for `-`, from standard input. */
async function textsOf({ args, file, keysStdin }: CommandLine, io: Io): Promise<string[]> {
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
function argumentValue(text: string, { name, type, isSecret }: RpcParam): JsonValue {
  if (type === 'string') return { type, value: text };
  const value = parseJson(text);
  if (!value) throw new UsageError(`Error parsing JSON: ${isSecret ? `what was given as ${name}` : text}`);
  return value;
}

/** A file's content as an argument: a binary PSBT as base64, anything else as text without the white space around it. */
function argumentText(content: Uint8Array): string {
  const start = String.fromCharCode(...content.subarray(0, PSBT_MAGIC.length));
  return start === PSBT_MAGIC ? formatBase64(content) : new TextDecoder().decode(content).trim();
}
