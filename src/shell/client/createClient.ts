import type { RpcOptions } from '../../answers/dialect/dialect.ts';
import { BASES, type DialectName } from '../../answers/dialect/dialectNames.ts';
import { toJsonValue } from '../../answers/json/jsonValue.ts';
import { stringifyJsonValue } from '../../answers/json/stringify.ts';
import type { RemoteCall } from '../../answers/method/call.ts';
import type { Result } from '../../answers/method/results.ts';
import {
  assertKnownOptions,
  assertShape,
  invalidOption,
  isObject,
  type OptionNames,
} from '../../core/bytes/knownOptions.ts';
import { quoted } from '../../core/encoding/redaction.ts';
import { withMethods } from './byName.ts';
import { type Ask, openConnection } from './connection.ts';
import { hasBigint } from './hasBigint.ts';
import { createLogin, type Login } from './login.ts';
import type { CoreMethods, DialectOf, LocalMethods, NodeVersion, RemoteMethods } from './methodTypes.ts';
import { readAnswer } from './readAnswer.ts';

/** How a client reads amounts: `coins` are numbers, as the node prints them, and `sats` exact, as bigint. */
export type AmountUnit = 'coins' | 'sats';

/** The node that a client calls, and how. */
export interface ClientOptions<V extends NodeVersion = NodeVersion, U extends AmountUnit = AmountUnit> extends Login {
  /** The address of its RPC interface, such as `http://127.0.0.1:8332`. */
  readonly url: string;
  /** The release that the node runs: its methods, their arguments and answers are the types of the client. */
  readonly version: V;
  /** Default: `coins`. A bigint in the arguments is an amount in satoshi with either. */
  readonly amounts?: U | undefined;
  /** The wallet for the calls that need one. Default: the only one that is loaded. */
  readonly wallet?: string | undefined;
  /** In seconds, for one whole reply. Default: 300, which is also the longest that Node waits for its beginning. */
  readonly timeout?: number | undefined;
  /** Runs once, before the first call that the node answers, if it is another release. */
  readonly onOtherVersion?: ((node: NodeIdentity) => void) | undefined;
}

/** The release that a node says it is. */
export interface NodeIdentity {
  /** The release whose types fit; `undefined` for one that no types are for. */
  readonly version: NodeVersion | undefined;
  /** As `getnetworkinfo` shows it, such as 310000. */
  readonly number: number;
  /** Such as `/Satoshi:31.0.0/`. */
  readonly subversion: string;
}

/** Functions of arguments by position, for each method of the release; all throw as `call` does. */
export type NodeClient<V extends NodeVersion = '31', U extends AmountUnit = 'coins'> = ClientCalls<V, U> & {
  /**
   * Calls a method with arguments by position (an array) or by name (an object).
   * @throws RpcError the node's refusal
   * @throws BtcError `argument/invalid` for a bigint where the method takes no amount
   * @throws BtcError `client/failed` if the node cannot be reached or gives no usable reply
   */
  readonly call: RemoteCall<CoreMethods, DialectOf<V>, AmountOf<U>>;
  /**
   * Sends the calls that `make` makes as one request. Resolves to their results in order, or rejects with the first
   * refusal: use `Promise.allSettled` inside for all of them.
   */
  readonly batch: <T extends readonly unknown[]>(
    make: (node: ClientCalls<V, U>) => T,
  ) => Promise<{ -readonly [I in keyof T]: Awaited<T[I]> }>;
  /** Returns a client for another wallet of the node. */
  readonly wallet: (name: string) => NodeClient<V, U>;
};

type AmountOf<U extends AmountUnit> = { readonly coins: number; readonly sats: bigint }[U];

type ClientCalls<V extends NodeVersion, U extends AmountUnit> = RemoteMethods<DialectOf<V>, AmountOf<U>>;

const CLIENT_OPTIONS: OptionNames<ClientOptions> = {
  url: 'needed',
  version: 'needed',
  amounts: true,
  wallet: true,
  cookieFile: true,
  user: true,
  password: true,
  timeout: true,
  onOtherVersion: true,
};

const USUAL_TIMEOUT = 300;
/** Of timers: 2^31 milliseconds. */
const LONGEST_TIMEOUT = 2_147_483;

/**
 * Makes a client of a running node, whose types are the methods of its release, as this package declares them. It needs
 * `fetch`, and to read a cookie file Node, Bun or Deno.
 * @throws BtcError `argument/invalid`
 *
 * @example
 * ```ts
 * import { createAnswers, createClient } from 'countersign/client';
 *
 * const node = createClient({ url: 'http://127.0.0.1:18443', version: '31', cookieFile: '/home/user/.cookie' });
 * const ours = await createAnswers({ version: '31', network: 'regtest' });
 * const answers = async (psbt: string) => [await node.decodepsbt(psbt), ours.decodepsbt(psbt)];
 * answers.length; // 1
 * ```
 */
