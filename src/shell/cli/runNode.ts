import { once } from 'node:events';
import { join } from 'node:path';
import { type Dialect, resolveContext } from '../../answers/dialect/dialect.ts';
import { isBtcError } from '../../core/errors.ts';
import type { Network } from '../../core/network/networks.ts';
import type { NodeRpc } from '../../node/createNodeRpc.ts';
import type { ZmqNotification } from '../../node/methods/context.ts';
import { shownName } from '../../node/registry.ts';
import { tellReady } from '../bitcoind/background.ts';
import { inDirectory, isThere, type Notes } from '../bitcoind/configFiles.ts';
import { networkFor } from '../bitcoind/customNetwork.ts';
import { type DebugLog, logPath, logSettings, shownLogPath } from '../bitcoind/debugLog.ts';
import { InitError } from '../bitcoind/initError.ts';
import { isLogged, switchLogs } from '../bitcoind/logCategories.ts';
import { logStart } from '../bitcoind/logStart.ts';
import { readNodeSettings } from '../bitcoind/nodeSettings.ts';
import { hearsNotices, noticeCommands, runCommands } from '../bitcoind/notify.ts';
import type { FindOption } from '../bitcoind/optionTable.ts';
import { writePidFile } from '../bitcoind/pidFile.ts';
import { noServer, readLogin } from '../bitcoind/rpcLogin.ts';
import { readServer } from '../bitcoind/rpcServer.ts';
import { writeSettingsFile } from '../bitcoind/settingsFile.ts';
import type { Start } from '../bitcoind/start.ts';
import { keepWallet, loadWallets, startupWallets, withStartupWallets } from '../bitcoind/startupWallets.ts';
import { readNotifiers } from '../bitcoind/zmqOptions.ts';
import { createBackupFiles } from '../store/backupFiles.ts';
import { systemFiles } from '../store/files.ts';
import { lockDirectory } from '../store/lock.ts';
import { openStore } from '../store/openStore.ts';
import type { Io } from '../terminal/io.ts';
import { UsageError } from '../terminal/usageError.ts';
import { BindFault, openNotifiers } from '../zmq/notifiers.ts';
import { answerCalls, lockInTime } from './answerCalls.ts';
import { chosenEcc } from './arithmetic.ts';
import { createNode, createOrClose } from './openRpc.ts';

interface NodeWorld {
  readonly dialect: Dialect;
  /** As the node calls itself. */
  readonly program: string;
  readonly release: string;
  /** Of countersign. */
  readonly version: string;
  readonly find: FindOption;
  readonly notes: Notes;
  readonly log: DebugLog;
  readonly io: Io;
}

/**
 * Runs a node in its data directory until it receives "stop" or is interrupted.
 * @throws InitError, BtcError `store/*`
 * @see Bitcoin Core `AppInitMain`
 */
export async function runNode(start: Start, world: NodeWorld): Promise<void> {
  const { options, chain, directory } = start;
  const { log, io } = world;
  const network = networkFor(chain, options);
  const ends: (() => void)[] = [lock(directory, world.program)];
  try {
    if (!options.isNegated('pid')) ends.push(writePidFile(inDirectory(directory, options.path('pid', 'bitcoind.pid'))));
    openLog(start, world);
    if (chain.name === 'signet') log.write(`Signet derived magic (message start): ${network.magic}`);
    const stopping = new AbortController();
    const published = await publish(start, world);
    ends.push(published.close);
    const rpc = openNode(start, network, {
      ...world,
      onStop: () => stopping.abort(),
      zmqNotifications: published.notifications,
    });
    ends.push(rpc.close, lockInTime(rpc));
    published.follow(rpc);
    await answer(start, keepingWallets(loggingLoads(rpc, log), start, world), { network, stopping, log, io });
  } finally {
    for (const end of ends.reverse()) end();
    log.write('Shutdown done');
  }
}

interface Published {
  readonly notifications: readonly ZmqNotification[];
  readonly follow: (rpc: NodeRpc) => void;
  readonly close: () => void;
}

/** Binds the addresses of ZeroMQ. As in Core, a node that cannot bind one of them publishes nothing. */
async function publish({ options }: Start, { dialect, log }: NodeWorld): Promise<Published> {
  const notifications = readNotifiers(options, dialect.generation);
  let logFault = (_: string): void => undefined;
  try {
    const { hear, close } = await openNotifiers(notifications, (fault) => logFault(fault));
    const follow = (rpc: NodeRpc): void => {
      logFault = (fault) => {
        if (isLogged(rpc, 'zmq')) log.write(`Closed the connection of a subscriber: ${fault}`, 'zmq');
      };
      if (notifications.length > 0) rpc.node.listen(hear);
    };
    return { notifications, follow, close };
  } catch (error) {
    if (!(error instanceof BindFault)) throw error;
    log.write(`${error.message}. The node publishes nothing over ZeroMQ.`, 'warning');
    return { notifications: [], follow: () => undefined, close: () => undefined };
  }
}

function lock(directory: string, program: string): () => void {
  try {
    return lockDirectory(systemFiles, directory);
  } catch (error) {
    if (isBtcError(error, 'store/locked')) {
      throw new InitError(`Cannot obtain a lock on directory ${directory}. ${program} is probably already running.`);
    }
    throw new InitError(`Cannot write to directory '${directory}'; check permissions.`);
  }
}

