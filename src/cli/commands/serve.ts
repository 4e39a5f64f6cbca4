import { once } from 'node:events';
import { shownPath, withoutSecrets } from '../../encoding/redaction.ts';
import type { NodeRpc } from '../../rpc/createNodeRpc.ts';
import type { Credential } from '../../server/auth.ts';
import { allowClients } from '../../server/clients.ts';
import { withControls } from '../../server/controls.ts';
import { atPorts, endpointsOf, isLoopback, parseCount } from '../../server/endpoints.ts';
import { listen } from '../../server/listen.ts';
import { collectLogin } from '../../server/loginOptions.ts';
import { createWhitelist, type ServeOptions } from '../../server/serveOptions.ts';
import { createRpcServer } from '../../server/server.ts';
import { createWorkQueue } from '../../server/workQueue.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { divideCalls } from '../../workers/divideCalls.ts';
import type { WorkerPool } from '../../workers/workerPool.ts';
import { arithmeticText } from '../arithmetic.ts';
import { openNodeRpc } from '../openRpc.ts';
import type { CommandLine } from '../options.ts';
import { withMemoryNote } from '../secrets.ts';
import { openPool, threadsOf } from '../threads.ts';

const DEFAULT_QUEUE = '16';
const MAX_QUEUE = 100_000;
/** In seconds. @see Bitcoin Core `-rpcservertimeout` */
const DEFAULT_TIMEOUT = '30';
const MAX_TIMEOUT = 86_400;

/** The dispatcher behind a server, with its data directory. */
interface Service {
  readonly rpc: NodeRpc;
  /** Absent with `--workers 0`. */
  readonly pool: WorkerPool | undefined;
  /** Directory of wallets, blocks and the cookie; without it, wallets and blocks are in memory only. */
  readonly dataDirectory?: string;
  /** Called once, after the last answer has been sent. */
  readonly close: () => Promise<void>;
}

/** Serves requests over HTTP until a signal or the method `stop` ends it. @returns the exit code */
export async function runServe(line: CommandLine, io: Io): Promise<number> {
  if (line.args.length > 0 || line.file !== undefined) {
    throw new UsageError('serve takes no arguments: requests come over HTTP');
  }
  const settings = { ...parseSettings(line), workers: threadsOf('--workers', line.serve.workers, io) };
  const service = await openService(line, settings.workers, io);
  try {
    return await serve(service, settings, { line, io });
  } finally {
    await service.close();
  }
}

/** Interval at which wallets are checked for an expired `walletpassphrase` timeout, in milliseconds. */
const LOCK_INTERVAL = 1000;

async function openService(line: CommandLine, workers: number, io: Io): Promise<Service> {
  const rpc = withMemoryNote(await openNodeRpc(line, io, { backupDirs: line.backupDirs }), io);
  const whitelist = line.serve.rpcwhitelist ?? [];
  const pool =
    workers === 0 ? undefined : await openPool(rpc, { size: workers, arithmetic: line.arithmetic, whitelist }, io);
  const locking = setInterval(rpc.lockExpired, LOCK_INTERVAL).unref();
  return {
    rpc,
    pool,
    ...(line.walletDir !== undefined && { dataDirectory: line.walletDir }),
    close: async () => {
      clearInterval(locking);
      await pool?.close();
      rpc.close();
    },
  };
}

function parseSettings({ serve: options }: CommandLine) {
  const { rpcworkqueue = DEFAULT_QUEUE, rpcservertimeout = DEFAULT_TIMEOUT } = options;
  return {
    endpoints: endpointsOf(options),
    isAllowed: parseAllowed(options),
    mayCall: createWhitelist(options.rpcwhitelist ?? []),
    depth: parseCount(rpcworkqueue, { option: '--rpcworkqueue', least: 1, most: MAX_QUEUE }),
    timeout: 1000 * parseCount(rpcservertimeout, { option: '--rpcservertimeout', least: 1, most: MAX_TIMEOUT }),
  };
}

function parseAllowed({ rpcallowip = [] }: ServeOptions) {
  const isAllowed = allowClients(rpcallowip);
  if (typeof isAllowed === 'function') return isAllowed;
  throw new UsageError(
    `--rpcallowip needs an IP address or a network such as 10.0.0.0/8, not "${withoutSecrets(isAllowed.fault)}"`,
  );
}

/** Warns of users in `--rpcwhitelist` without a login: with a misspelt name, the intended user could call nothing. */
function whitelistWarnings({ rpcwhitelist = [] }: ServeOptions, credentials: readonly Credential[]): readonly string[] {
  const names = new Set(rpcwhitelist.map((text) => text.split(':', 1)[0] ?? ''));
  for (const { user } of credentials) names.delete(user);
  return [...names].map((name) => `warning: --rpcwhitelist: there is no login for user ${withoutSecrets(name)}`);
}

async function serve(
  service: Service,
  {
    endpoints,
    isAllowed,
    mayCall,
    depth,
    timeout,
    workers,
  }: ReturnType<typeof parseSettings> & { readonly workers: number },
  { line, io }: { readonly line: CommandLine; readonly io: Io },
): Promise<number> {
  const { credentials, cookie } = await collectLogin(line.serve, io, service.dataDirectory);
  const { dialect, network } = service.rpc.context;
  const stopping = new AbortController();
  const rpc = withControls(service.rpc, () => stopping.abort());
  const server = createRpcServer({
    rules: { generation: dialect.generation, credentials, isAllowed },
    queue: createWorkQueue({ depth, workers, now: io.now, nextTurn: setImmediate }),
    stopping: stopping.signal,
    timeout,
    answer: divideCalls(rpc, service.pool, mayCall),
  });
  const ignoreRequests = io.onStopRequest(() => {
    // The second signal no longer waits for clients that are slow to read their answers.
    if (stopping.signal.aborted) server.cutOff();
    stopping.abort();
  });
  try {
    const places = await listen(server.open, atPorts(endpoints, network));
    await cookie?.write();
    const isOpen = endpoints.some(({ address }) => !isLoopback(address));
    const lines = [
      ...places.map((place) => `listening on http://${place}/`),
      `network ${withoutSecrets(line.network)}, dialect ${dialect.name}`,
      `arithmetic ${arithmeticText(line.arithmetic)}`,
      ...(service.dataDirectory === undefined ? [] : [`data in ${shownPath(service.dataDirectory)}`]),
      ...(cookie ? [`name and password in ${shownPath(cookie.path)}`] : []),
      ...whitelistWarnings(line.serve, credentials),
      ...(isOpen ? ['warning: other machines can connect, and nothing is encrypted'] : []),
    ];
    io.writeError(`${lines.join('\n')}\n`);
    if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
    io.writeError('stopping\n');
  } finally {
    stopping.abort();
    await server.stop();
    ignoreRequests();
    await cookie?.remove();
  }
  return 0;
}
