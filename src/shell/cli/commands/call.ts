import type { AnswerForm, RpcContext, RpcOptions } from '../../../answers/dialect/dialect.ts';
import { findMember, JSON_NULL, type JsonValue, toJsonValue } from '../../../answers/json/jsonValue.ts';
import { stringifyRpc } from '../../../answers/json/stringify.ts';
import { RPC_METHOD_NOT_FOUND, RPC_WALLET_NOT_SPECIFIED } from '../../../answers/method/errorCodes.ts';
import type { AnyMethod, RpcAnswer, RpcMethod, RpcSignature } from '../../../answers/method/method.ts';
import type { Param } from '../../../answers/method/param.ts';
import { callMethod } from '../../../answers/method/readParams.ts';
import { printable } from '../../../core/encoding/printable.ts';
import { RpcError } from '../../../core/errors.ts';
import { type Io, readNamedFile } from '../../terminal/io.ts';
import { startSigningProgress } from '../../terminal/progressLine.ts';
import { nearestName, UsageError } from '../../terminal/usageError.ts';
import type { isApproved } from '../callApproval.ts';
import { commands } from '../commandTable.ts';
import { declareCommand } from '../declareCommand.ts';
import { isDecoder, loadDecoder } from '../decoders.ts';
import { argumentText, argumentTexts, argumentValue, type Given, namedArgument } from '../input/arguments.ts';
import { readKeys, wantsKeys } from '../input/secretFiles.ts';
import { askPassphrases, shownSecretWarning, withAdvice } from '../input/secrets.ts';
import { nodeOptions } from '../nodeOptions.ts';
import { openContext } from '../openContext.ts';
import { type CommandLine, file, files, flag, list, type Options, seedOptions, text } from '../options.ts';

type JsonParams = Extract<JsonValue, { type: 'array' | 'object' }>;

const options = {
  file: file('read the first argument from a file; a PSBT may be base64 or binary'),
  'wallet-dir': text(
    'DIR',
    'keep wallets and blocks in this directory; without it, they are lost when the process ends',
  ),
  'wallet-store': text('URL', 'keep them in a PostgreSQL database instead, which several processes may use'),
  rpcwallet: text('NAME', 'the wallet that a call is for, if several are loaded'),
  'keys-file': file(),
  'keys-stdin': flag(),
  'keys-prompt': flag('read private keys from here rather than from the command line, where others can read them'),
  'prevtxs-file': file(),
  'descriptors-file': files('read these arguments from files'),
  bip322: flag(`sign or verify a message of any address:
  signmessage --bip322 ADDRESS MESSAGE, with an option for keys as for sign
  signmessage --bip322 --file FILE: what a wallet asks for, as Coldcard, Sparrow and Specter write it
  verifymessage --bip322 ADDRESS SIGNATURE MESSAGE: exit code 1 if invalid, 2 if undecided
    (says which form it found: of BIP322, BIP137, Bitcoin Core or Electrum)
  verifymessage --bip322 --file FILE: the same of a file with "-----BEGIN BITCOIN SIGNED MESSAGE-----"
  with --prevtxs-file, a proof of funds`),
  legacy: flag(
    'the same, signed as nodes (P2PKH) and hardware wallets (BIP137: P2SH-P2WPKH and P2WPKH) do; verifies any form, too',
  ),
  'message-file': file('the message, without the line break at its end; "-" reads standard input', { indent: 1 }),
  path: text('PATH', `the place of an address that is not among the first, such as m/84h/0h/0h/0/1490`, { indent: 1 }),
  armor: flag('write the address and the message, too, between lines with BEGIN and END', { indent: 1 }),
  'no-prefix': flag(
    'leave out the letters that name the form of BIP322, smp (simple), ful (full) or pof (proof of funds): bip322-js and others refuse them',
    { indent: 1, needs: ['bip322'] },
  ),
  ...seedOptions,
  review: flag('show what signrawtransactionwithkey would sign, and ask for confirmation'),
  policy: list('CHECK=ACTION', 'refuse, warn or allow what a check finds', { indent: 1 }),
  yes: flag('sign without asking; needed if there is no terminal to confirm on', { indent: 1 }),
  named: flag('pass arguments as name=value'),
  pretty: flag('indent the answer'),
  ...nodeOptions,
};

type CallLine = CommandLine<typeof options>;

export const methods = declareCommand({
  synopsis: 'METHOD [arguments]',
  about: `Answers one call, as bitcoin-cli does. "countersign help METHOD" explains a method.

Methods of wallets, the chain and the node need --wallet-dir, batch or serve.`,
  options,
  exitCode: 'the absolute error code (modulo 256) for an RPC error.',
  examples: ['countersign decodescript 51'],
  refused: ({ command, review }) => [
    ...(review ? [] : ['policy']),
    ...[...MESSAGE_OPTIONS, 'review'].filter((name) => METHOD_OPTIONS[command]?.[name] === undefined),
    ...(command === 'signmessage' ? [] : Object.keys(seedOptions)),
  ],
  run: async (line, io) => {
    if (line.bip322 || line.legacy) return (await import('./message.ts')).runMessage(line, io);
    assertMethod(line);
    return runOneShot(line, io);
  },
});

