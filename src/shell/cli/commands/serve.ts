import { shownPath, withoutSecrets } from '../../../core/encoding/redaction.ts';
import { isBtcError } from '../../../core/errors.ts';
import type { NodeRpc } from '../../../node/createNodeRpc.ts';
import type { Credential } from '../../server/auth.ts';
import { allowClients } from '../../server/clients.ts';
import { atPorts, chooseEndpoints, type Endpoint, isLoopback, parseCount, withPort } from '../../server/endpoints.ts';
import { createEsploraServer, type EsploraServer } from '../../server/esploraServer.ts';
import { listen } from '../../server/listen.ts';
import { collectLogin } from '../../server/loginOptions.ts';
import { createWhitelist } from '../../server/serveOptions.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { WorkerPool } from '../../workers/workerPool.ts';
import { answerCalls, lockInTime } from '../answerCalls.ts';
import { arithmeticText } from '../arithmetic.ts';
import { assertNoArguments, declareCommand } from '../declareCommand.ts';
import { withMemoryNote } from '../input/secrets.ts';
import { nodeOptions } from '../nodeOptions.ts';
import { openNodeRpc } from '../openRpc.ts';
import { backupOptions, type CommandLine, file, flag, list, scriptOptions, text } from '../options.ts';
import { openPool, threadCount } from '../threads.ts';

const DEFAULT_QUEUE = '16';
const MAX_QUEUE = 100_000;
/** Seconds. @see Bitcoin Core `-rpcservertimeout` */
const DEFAULT_TIMEOUT = '30';
const MAX_TIMEOUT = 86_400;

interface Service {
  readonly rpc: NodeRpc;
  readonly pool: WorkerPool | undefined;
  /** Absent if wallets and blocks are in memory. */
  readonly dataDirectory?: string;
  /** Called after the last answer has been sent. */
  readonly close: () => Promise<void>;
}

const options = {
  'wallet-dir': text('DIR', 'keep wallets and blocks in this directory; without it, they last until the server stops'),
  'wallet-store': text(
    'URL',
    'keep them in a PostgreSQL database instead, which several servers may use (docs/server.md)',
  ),
  ...backupOptions,
  ...scriptOptions,
  rpcport: text('PORT', "port to listen on (default: the RPC port of the network's nodes; 0: any free port)"),
  rpccookiefile: text(
    'FILE',
    'file for the name and password of this run (default: .cookie in --wallet-dir, or else in the current directory)',
  ),
  norpccookiefile: flag('write no such file'),
  rpcuser: text('NAME', 'log in with this name instead, and the password in'),
  'rpcpassword-file': file(
    'this file, or in the environment variable COUNTERSIGN_RPCPASSWORD, or typed at a hidden prompt',
    { indent: 1 },
  ),
  rpcauth: list('USER:SALT$HASH', 'another login, with the HMAC-SHA256 of its password; may be given more than once'),
  rpcwhitelist: list(
    'USER:METHOD,METHOD',
    'the only methods that this user may call; users without a whitelist may then call none; may be given more than once',
  ),
  workers: text('COUNT', 'answer calls that need no node on this many threads (default: one per core; 0: none)'),
  rpcworkqueue: text('COUNT', 'how many requests may wait (default 16)'),
  rpcservertimeout: text('SECONDS', 'how long a client may stay silent (default 30)'),
  rpcbind: list(
    'ADDRESS',
    'listen on this address instead, without encryption; other machines also need --rpcallowip; may be given more than once',
  ),
  rpcallowip: list('ADDRESS', 'allow clients from this address or network (10.0.0.0/8); may be given more than once'),
  rest: flag("answer the node's REST requests, too, without a login"),
  esplora: text(
    'PORT',
    "also answer Esplora's HTTP API, without a login, on this port of the same addresses (0: any free port)",
  ),
  'esplora-cors': text('ORIGIN', 'let the web pages of this origin use it ("*": those of all origins)', {
    needs: ['esplora'],
    indent: 1,
  }),
  ...nodeOptions,
};
type Line = CommandLine<typeof options>;

export const serve = declareCommand({
  synopsis: 'serve',
  about: `Answers JSON-RPC requests over HTTP as a node does, from this machine only, until it is interrupted or receives "stop".`,
  options,
  examples: [
    'countersign serve --network regtest --dialect core-31',
    `curl --user "$(cat .cookie)" --data '{"id":1,"method":"decodescript","params":["6a"]}' http://127.0.0.1:18443/`,
  ],
  run: runServe,
});

async function runServe(line: Line, io: Io): Promise<number> {
  assertNoArguments(line, 'serve takes no arguments: requests come over HTTP');
  const settings = { ...parseSettings(line), workers: threadCount('--workers', line.workers, io) };
  const stopping = new AbortController();
  const service = await openService(line, settings.workers, { io, onStop: () => stopping.abort() });
  try {
    return await answerRequests(service, settings, { line, io, stopping });
  } finally {
    await service.close();
  }
}

