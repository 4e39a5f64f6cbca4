import { parseJson } from '../../../src/answers/json/parseJson.ts';
import { stringifyJsonValue } from '../../../src/answers/json/stringify.ts';
import { activeTip } from '../../../src/node/chain/chainState.ts';
import { nodeMethodRules } from '../../../src/node/methods/chainRules.ts';
import {
  answerText,
  createMemoryStore,
  createRpc,
  type DialectName,
  dialects,
  methods,
  type NodeRpc,
  type Rpc,
  stringifyRpc,
} from '../../support/library.ts';
import { LEGACY, MODERN, NOW, openWalletRpc } from '../../support/walletWorld.ts';
import { mutateJson, mutateText } from '../mutate.ts';
import { recorded, recordedCalls } from '../seeds.ts';
import type { Source } from '../source.ts';
import { holds, type Json, jsonTarget, rpcOutcome, same, type Target, textOf, textTarget } from '../target.ts';

const DIALECTS = Object.keys(dialects) as readonly DialectName[];
const networkOf = (dialect: DialectName) => (dialect === 'litecoin-0.21' ? 'litecoin-regtest' : 'regtest');
const STATELESS: ReadonlyMap<DialectName, Rpc> = new Map(
  DIALECTS.map((dialect) => [dialect, createRpc({ dialect, network: networkOf(dialect) })]),
);

const CALLS = recordedCalls(
  ['core-32.decode', 'core-32.util', 'core-32.sign', 'core-32.flow', 'litecoin-0.21.util', 'litecoin-0.21.sign'],
  2500,
).map(({ method, params }) => ({ method, params: params as Json }));
const VALUES: readonly Json[] = CALLS.flatMap(({ params }) =>
  Array.isArray(params) ? (params as readonly Json[]) : [],
);
const NAMES = methods.map(({ name }) => name);

/** Answers of a node that stand for a bug: an exception that is no error of a node. */
const isInternal = (answer: string): boolean => answer.includes('"message":"Internal error"');

function anyCall(source: Source): Json {
  const { method, params } = source.pick(CALLS);
  const dialect = source.pick(DIALECTS);
  const name = source.once(20) ? source.pick(NAMES) : method;
  return { dialect, method: name, params: source.once(8) ? params : mutateJson(source, params, VALUES) };
}

const KEYS = /[xt]prv[1-9A-HJ-NP-Za-km-z]{100,}|(?<![0-9A-Za-z])[5KL9c][1-9A-HJ-NP-Za-km-z]{50,51}(?![0-9A-Za-z])/g;

/** Requires all roads to one method to give the same answer, and errors to show no private key of the request. */
function runCall(input: Json): void {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return;
  const { dialect, method, params } = input as Readonly<Record<string, Json>>;
  const rpc = STATELESS.get(dialect as DialectName);
  if (!rpc || typeof method !== 'string' || typeof params !== 'object' || params === null) return;
  const request = JSON.stringify({ id: 1, method, params });
  // Nodes, too, refuse JSON with half of a surrogate pair, which a call can pass.
  if (/\\ud[89a-f]/.test(request)) return;
  const answer = answerText(rpc, request);
  holds(!isInternal(answer), `the method fails with an internal error: ${method}`);
  const called = rpcOutcome(() => stringifyRpc(rpc.call(method as 'decodescript', params as never)));
  const told = JSON.parse(answer) as { readonly result: unknown; readonly error: unknown };
  if ('result' in called) {
    same(answer, `{"result":${called.result},"error":null,"id":1}`, 'a call and a request have the same answer');
  } else {
    same(textOf(told.error), textOf(called), 'a call and a request have the same error');
    for (const [key] of request.matchAll(KEYS)) holds(!called.message.includes(key), 'an error shows a private key');
  }
  const batch = answerText(rpc, `[${request},${request}]`);
  same(batch, `[${answer},${answer}]`, 'a batch has the answers of its requests');
}

/** Requires every text to have an answer that is JSON. */
function runText(text: string): void {
  for (const dialect of ['core-32', 'litecoin-0.21'] as const) {
    const rpc = STATELESS.get(dialect);
    if (!rpc) return;
    const answer = answerText(rpc, text);
    holds(!isInternal(answer), 'a request fails with an internal error');
    JSON.parse(answer === '' ? 'null' : answer);
  }
}

const REQUESTS = CALLS.filter((_, i) => i % 25 === 0).map((call, id) =>
  JSON.stringify({ jsonrpc: '2.0', id, ...call }),
);

/** Requires JSON to be read as JavaScript reads it, apart from what nodes refuse. */
function runJson(text: string): void {
  const value = parseJson(text);
  if (!value) return;
  const written = stringifyJsonValue(value);
  same(JSON.stringify(JSON.parse(written)), JSON.stringify(JSON.parse(text)), 'JSON is read as JavaScript reads it');
  const again = parseJson(written);
  same(again && stringifyJsonValue(again), written, 'written JSON is a fixed point');
}