const { bip322, legacy, armor, path, review, policy, yes } = options;
const { 'message-file': messageFile, 'no-prefix': noPrefix } = options;

/** Options for one method only, which its help explains. */
export const METHOD_OPTIONS: Readonly<Partial<Record<string, Options>>> = {
  signmessage: { bip322, legacy, 'message-file': messageFile, path, armor, 'no-prefix': noPrefix },
  verifymessage: { bip322, legacy, 'message-file': messageFile },
  signrawtransactionwithkey: { review, policy, yes },
};

const MESSAGE_OPTIONS = ['bip322', 'legacy', 'message-file', 'path', 'armor', 'no-prefix'];

/** Without the form of a signature, the methods of messages are those of a node, whose arguments no file holds. */
function assertMethod({ command, optionNames }: CallLine): void {
  const isOfMessages = METHOD_OPTIONS[command]?.['message-file'] !== undefined;
  const options = [...Object.keys(seedOptions), ...MESSAGE_OPTIONS, ...(isOfMessages ? ['file'] : [])];
  const option = options.find((name) => optionNames.has(name));
  if (option === undefined) return;
  throw new UsageError(`--${option} needs --legacy or --bip322: without them, ${command} is the method of a node`);
}

const NO_PARAMS: JsonParams = { type: 'array', items: [] };
const PRETTY_INDENT = 2;
/** Methods whose effect ends with the process. */
const IN_MEMORY: ReadonlySet<string> = new Set(['walletpassphrase', 'setmocktime']);
const FORGOTTEN =
  'note: this has no effect once the process ends: make the calls that depend on it in the same "batch", or to the same "serve"\n';

type Method = RpcMethod | (AnyMethod & { readonly needs: 'node' | 'wallet' });

interface Call {
  readonly context: RpcContext;
  readonly answer: (params: JsonValue, form: AnswerForm) => RpcAnswer;
  readonly close: () => void;
}

async function runOneShot(line: CallLine, io: Io): Promise<number> {
  const name = line.command ?? '';
  const method = await findMethod(name);
  const progress = startSigningProgress(io);
  const call = await open(method, line, { io, onProgress: progress.show });
  let params = NO_PARAMS;
  try {
    if (method) params = await collectParams(method, line, { context: call.context, io });
    if (line.review && !(await approve(positionalItems(params, method), line, { context: call.context, io }))) return 1;
    const answer = call.answer(params, line.pretty ? 'printable' : 'text');
    progress.end();
    await io.writeOut(`${answerText(answer, line.pretty)}\n`);
    if (IN_MEMORY.has(name)) io.writeError(FORGOTTEN);
    return 0;
  } catch (error) {
    progress.end();
    if (error instanceof RangeError) throw new UsageError('the answer is too long to print');
    if (!(error instanceof RpcError)) throw error;
    const hint = (await fileHint(method, line, io)) ?? (await hintFor(name, method, { code: error.code, line }));
    io.writeError(`error code: ${error.code}\nerror message:\n${withAdvice(error.message, params)}\n${hint}`);
    return Math.abs(error.code) % 256;
  } finally {
    call.close();
  }
}

const approve: typeof isApproved = async (...args) => (await import('../callApproval.ts')).isApproved(...args);

/** Loads little code, since loading takes longer than most calls. */
async function findMethod(name: string): Promise<Method | undefined> {
  if (isDecoder(name)) return loadDecoder(name);
  const { findStatelessMethod } = await import('../../../answers/createRpc.ts');
  return findStatelessMethod(name) ?? (await import('../../../node/registry.ts')).findMethod(name);
}

/** Opens a node for methods that need one, or that use a chain if one is kept. */
async function open(
  method: Method | undefined,
  line: CallLine,
  { io, ...more }: Pick<RpcOptions, 'onProgress'> & { readonly io: Io },
): Promise<Call> {
  if (!method || (method.needs === 'nothing' && !(keepsWallets(line) && method.usesChain))) {
    const context = { ...(await openContext(line, io)), ...more };
    return {
      context,
      answer: (params, form) => callStateless(method, params, { ...context, form }),
      close: () => undefined,
    };
  }
  if (!keepsWallets(line)) {
    throw new UsageError(
      `${method.name} needs --wallet-dir DIRECTORY: without it, wallets and blocks are lost when the call ends`,
    );
  }
  const { openNodeRpc } = await import('../openRpc.ts');
  const { context, callJson, close } = await openNodeRpc(line, io, more);
  return { context, answer: (params, form) => callJson(method.name, params, line.rpcwallet, form), close };
}

const keepsWallets = ({ walletDir, walletStore }: CallLine): boolean =>
  walletDir !== undefined || walletStore !== undefined;

function callStateless(method: RpcMethod | undefined, params: JsonValue, context: RpcContext): RpcAnswer {
  if (!method) throw new RpcError(RPC_METHOD_NOT_FOUND, 'Method not found');
  return callMethod(method, params, context);
}