async function openService(
  line: Line,
  workers: number,
  { io, onStop }: { readonly io: Io; readonly onStop: () => void },
): Promise<Service> {
  const rpc = withMemoryNote(await openNodeRpc(line, io, { backupDirs: line.backupDir, onStop }), io);
  const whitelist = line.rpcwhitelist;
  const pool =
    workers === 0 ? undefined : await openPool(rpc, { size: workers, arithmetic: line.arithmetic, whitelist }, io);
  const endLocking = lockInTime(rpc);
  return {
    rpc,
    pool,
    ...(line.walletDir !== undefined && { dataDirectory: line.walletDir }),
    close: async () => {
      endLocking();
      await pool?.close();
      rpc.close();
    },
  };
}

function parseSettings(line: Line) {
  const { rpcworkqueue = DEFAULT_QUEUE, rpcservertimeout = DEFAULT_TIMEOUT, esplora } = line;
  const endpoints = chooseEndpoints(line);
  return {
    endpoints,
    esploraEndpoints: esplora === undefined ? [] : withPort(endpoints, esplora),
    isAllowed: parseAllowed(line),
    mayCall: createWhitelist(line.rpcwhitelist),
    depth: parseCount(rpcworkqueue, { option: '--rpcworkqueue', least: 1, most: MAX_QUEUE }),
    rest: line.rest,
    timeout: 1000 * parseCount(rpcservertimeout, { option: '--rpcservertimeout', least: 1, most: MAX_TIMEOUT }),
  };
}

function parseAllowed({ rpcallowip }: Line) {
  const isAllowed = allowClients(rpcallowip);
  if (typeof isAllowed === 'function') return isAllowed;
  throw new UsageError(
    `--rpcallowip needs an IP address or a network such as 10.0.0.0/8, not "${withoutSecrets(isAllowed.fault)}"`,
  );
}

/** Warns of users without a login: a misspelt name leaves the intended user without methods. */
function whitelistWarnings({ rpcwhitelist }: Line, credentials: readonly Credential[]): readonly string[] {
  const names = new Set(rpcwhitelist.map((text) => text.split(':', 1)[0] ?? ''));
  for (const { user } of credentials) names.delete(user);
  return [...names].map((name) => `warning: --rpcwhitelist: there is no login for user ${withoutSecrets(name)}`);
}

async function listenForEsplora({ open }: EsploraServer, endpoints: readonly Endpoint[]): Promise<readonly string[]> {
  try {
    return await listen(open, endpoints);
  } catch (error) {
    throw isBtcError(error) ? new UsageError(`--esplora: ${error.message}`) : error;
  }
}

async function answerRequests(
  service: Service,
  settings: ReturnType<typeof parseSettings> & { readonly workers: number },
  { line, io, stopping }: { readonly line: Line; readonly io: Io; readonly stopping: AbortController },
): Promise<number> {
  const { credentials, cookie } = await collectLogin(line, io, service.dataDirectory);
  const { dialect, network } = service.rpc.context;
  const endpoints = atPorts(settings.endpoints, network);
  const esplora = createEsploraServer(service.rpc, { isAllowed: settings.isAllowed, cors: line.esploraCors });
  try {
    const esploraPlaces = await listenForEsplora(esplora, settings.esploraEndpoints);
    await answerCalls(
      service,
      { ...settings, endpoints, credentials, cookie },
      {
        io,
        stopping,
        onReady: (places) => {
          const isOpen = endpoints.some(({ address }) => !isLoopback(address));
          const lines = [
            ...places.map((place) => `listening on http://${place}/`),
            ...esploraPlaces.map((place) => `Esplora on http://${place}/`),
            `network ${withoutSecrets(line.network)}, dialect ${dialect.name}`,
            `arithmetic ${arithmeticText(line.arithmetic)}`,
            ...(service.dataDirectory === undefined ? [] : [`data in ${shownPath(service.dataDirectory)}`]),
            ...(cookie ? [`name and password in ${shownPath(cookie.path)}`] : []),
            ...whitelistWarnings(line, credentials),
            ...(isOpen ? ['warning: other machines can connect, and nothing is encrypted'] : []),
            ...(isOpen && settings.rest ? ['warning: REST asks them for no login'] : []),
            ...(isOpen && esploraPlaces.length > 0 ? ['warning: Esplora asks them for no login'] : []),
          ];
          io.writeError(`${lines.join('\n')}\n`);
        },
        onStopping: () => io.writeError('stopping\n'),
      },
    );
  } finally {
    const stopped = esplora.stop();
    esplora.cutOff();
    await stopped;
  }
  return 0;
}
