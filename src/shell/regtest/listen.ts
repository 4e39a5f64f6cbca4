import { formatHex } from '../../core/bytes/hex.ts';
import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import type { NodeRpc } from '../../node/createNodeRpc.ts';
import { createCredential } from '../server/auth.ts';
import { allowClients } from '../server/clients.ts';
import { listenEsplora } from '../server/esploraServer.ts';
import { httpRules } from '../server/httpRules.ts';
import { listen } from '../server/listen.ts';
import { createRest } from '../server/rest.ts';
import { createRpcServer } from '../server/server.ts';
import { createWaiting } from '../server/waiting.ts';
import { createWorkQueue, processorTime } from '../server/workQueue.ts';
import { divideCalls } from '../workers/divideCalls.ts';

/** Where the server listens. */
export interface ListenOptions {
  /** Default: any free one. */
  readonly port?: number;
  /** Answers REST requests, too, without a login. Default false. */
  readonly rest?: boolean;
}

/** Where the server for Esplora listens, and whose pages may ask it. */
export interface EsploraOptions extends Pick<ListenOptions, 'port'> {
  /** The origin of web pages that may ask, or `*`. Default: none. */
  readonly cors?: string;
}

const LISTEN_OPTIONS: OptionNames<ListenOptions> = { port: true, rest: true };
const ESPLORA_OPTIONS: OptionNames<EsploraOptions> = { port: true, cors: true };

/** A server that listens. */
export interface Listening {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** A server that listens for JSON-RPC, with the login that `createClient` takes. */
export interface RpcListening extends Listening {
  readonly user: string;
  readonly password: string;
}

const ADDRESS = '127.0.0.1';
const USER = 'regtest';
/** In milliseconds, as a node on its own has. */
const TIMEOUT = 30_000;

/** Listens for JSON-RPC requests from this machine. @throws UsageError for a port that is taken */
export async function listenRpc(rpc: NodeRpc, options: ListenOptions): Promise<RpcListening> {
  assertKnownOptions(options, LISTEN_OPTIONS);
  const { port = 0, rest = false } = options;
  const { isPublic, answerPublic } = rest ? createRest(rpc) : {};
  const password = formatHex(globalThis.crypto.getRandomValues(new Uint8Array(16)));
  const isAllowed = allowClients([]);
  if (typeof isAllowed !== 'function') throw new TypeError(isAllowed.fault);
  const stopping = new AbortController();
  const now = (): number => performance.now();
  const { generation } = rpc.context.dialect;
  const { depth, threads } = httpRules[generation];
  const server = createRpcServer({
    rules: {
      generation,
      credentials: [createCredential(USER, password)],
      isAllowed,
      isPublic,
    },
    answerPublic,
    queue: createWorkQueue({ depth, threads, processorTime, nextTurn: setImmediate }),
    stopping: stopping.signal,
    timeout: TIMEOUT,
    answer: divideCalls(rpc, undefined, {
      mayCall: () => true,
      waitFor: createWaiting(rpc, stopping.signal, now),
    }),
  });
  const [place] = await listen(server.open, [{ address: ADDRESS, port }]);
  return {
    url: `http://${place}`,
    user: USER,
    password,
    close: async () => {
      stopping.abort();
      await server.stop();
    },
  };
}

export function listenForEsplora(rpc: NodeRpc, options: EsploraOptions): Promise<Listening> {
  assertKnownOptions(options, ESPLORA_OPTIONS);
  return listenEsplora(rpc, options);
}
