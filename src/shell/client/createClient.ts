import { createRpc } from '../../answers/createRpc.ts';
import type { RpcOptions } from '../../answers/dialect/dialect.ts';
import { BASES, type DialectName } from '../../answers/dialect/dialectNames.ts';
import { type JsonValue, toJsonValue } from '../../answers/json/jsonValue.ts';
import { stringifyJsonValue } from '../../answers/json/stringify.ts';
import type { RemoteCall } from '../../answers/method/call.ts';
import type { Result } from '../../answers/method/results.ts';
import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { quoted } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';
import { withMethods } from './byName.ts';
import { type Connection, openConnection, type Reply } from './connection.ts';
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
  /** Default: `coins`. A bigint in the arguments is in satoshi with either. */
  readonly amounts?: U;
  /** The wallet for the calls that need one. Default: the only one that is loaded. */
  readonly wallet?: string;
  /** In seconds, for one reply. Default: 900. */
  readonly timeout?: number;
  /** Runs once, before the first call, if the node is another release. */
  readonly onOtherVersion?: (node: NodeIdentity) => void;
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
  url: true,
  version: true,
  amounts: true,
  wallet: true,
  cookieFile: true,
  user: true,
  password: true,
  timeout: true,
  onOtherVersion: true,
};

/** That of bitcoin-cli. */
const USUAL_TIMEOUT = 900;

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
 * const ours = createAnswers({ version: '31', network: 'regtest' });
 * const answers = async (psbt: string) => [await node.decodepsbt(psbt), ours.decodepsbt(psbt)];
 * answers.length; // 1
 * ```
 */
export function createClient<const V extends NodeVersion, const U extends AmountUnit = 'coins'>(
  options: ClientOptions<V, U>,
): NodeClient<V, U> {
  assertKnownOptions(options, CLIENT_OPTIONS);
  const { version, amounts = 'coins', timeout = USUAL_TIMEOUT, onOtherVersion } = options;
  assertVersion(version);
  if (amounts !== 'coins' && amounts !== 'sats') throw invalid('amounts', 'must be coins or sats');
  const url = parseUrl(options.url);
  const parts = {
    login: createLogin(options),
    timeout: timeout * 1000,
    stop: new AbortController().signal,
  };
  const read = amounts === 'sats' ? readSats : async (_: string, value: JsonValue) => readAnswer(value);
  const identify = once(
    async () => onOtherVersion && reportOther(openConnection({ url, ...parts }), version, onOtherVersion),
  );
  const clientOf = (path: string): unknown => {
    const connection = openConnection({ url: new URL(path, url), ...parts });
    const finish = async (method: string, reply: Reply): Promise<unknown> => {
      if ('error' in reply) throw reply.error;
      return read(method, reply.result);
    };
    const call = async (method: string, params: unknown = []): Promise<unknown> => {
      await identify();
      return finish(method, await connection.ask(requestText(method, params, 0)));
    };
    const batch = async (make: (node: object) => readonly unknown[]): Promise<readonly unknown[]> => {
      await identify();
      const calls: Queued[] = [];
      const queue = (method: string, params: readonly unknown[]): Promise<unknown> =>
        new Promise((resolve, reject) => {
          calls.push({ method, params, resolve, reject });
        });
      const results = Promise.all(make(withMethods({}, queue)));
      sendAll(calls, connection, finish);
      return results;
    };
    const wallet = (name: string): unknown => clientOf(walletPath(name, url));
    return withMethods({ call, batch, wallet }, call);
  };
  const { wallet } = options;
  return clientOf(wallet === undefined ? url.pathname : walletPath(wallet, url)) as NodeClient<V, U>;
}

/**
 * Makes our answers of a release, with the same names and arguments: those of the methods that need neither node nor
 * wallet.
 * @throws BtcError `argument/invalid`, `network/unknown`
 *
 * @example
 * ```ts
 * import { createAnswers } from 'countersign/client';
 *
 * const ours = createAnswers({ version: '31', network: 'regtest' });
 * ours.decodescript('51').type; // nonstandard
 * ```
 */
export function createAnswers<const V extends NodeVersion>({
  version,
  ...options
}: Omit<RpcOptions, 'dialect'> & { readonly version: V }): LocalMethods<DialectOf<V>> {
  assertVersion(version);
  const { call } = createRpc({ ...options, dialect: dialectOf(version) });
  return withMethods({}, (method, params) => call(method, params)) as unknown as LocalMethods<DialectOf<V>>;
}

const dialectOf = (version: string): DialectName =>
  (Object.hasOwn(BASES, version) ? version : `core-${version}`) as DialectName;

const VERSIONS: readonly string[] = Object.keys(BASES)
  .filter((name) => name !== 'documented')
  .map((name) => name.replace(/^core-/, ''));

function assertVersion(version: string): void {
  if (!VERSIONS.includes(version))
    throw invalid('version', `must be ${VERSIONS.join(', ')}; ${quoted(version)} is not`);
}

const invalid = (argument: string, reason: string): BtcError =>
  new BtcError('argument/invalid', { argument, reason }, `The option ${argument} ${reason}`);

function parseUrl(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw invalid('url', 'must be an address such as http://127.0.0.1:8332');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid('url', 'contains a name or a password: pass them as user and password');
  }
  return url;
}

const walletPath = (name: string, { pathname }: URL): string =>
  `${pathname.replace(/\/$/, '')}/wallet/${encodeURIComponent(name)}`;

const requestText = (method: string, params: unknown, id: number): string =>
  stringifyJsonValue(toJsonValue({ id, method, params }));

interface Queued {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

async function sendAll(
  calls: readonly Queued[],
  connection: Connection,
  finish: (method: string, reply: Reply) => Promise<unknown>,
): Promise<void> {
  if (calls.length === 0) return;
  try {
    const texts = calls.map(({ method, params }, id) => requestText(method, params, id));
    const replies = await connection.askAll(`[${texts.join(',')}]`, calls.length);
    calls.forEach(({ method, resolve, reject }, i) => {
      const reply = replies[i];
      if (reply) finish(method, reply).then(resolve, reject);
    });
  } catch (error) {
    for (const { reject } of calls) reject(error);
  }
}

/** Loads the declarations of answers when the first amount is read. */
async function readSats(method: string, value: JsonValue): Promise<unknown> {
  const { findMethod } = await import('../../node/registry.ts');
  const declared: Result | undefined = findMethod(method)?.result;
  return readAnswer(value, declared && [declared]);
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

/** Does nothing for a node that does not answer, or may not: the call that follows says why. */
async function reportOther(
  connection: Connection,
  wanted: NodeVersion,
  report: (node: NodeIdentity) => void,
): Promise<void> {
  const reply = await connection.ask(requestText('getnetworkinfo', [], 0)).catch(() => undefined);
  if (!reply || 'error' in reply) return;
  const { version: number, subversion } = readAnswer(reply.result) as { version: number; subversion: string };
  const version = findVersion(number, subversion);
  if (version !== wanted) report({ version, number, subversion });
}

/** Core's master has the number of the release before, and .99. */
function findVersion(number: number, subversion: string): NodeVersion | undefined {
  const major = Math.floor(number / 10_000) + (Math.floor(number / 100) % 100 === 99 ? 1 : 0);
  // 22.0 followed 0.21.
  const release = major < 22 ? `0.${major}` : String(major);
  const version = subversion.includes('LitecoinCore') ? `litecoin-${release}` : release;
  return VERSIONS.includes(version) ? (version as NodeVersion) : undefined;
}