const SESSIONS = [
  { kind: MODERN, calls: recorded('core-32.wallet-03') },
  { kind: MODERN, calls: recorded('core-32.life-00') },
  { kind: LEGACY, calls: recorded('litecoin-0.21.wallet-03') },
  { kind: LEGACY, calls: recorded('litecoin-0.21.life-00') },
] as const;

/** Methods that derive thousands of keys, or stretch passphrases. */
const SLOW = /passphrase|encrypt|sethdseed|keypoolrefill/;

/** Takes calls of a recorded session in their order, leaves out some, and changes others. */
function anySession(source: Source): Json {
  const session = source.next(SESSIONS.length);
  const { calls } = SESSIONS[session] ?? SESSIONS[0];
  const first = calls.slice(0, 2 + source.next(12));
  const later = Array.from({ length: source.next(6) }, () => source.pick(calls));
  const changed = [...first, ...later].flatMap((call): Json => {
    const { method, params, wallet = null } = call as { method: string; params: Json; wallet?: string };
    if (source.once(12) || SLOW.test(method)) return [];
    return [[method, source.once(4) ? mutateJson(source, params, VALUES) : params, wallet]];
  });
  return { session, calls: changed };
}

/** The UNIX time of the questions. */
const ASKED = 1_800_000_000;
const CATCHING_UP = /"initialblockdownload":(true|false)/g;

/** In seconds. */
const DAY = 86_400;

/** Questions that show the state of a node, all at the same time. */
const QUESTIONS: readonly (readonly [string, ...Json[]])[] = [
  ['setmocktime', ASKED],
  ['getblockchaininfo'],
  ['listwallets'],
  ['getrawmempool'],
  ['listunspent', 0],
  ['listtransactions', '*', 100, 0, true],
  ['listdescriptors'],
  ['listlockunspent'],
  ['getwalletinfo'],
];

/**
 * Requires a node that is opened again to know itself whether its chain is caught up: by the age of the last block when
 * it was opened and, before Core 31, when it is asked. The mock times of an earlier process do not count.
 */
function checkCatchingUp({ node, context }: NodeRpc, answers: string): void {
  const { time } = activeTip(node.chain);
  const times = nodeMethodRules[context.dialect.generation].looksAtTip ? [NOW, ASKED] : [NOW];
  const isCatchingUp = times.every((now) => time < now - DAY);
  for (const [, said] of answers.matchAll(CATCHING_UP)) {
    same(said ?? '', String(isCatchingUp), 'a node that is opened again is caught up if its last block is recent');
  }
}

/** Requires a node that is opened again from its journal to give the same answers, but for what a process remembers. */
function runSession(input: Json): void {
  if (typeof input !== 'object' || input === null) return;
  const { session, calls } = input as Readonly<Record<string, unknown>>;
  const kind = SESSIONS[Number(session)]?.kind;
  if (!kind || !Array.isArray(calls)) return;
  const store = createMemoryStore();
  const rpc = openWalletRpc(kind, store);
  for (const call of calls as readonly unknown[]) {
    const [method, params, wallet] = Array.isArray(call) ? (call as readonly unknown[]) : [];
    if (typeof method !== 'string' || typeof params !== 'object' || params === null) continue;
    const request = JSON.stringify({ id: 1, method, params, ...(typeof wallet === 'string' && { wallet }) });
    const answer = answerText(rpc, request, { readsWallet: true });
    holds(!isInternal(answer), `the method fails with an internal error: ${method}`);
    JSON.parse(answer);
  }
  const ask = (node: typeof rpc): string => {
    const wallets = [...node.node.wallets.keys()];
    return QUESTIONS.flatMap(([method, ...params]) =>
      [undefined, ...wallets].map((wallet) =>
        answerText(node, JSON.stringify({ id: method, method, params, ...(wallet !== undefined && { wallet }) }), {
          readsWallet: true,
        }),
      ),
    ).join('\n');
  };
  const before = ask(rpc);
  holds(!isInternal(before), 'a question fails with an internal error');
  const again = openWalletRpc(kind, store);
  const after = ask(again);
  checkCatchingUp(again, after);
  const lasting = (answers: string): string => answers.replace(CATCHING_UP, '');
  same(lasting(after), lasting(before), 'a node that is opened again gives the same answers');
}

/** A descriptor without a range has a thousand indexes, as in a node: such a call takes seconds. */
const SLOWEST = 20_000;

export const REQUEST_TARGETS: readonly Target[] = [
  textTarget('json', { generate: (source) => mutateText(source, source.pick(REQUESTS), REQUESTS), run: runJson }),
  textTarget('request-text', {
    generate: (source) => mutateText(source, source.pick(REQUESTS), REQUESTS),
    run: runText,
  }),
  jsonTarget('rpc-stateless', { generate: anyCall, run: runCall }),
  jsonTarget('rpc-node', { generate: anySession, run: runSession, slowest: SLOWEST }),
];