function openLog(start: Start, { program, release, version, find, log, io }: NodeWorld): void {
  const { options, directory } = start;
  const path = logPath(options, directory);
  log.open(logSettings(options, { path, print: (line) => void io.writeOut(line) }));
  log.write(`${program} version v${release}, answered by countersign ${version}`);
  logStart(start, { find, log: log.write });
}

/** The node's files lie where it keeps its chain, so that what copies that directory copies all. */
const STORE = 'chainstate';

function openNode(
  { options, directory }: Start,
  network: Network,
  {
    dialect,
    notes,
    log,
    io,
    onStop,
    zmqNotifications,
  }: NodeWorld & { readonly onStop: () => void; readonly zmqNotifications: readonly ZmqNotification[] },
): NodeRpc {
  const names = options.flag('disablewallet', false) ? [] : startupWallets(options);
  const settings = readNodeSettings(options, dialect);
  const storeDirectory = join(directory, STORE);
  // As error texts name it.
  const wallets = join(directory, 'wallets');
  const walletDirectory = isThere(wallets) ? wallets : directory;
  const context = resolveContext({ network, dialect: dialect.name, ecc: chosenEcc(undefined) });
  const rpc = createOrClose(
    openStore(storeDirectory, { waitsForDisk: !options.flag('unsafesqlitesync', false) }),
    (store) =>
      createNode(
        {
          ...context,
          backupFiles: createBackupFiles({ walletDir: storeDirectory }),
          ...settings,
          debuglogfile: shownLogPath(options, directory, dialect.generation),
          onStop,
          zmqNotifications,
        },
        io,
        { store, walletDir: walletDirectory },
      ),
  );
  try {
    switchLogs(rpc, options);
    if (hearsNotices(options)) rpc.node.listen((notices) => void runCommands(noticeCommands(options, notices), log));
    rpc.node.setTime(options.integer('mocktime') || undefined);
    rpc.node.noteTip(true);
    log.write(`Using wallet directory ${walletDirectory}`);
    if (!options.flag('persistmempool', true)) emptyMempool(rpc);
    loadWallets(rpc, names, notes);
    rpc.reloadMempool();
  } catch (error) {
    rpc.close();
    throw error;
  }
  return rpc;
}

function emptyMempool({ node }: NodeRpc): void {
  node.inCall(() => {
    // A transaction goes with its descendants.
    for (const { key, id } of [...node.chain.mempool.values()]) {
      if (node.chain.mempool.has(key)) node.change({ type: 'drop', txid: id });
    }
  });
}

/** Logs which release a wallet was last used with: a directory is for one. */
function loggingLoads(rpc: NodeRpc, log: DebugLog): NodeRpc {
  const { version } = rpc.call('getnetworkinfo');
  const callJson: NodeRpc['callJson'] = (name, params, walletName, json) => {
    const answer = rpc.callJson(name, params, walletName, json);
    if (name === 'loadwallet') log.write(`Last client version = ${version}`);
    return answer;
  };
  return { ...rpc, callJson };
}

/** Keeps in settings.json which wallets are loaded at the start. */
function keepingWallets(rpc: NodeRpc, { options, settingsPath }: Start, { program, notes }: NodeWorld): NodeRpc {
  if (settingsPath === '') return rpc;
  const saved = new Map(options.settings.saved);
  // Core includes the wallet without a name in the list that it begins, and writes it with the next change.
  if (!options.isSet('wallet') && rpc.node.wallets.has('')) keepWallet(saved, '', true);
  return withStartupWallets(rpc, (name, isLoaded) => {
    try {
      if (keepWallet(saved, name, isLoaded)) writeSettingsFile(settingsPath, saved, program);
    } catch (error) {
      if (!(error instanceof InitError)) throw error;
      notes.warn(error.message);
    }
  });
}

async function answer(
  { options, directory }: Start,
  rpc: NodeRpc,
  {
    network,
    stopping,
    log,
    io,
  }: {
    readonly network: Network;
    readonly stopping: AbortController;
    readonly log: DebugLog;
    readonly io: Io;
  },
): Promise<void> {
  const onReady = (places: readonly string[]): void => {
    for (const place of places) log.write(`Binding RPC on ${place}`);
    log.write('initload thread exit');
    log.write('init message: Done loading');
    tellReady();
    void runCommands(options.list('startupnotify'), log);
  };
  const onStopping = (): void => log.write('Shutdown in progress...');
  if (!options.flag('server', true)) return waitForEnd({ io, stopping, onReady, onStopping });
  try {
    const { generation } = rpc.context.dialect;
    const server = readServer(options, { network, generation }, { log, print: io.writeError });
    const login = readLogin(options, inDirectory(directory, options.path('rpccookiefile', '.cookie')), log);
    const onCall = (method: string): void => {
      if (isLogged(rpc, 'rpc')) log.write(`ThreadRPCServer method=${shownName(method)}`, 'rpc');
    };
    await answerCalls({ rpc, pool: undefined }, { ...server, ...login }, { io, stopping, onReady, onStopping, onCall });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    log.write(error.message, 'error');
    throw noServer();
  }
  await runCommands(options.list('shutdownnotify'), log);
}

async function waitForEnd({
  io,
  stopping,
  onReady,
  onStopping,
}: {
  readonly io: Io;
  readonly stopping: AbortController;
  readonly onReady: (places: readonly string[]) => void;
  readonly onStopping: () => void;
}): Promise<void> {
  // Signals alone keep no process alive.
  const idle = setInterval(() => undefined, 2 ** 30);
  const ignoreRequests = io.onStopRequest(() => stopping.abort());
  onReady([]);
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
  clearInterval(idle);
  ignoreRequests();
  onStopping();
}