/** Prints strings without quotes, as `bitcoin-cli` does. */
function answerText(answer: RpcAnswer, isPretty: boolean): string {
  return typeof answer === 'string' ? answer : stringifyRpc(answer, isPretty ? { indent: PRETTY_INDENT } : {});
}

/** Returns a hint if a file name stands for its content or for a command. */
async function fileHint(
  method: RpcSignature | undefined,
  { command = '', args: [first], file }: CallLine,
  io: Io,
): Promise<string | undefined> {
  const name = method ? first : command;
  if (name === undefined || name === '' || file !== undefined || !(await io.exists(name))) return undefined;
  const safeName = printable(name);
  return method
    ? `${safeName} is a file: read it with --file ${safeName}\n`
    : `${safeName} is a file: "countersign inspect ${safeName}" shows what it holds\n`;
}

async function hintFor(
  name: string,
  method: RpcSignature | undefined,
  { code, line }: { readonly code: number; readonly line: CallLine },
): Promise<string> {
  if (code === RPC_WALLET_NOT_SPECIFIED)
    return 'choose one with --rpcwallet NAME; "countersign listwallets" lists them\n';
  if (!method) {
    const { allMethods } = await import('../../../node/registry.ts');
    const names = allMethods().map((candidate) => candidate.name);
    const nearest = nearestName(name, [...commands.keys(), 'help', ...names]);
    return nearest ? `did you mean ${nearest}?\n` : '"countersign help" lists the commands\n';
  }
  if (code === RPC_METHOD_NOT_FOUND) {
    const { dialectsWith } = await import('../../../node/registry.ts');
    return `${name} is a method of --dialect ${dialectsWith(method).join(', ')}, not of ${line.dialect}\n`;
  }
  return '';
}

async function collectParams(
  method: RpcSignature,
  line: CallLine,
  { context, io }: { readonly context: RpcContext; readonly io: Io },
): Promise<JsonParams> {
  const texts = await argumentTexts(line, io);
  const elsewhere = new Map([
    ...(await fromElsewhere(method, line, { context, io, isAlone: texts.length === 1 })),
    ...(line.named ? [] : await askPassphrases(method, texts.length, io)),
  ]);
  const isRead = line.file !== undefined || line.args[0] === '-';
  const value = ({ param, index, text }: Given): JsonValue => {
    if (io.isWatched && !(isRead && index === 0)) io.writeError(shownSecretWarning(param, index, text) ?? '');
    return argumentValue(text, param, method);
  };
  if (line.named) {
    const [first] = method.params;
    const read = isRead && first ? [{ param: first, index: 0, text: texts.shift() ?? '' }] : [];
    const named = [...read, ...texts.map((text) => namedArgument(text, method))];
    return {
      type: 'object',
      members: [...named.map((argument) => [argument.param.name, value(argument)] as const), ...elsewhere],
    };
  }
  const items: JsonValue[] = [];
  for (const [index, param] of method.params.entries()) {
    const text = elsewhere.has(param.name) ? undefined : texts.shift();
    // Null fills the gap before a later parameter that an option supplies.
    items.push(elsewhere.get(param.name) ?? (text === undefined ? JSON_NULL : value({ param, index, text })));
  }
  while (items.length > 0 && items[items.length - 1] === JSON_NULL) items.pop();
  return { type: 'array', items: [...items, ...texts.map(toJsonValue)] };
}

function positionalItems(params: JsonParams, method: RpcSignature | undefined): readonly JsonValue[] {
  if (params.type === 'array') return params.items;
  return (method?.params ?? []).map(({ name }) => findMember(params.members, name) ?? JSON_NULL);
}

/** Prompts for private keys if only they are missing. */
async function fromElsewhere(
  method: RpcSignature,
  line: CallLine,
  { context, io, isAlone }: { readonly context: RpcContext; readonly io: Io; readonly isAlone: boolean },
): Promise<ReadonlyMap<string, JsonValue>> {
  const elsewhere = new Map<string, JsonValue>();
  if (line.prevtxsFile !== undefined) {
    const option = '--prevtxs-file';
    const param = findParam(method, 'prevtxs', option);
    const text = argumentText(await readNamedFile(option, line.prevtxsFile, io));
    elsewhere.set(param.name, argumentValue(text, param, method));
  }
  if (line.descriptorsFile.length > 0) {
    const param = findParam(method, 'descriptors', '--descriptors-file');
    const { readDescriptorArgument } = await import('../input/descriptorFiles.ts');
    elsewhere.set(param.name, await readDescriptorArgument(line.descriptorsFile, context, io));
  }
  const isAsked = isAlone && method.params[1]?.name === 'privkeys' && io.isInteractive;
  if (!wantsKeys(line) && !isAsked) return elsewhere;
  return elsewhere.set(findParam(method, 'privkeys', 'an option for keys').name, await readKeys(line, io));
}

function findParam(method: RpcSignature, name: string, option: string): Param {
  const param = method.params.find((candidate) => candidate.name === name);
  if (!param) throw new UsageError(`${option} does not apply to ${method.name}`);
  return param;
}