export function createClient<const V extends NodeVersion, const U extends AmountUnit = 'coins'>(
  options: ClientOptions<V, U>,
): NodeClient<V, U> {
  assertKnownOptions<ClientOptions<NodeVersion, AmountUnit>>(options, CLIENT_OPTIONS);
  const { version, amounts = 'coins', timeout = USUAL_TIMEOUT, onOtherVersion } = options;
  assertVersion(version);
  if (amounts !== 'coins' && amounts !== 'sats') throw invalidOption('amounts', 'must be coins or sats');
  if (typeof timeout !== 'number' || !(timeout >= MILLISECOND && timeout <= LONGEST_TIMEOUT))
    throw invalidOption('timeout', `must be a number of seconds up to ${LONGEST_TIMEOUT}`);
  if (onOtherVersion !== undefined && typeof onOtherVersion !== 'function')
    throw invalidOption('onOtherVersion', 'must be a function');
  const url = parseUrl(options.url);
  const parts = {
    login: createLogin(options),
    timeout: Math.round(timeout / MILLISECOND),
    stop: new AbortController().signal,
  };
  const identify = createIdentifier(openConnection({ url, ...parts }), version, onOtherVersion);
  const clientOf = (path: string): unknown => {
    const place = new URL(url);
    place.pathname = path;
    const ask = openConnection({ url: place, ...parts });
    const send = async (calls: readonly Call[], body: string): Promise<readonly (() => unknown)[]> => {
      await assertBigints(calls, dialectOf(version));
      await identify();
      const outcomes = await ask(body, calls.length);
      const declarationsOf = amounts === 'sats' ? await findDeclarations() : () => [];
      return outcomes.map((outcome, i) => () => {
        if ('error' in outcome) throw outcome.error;
        return readAnswer(outcome.result, declarationsOf(calls[i]?.method ?? ''));
      });
    };
    const call = async (method: string, params: unknown = []): Promise<unknown> => {
      const [read] = await send([{ method, params }], requestText({ method, params }, 0));
      return read?.();
    };
    const wallet = (name: string): unknown => clientOf(walletPath(name, url));
    return withMethods({ call, batch: createBatch(send), wallet }, call);
  };
  const { wallet } = options;
  return clientOf(wallet === undefined ? url.pathname : walletPath(wallet, url)) as NodeClient<V, U>;
}

const MILLISECOND = 0.001;

/**
 * Loads our answers of a release, with the same names and arguments: those of the methods that need neither node nor
 * wallet.
 * @throws BtcError `argument/invalid`, `network/unknown`
 *
 * @example
 * ```ts
 * import { createAnswers } from 'countersign/client';
 *
 * const ours = await createAnswers({ version: '31', network: 'regtest' });
 * ours.decodescript('51').type; // nonstandard
 * ```
 */
export async function createAnswers<const V extends NodeVersion>(
  options: Omit<RpcOptions, 'dialect'> & { readonly version: V },
): Promise<LocalMethods<DialectOf<V>>> {
  assertShape('options', isObject(options), 'an object with a version');
  const { version, ...others } = options;
  if ('dialect' in others) throw invalidOption('dialect', 'is not one of these: pass version');
  assertVersion(version);
  const { createRpc } = await import('../../answers/createRpc.ts');
  const { call } = createRpc({ ...others, dialect: dialectOf(version) });
  return withMethods({}, (method, params) => call(method, params)) as unknown as LocalMethods<DialectOf<V>>;
}

const dialectOf = (version: string): DialectName =>
  (Object.hasOwn(BASES, version) ? version : `core-${version}`) as DialectName;

const VERSIONS: readonly string[] = Object.keys(BASES)
  .filter((name) => name !== 'documented')
  .map((name) => name.replace(/^core-/, ''));

function assertVersion(version: string): void {
  if (VERSIONS.includes(version)) return;
  const given = typeof version === 'string' ? quoted(version) : typeof version;
  throw invalidOption('version', `must be ${VERSIONS.join(', ')}; ${given} is not`);
}

function parseUrl(given: string): URL {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw invalidOption('url', 'must be an address such as http://127.0.0.1:8332');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidOption('url', 'contains a name or a password: pass them as user and password');
  }
  if (url.search !== '' || url.hash !== '' || url.pathname.includes('//')) {
    throw invalidOption('url', 'must end with its port, or with a path of single slashes');
  }
  return url;
}

/** URLs take the steps `.` and `..` out of a path, however they are written. */
const DOTS = ['.', '..'];

