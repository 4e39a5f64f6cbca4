import { RpcError } from '../errors.ts';
import { STATEFUL_BY_NAME } from '../rpc/createNodeRpc.ts';
import { METHODS_BY_NAME, type Rpc } from '../rpc/createRpc.ts';
import { JSON_NULL, type JsonValue } from '../rpc/jsonValue.ts';
import type { RpcAnswer, RpcParam, RpcSignature } from '../rpc/method.ts';
import { stringifyRpc } from '../rpc/stringify.ts';
import { isApproved } from './approval.ts';
import { argumentText, argumentValue, textsOf } from './arguments.ts';
import { readDescriptors } from './descriptors.ts';
import { readNamedFile } from './input.ts';
import type { Io } from './io.ts';
import { readKeys, wantsKeys } from './keys.ts';
import { nearestName } from './nearestName.ts';
import { type CommandLine, openNodeRpc, openRpc } from './options.ts';
import { startSigningProgress } from './progress.ts';
import { UsageError } from './usageError.ts';

const PRETTY_INDENT = 2;
const SHOWN_KEYS =
  'warning: others can read keys on a command line; rather use files (--keys-file, --descriptors-file) or --keys-prompt\n';
const SHOWN_SECRET =
  'warning: others can read private keys and passphrases on a command line; rather use standard input ("-"), or batch\n';

/** Runs one method and prints its answer, or the error as `bitcoin-cli` does. @returns the exit code */
export async function runOneShot(line: CommandLine, io: Io): Promise<number> {
  const name = line.command ?? '';
  const method = METHODS_BY_NAME.get(name) ?? STATEFUL_BY_NAME.get(name);
  const progress = startSigningProgress(io);
  const { rpc, close } = await open(name, line, io, { onProgress: progress.show });
  try {
    const items = method ? await argsOf(method, line, io) : [];
    if (line.review && !(await isApproved(items, line, { rpc, io }))) return 1;
    const answer = rpc.callJson(name, { type: 'array', items }, line.rpcwallet);
    progress.end();
    await io.writeOut(`${answerText(answer, line.pretty)}\n`);
    return 0;
  } catch (error) {
    progress.end();
    if (error instanceof RangeError) throw new UsageError('the answer is too long to print');
    if (!(error instanceof RpcError)) throw error;
    io.writeError(`error code: ${error.code}\nerror message:\n${error.message}\n${hintFor(name, method)}`);
    return Math.abs(error.code) % 256;
  } finally {
    close();
  }
}

/** Methods of wallets need a place where these are kept. @throws UsageError */
async function open(
  name: string,
  line: CommandLine,
  io: Io,
  more: Parameters<typeof openRpc>[2],
): Promise<{ readonly rpc: Rpc; readonly close: () => void }> {
  if (!STATEFUL_BY_NAME.has(name)) return { rpc: await openRpc(line, io, more), close: () => undefined };
  if (line.walletDir === undefined) {
    throw new UsageError(`${name} needs --wallet-dir DIRECTORY: without one, wallets are forgotten when the call ends`);
  }
  const rpc = await openNodeRpc(line, io, more);
  return { rpc, close: rpc.close };
}

/** Texts are printed as they are, as `bitcoin-cli` does. */
function answerText(answer: RpcAnswer, isPretty: boolean): string {
  return typeof answer === 'string' ? answer : stringifyRpc(answer, isPretty ? { indent: PRETTY_INDENT } : {});
}

function hintFor(name: string, method: RpcSignature | undefined): string {
  if (method) return '';
  const nearest = nearestName(name, [
    ...METHODS_BY_NAME.keys(),
    ...STATEFUL_BY_NAME.keys(),
    'batch',
    'review',
    'serve',
    'signpsbt',
    'sync',
    'help',
  ]);
  return nearest ? `did you mean ${nearest}?\n` : '"countersign help" lists the commands\n';
}

/** The arguments, in the order of the parameters: some may come from files, from standard input or from a prompt. */
async function argsOf(method: RpcSignature, line: CommandLine, io: Io): Promise<readonly JsonValue[]> {
  const texts = await textsOf(line, io);
  const elsewhere = await fromElsewhere(method, line, { io, isAlone: texts.length === 1 });
  const isShown =
    method.params[1]?.isSecret === true && !elsewhere.has(method.params[1].name) && texts[1] !== undefined;
  if (isShown && io.isWatched) io.writeError(SHOWN_KEYS);
  if (isWalletSecretShown(method, line) && io.isWatched) io.writeError(SHOWN_SECRET);
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

/** Whether a secret of a wallet's method stands on the command line: the first argument may come from elsewhere. */
function isWalletSecretShown({ name, params }: RpcSignature, { args, file }: CommandLine): boolean {
  if (!STATEFUL_BY_NAME.has(name)) return false;
  const shift = file === undefined ? 0 : 1;
  return args.some((text, i) => params[i + shift]?.isSecret === true && !(i === 0 && text === '-'));
}

/** What options name, by parameter. Keys are asked for where everything else is there. */
async function fromElsewhere(
  method: RpcSignature,
  line: CommandLine,
  { io, isAlone }: { readonly io: Io; readonly isAlone: boolean },
): Promise<ReadonlyMap<string, JsonValue>> {
  const elsewhere = new Map<string, JsonValue>();
  if (line.prevtxsFile !== undefined) {
    const param = paramOf(method, 'prevtxs', '--prevtxs-file');
    elsewhere.set(param.name, argumentValue(argumentText(await readNamedFile(line.prevtxsFile, io)), param));
  }
  if (line.descriptorsFile !== undefined) {
    const param = paramOf(method, 'descriptors', '--descriptors-file');
    elsewhere.set(param.name, await readDescriptors(line.descriptorsFile, io));
  }
  const isAsked = isAlone && method.params[1]?.name === 'privkeys' && io.isInteractive;
  if (!wantsKeys(line) && !isAsked) return elsewhere;
  return elsewhere.set(paramOf(method, 'privkeys', 'an option for keys').name, await readKeys(line, io));
}

function paramOf(method: RpcSignature, name: string, option: string): RpcParam {
  const param = method.params.find((candidate) => candidate.name === name);
  if (!param) throw new UsageError(`${option} is of no use to ${method.name}`);
  return param;
}