function walletPath(name: string, { pathname }: URL): string {
  if (typeof name !== 'string' || DOTS.includes(name) || LONE_SURROGATE.test(name))
    throw invalidOption('wallet', 'must be the name of a wallet, other than "." and ".."');
  return `${pathname.replace(/\/$/, '')}/wallet/${encodeURIComponent(name)}`;
}

const LONE_SURROGATE = /\p{Cs}/u;

interface Call {
  readonly method: string;
  readonly params: unknown;
}

const requestText = ({ method, params }: Call, id: number): string =>
  stringifyJsonValue(toJsonValue({ id, method, params }));

/** Returns functions that return the results of calls, or throw their refusals. */
type Send = (calls: readonly Call[], body: string) => Promise<readonly (() => unknown)[]>;

interface Queued extends Call {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** Keeps the promise from counting as unhandled. */
  readonly drop: () => void;
}

const createBatch =
  (send: Send) =>
  async (make: (node: object) => readonly unknown[]): Promise<readonly unknown[]> => {
    const calls: Queued[] = [];
    let isOpen = true;
    const queue = (method: string, params: readonly unknown[]): Promise<unknown> => {
      if (!isOpen)
        return Promise.reject(invalidOption('batch', 'takes all its calls at once: await none of them inside'));
      const promise = new Promise((resolve, reject) => {
        calls.push({ method, params, resolve, reject, drop: () => promise.catch(() => undefined) });
      });
      return promise;
    };
    try {
      const results = Promise.all(make(withMethods({}, queue)));
      isOpen = false;
      void sendAll(calls, send);
      return await results;
    } catch (error) {
      if (isOpen) for (const call of calls) call.drop();
      for (const call of calls) call.reject(error);
      throw error;
    } finally {
      isOpen = false;
    }
  };

async function sendAll(calls: readonly Queued[], send: Send): Promise<void> {
  if (calls.length === 0) return;
  try {
    const body = `[${calls.map(requestText).join(',')}]`;
    const reads = await send(calls, body);
    calls.forEach(({ resolve, reject }, i) => {
      try {
        resolve(reads[i]?.());
      } catch (error) {
        reject(error);
      }
    });
  } catch (error) {
    for (const { reject } of calls) reject(error);
  }
}

/** Loads the declarations of methods only for a bigint. @throws BtcError `argument/invalid` for one that is no amount */
async function assertBigints(calls: readonly Call[], dialect: DialectName): Promise<void> {
  const given = calls.filter(({ params }) => hasBigint(params));
  if (given.length === 0) return;
  const [{ findMethod }, { assertAmounts }] = await Promise.all([
    import('../../node/registry.ts'),
    import('./bigintArguments.ts'),
  ]);
  for (const { method, params } of given) {
    const declared = findMethod(method);
    if (declared) assertAmounts(params, declared, dialect);
  }
}

/** Loads the declarations of answers when they are first needed. */
async function findDeclarations(): Promise<(method: string) => readonly Result[]> {
  const { findMethod } = await import('../../node/registry.ts');
  return (method) => {
    const declared = findMethod(method)?.result;
    return declared ? [declared] : [];
  };
}

/**
 * Reports another release once the node says which it is. A node that does not answer, or may not, is asked again
 * before the next call: that call says why.
 */
function createIdentifier(
  ask: Ask,
  wanted: NodeVersion,
  report: ((node: NodeIdentity) => void) | undefined,
): () => Promise<void> {
  let asking: Promise<NodeIdentity | undefined> | undefined;
  let isDone = report === undefined;
  return async () => {
    if (isDone) return;
    asking ??= askIdentity(ask);
    const node = await asking;
    asking = undefined;
    if (!node || isDone) return;
    isDone = true;
    if (node.version !== wanted) report?.(node);
  };
}

async function askIdentity(ask: Ask): Promise<NodeIdentity | undefined> {
  const replies = await ask(requestText({ method: 'getnetworkinfo', params: [] }, 0), 1).catch(() => undefined);
  const [outcome] = replies ?? [];
  const result = outcome && 'result' in outcome ? readAnswer(outcome.result, []) : undefined;
  const { version: number, subversion } = (result ?? {}) as Partial<Record<string, unknown>>;
  if (typeof number !== 'number' || typeof subversion !== 'string') return undefined;
  return { version: findVersion(number, subversion), number, subversion };
}

/** Core's master has the number of the release before, and .99. */
function findVersion(number: number, subversion: string): NodeVersion | undefined {
  const major = Math.floor(number / 10_000) + (Math.floor(number / 100) % 100 === 99 ? 1 : 0);
  // 22.0 followed 0.21.
  const release = major < 22 ? `0.${major}` : String(major);
  const version = subversion.includes('LitecoinCore') ? `litecoin-${release}` : release;
  return VERSIONS.includes(version) ? (version as NodeVersion) : undefined;
}
