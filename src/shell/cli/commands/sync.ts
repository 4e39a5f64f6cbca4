import { setTimeout as sleep } from 'node:timers/promises';
import { shownPath } from '../../../core/encoding/redaction.ts';
import type { Node } from '../../../node/state/node.ts';
import { type FeedChain, type FeederParts, openFeeder } from '../../sync/chainFeeder.ts';
import { fileSink } from '../../sync/fileSink.ts';
import { httpCaller } from '../../sync/httpClient.ts';
import { readInputFiles } from '../../sync/inputFiles.ts';
import { type Caller, localCaller } from '../../sync/nodeClient.ts';
import { collectLogin, FROM_LOGIN, isOnThisMachine, TO_LOGIN } from '../../sync/nodeLogin.ts';
import { nodeSink } from '../../sync/nodeSink.ts';
import { nodeSource } from '../../sync/nodeSource.ts';
import { openOutput } from '../../sync/output.ts';
import { type Sink, type Source, SyncFault } from '../../sync/sourceAndSink.ts';
import { feedEntries } from '../../sync/submitFiles.ts';
import { syncMempool } from '../../sync/syncMempool.ts';
import { closingLine, counted, type SyncProgress, startSyncProgress, type Tally } from '../../sync/syncProgress.ts';
import type { Io } from '../../terminal/io.ts';
import { declareCommand } from '../declareCommand.ts';
import { openContext } from '../openContext.ts';
import { openNodeRpc } from '../openRpc.ts';
import { parseSyncSettings, type SyncLine, type SyncSettings, syncOptions } from './syncSettings.ts';

interface Run {
  readonly line: SyncLine;
  readonly settings: SyncSettings;
  readonly io: Io;
  readonly progress: SyncProgress;
  readonly stop: AbortSignal;
}

export const sync = declareCommand({
  synopsis: 'sync',
  about: `Copies blocks and mempool transactions from your node, or from files, to countersign and the wallets that it keeps. It
resumes where it stopped, follows reorganizations, and changes nothing on the node that it reads.

From a node with -blockfilterindex=1, a new directory gets the headers of all blocks, and only those blocks that concern
its wallets: create the wallets first.`,
  options: syncOptions,
  examples: [
    'countersign sync --network regtest --from-rpc http://127.0.0.1:18443 --from-cookie ~/.bitcoin/regtest/.cookie --wallet-dir wallets',
  ],
  run: runSync,
});

async function runSync(line: SyncLine, io: Io): Promise<number> {
  const settings = parseSyncSettings(line);
  const stopping = new AbortController();
  const ignoreRequests = io.onStopRequest(() => {
    stopping.abort();
    // A second signal ends the process at once.
    ignoreRequests();
  });
  const run: Run = { line, settings, io, progress: startSyncProgress(io), stop: stopping.signal };
  try {
    const isDone = await (settings.from.kind === 'files'
      ? syncFiles(run, settings.from)
      : syncNode(run, settings.from));
    return isDone ? 0 : 1;
  } catch (error) {
    const { blocks: fed } = run.progress.counts();
    if (!(error instanceof SyncFault) || fed === 0) throw error;
    throw new SyncFault(`${error.message} (${counted(fed, 'block')} before that ${fed === 1 ? 'was' : 'were'} fed)`);
  } finally {
    run.progress.end();
    ignoreRequests();
  }
}

async function syncFiles(run: Run, { paths, keyFile }: SyncSettings['from'] & { kind: 'files' }): Promise<boolean> {
  const { line, io, progress, stop } = run;
  const { network } = await openContext(line, io);
  const { sink, close } = await openNodeSink(run);
  try {
    const entries = readInputFiles(paths, { network, keyFile }, io);
    const { taken, ...rest } = await feedEntries(entries, sink, { stop, onBlock: progress.onBlock });
    await report(run, sink, { ...progress.counts(), transactions: taken, ...rest });
    return !stop.aborted;
  } finally {
    await close();
  }
}

async function syncNode(run: Run, { url }: SyncSettings['from'] & { kind: 'rpc' }): Promise<boolean> {
  const caller = await openCaller(run, 'from', url);
  const source = nodeSource(caller);
  const { sink, node, giveUp, close } = await openSink(run, source);
  try {
    return await follow(run, { source, sink, feedChain: chainFeeder(run, { caller, source, sink, node }) });
  } catch (error) {
    await giveUp();
    throw error;
  } finally {
    await close();
  }
}

interface Sides {
  readonly source: Source;
  readonly sink: Sink;
  readonly feedChain: FeedChain;
}

/** Chooses a feeder at the first call, since the source may be unreachable before. */
function chainFeeder(
  { io, progress, settings }: Run,
  ends: Pick<FeederParts, 'caller' | 'source' | 'sink' | 'node'>,
): FeedChain {
  let feed: FeedChain | undefined;
  const { start, rescans, prune, takesAll } = settings;
  return async (watch) => {
    feed ??= await openFeeder({ ...ends, start, rescans, prune, takesAll, now: io.unixTime, say: progress.say });
    return await feed(watch);
  };
}

async function follow(run: Run, sides: Sides): Promise<boolean> {
  const { settings, stop } = run;
  const unreadable = new Set<string>();
  await runRound(run, sides, { unreadable, isFirst: true });
  while (settings.interval !== undefined && !stop.aborted) {
    await pause(settings.interval, stop);
    if (!stop.aborted) await runRound(run, sides, { unreadable, isFirst: false });
  }
  return settings.interval !== undefined || !stop.aborted;
}

interface Round {
  /** Txids. */
  readonly unreadable: Set<string>;
  readonly isFirst: boolean;
}

/** With `--follow`, the node may be unreachable for a while. */
async function runRound(run: Run, sides: Sides, round: Round): Promise<void> {
  try {
    await feedNews(run, sides, round);
  } catch (error) {
    const mayPass = error instanceof SyncFault && error.isPassing && run.settings.interval !== undefined;
    if (!mayPass) throw error;
    run.progress.say(`${error.message}; trying again`);
  }
}

/** Reports even an empty result in the first round. */
async function feedNews(run: Run, { source, sink, feedChain }: Sides, { unreadable, isFirst }: Round): Promise<void> {
  const { progress, stop } = run;
  const before = progress.counts();
  const watch = { stop, onBlock: progress.onBlock };
  const followed = await unlessStopped(stop, () => feedChain(watch));
  if (followed === 'source-behind' && isFirst) {
    progress.say(`${source.name} is still downloading the chain: keeping the blocks that it does not have yet`);
  }
  const pool = await unlessStopped(stop, () => syncMempool(source, sink, { stop, unreadable }));
  const { taken = 0, refused = new Map(), dropped = 0 } = pool ?? {};
  const after = progress.counts();
  const [blocks, fetched] = [after.blocks - before.blocks, after.fetched - before.fetched];
  if (!isFirst && blocks === 0 && taken === 0 && dropped === 0 && !stop.aborted) return;
  await report(run, sink, { blocks, fetched, transactions: taken, refused, dropped });
}

/** Ignores a failure after `stop`. */
async function unlessStopped<T>(stop: AbortSignal, action: () => Promise<T>): Promise<T | undefined> {
  if (stop.aborted) return undefined;
  try {
    return await action();
  } catch (error) {
    if (error instanceof SyncFault && stop.aborted) return undefined;
    throw error;
  }
}

/** Keeps standard output free for blocks. */
async function report({ io, settings, progress, stop }: Run, sink: Sink, tally: Tally): Promise<void> {
  const verb = settings.to.kind === 'file' ? 'wrote' : 'fed';
  const text = `${stop.aborted ? 'stopped: ' : ''}${closingLine(verb, tally, await sink.tip())}`;
  progress.end();
  if (settings.to.kind === 'file' && settings.to.path === '-') io.writeError(`${text}\n`);
  else await io.writeOut(`${text}\n`);
}

interface OpenSink {
  readonly sink: Sink;
  /** Set for a node in this process. */
  readonly node?: Node;
  /** Deletes an empty output file. */
  readonly giveUp: () => Promise<void>;
  readonly close: () => Promise<void>;
}

async function openSink(run: Run, source: Source): Promise<OpenSink> {
  const { to } = run.settings;
  if (to.kind !== 'file') return await openNodeSink(run);
  const { network } = await openContext(run.line, run.io);
  const { write, giveUp, close } = await openOutput(to.path, run.io);
  try {
    return {
      sink: await fileSink(source, { name: shownPath(to.path), network, since: to.since, write }),
      giveUp,
      close,
    };
  } catch (error) {
    await giveUp();
    await close();
    throw error;
  }
}

async function openNodeSink(run: Run): Promise<OpenSink> {
  const { to } = run.settings;
  if (to.kind === 'rpc') {
    return { sink: nodeSink(await openCaller(run, 'to', to.url)), giveUp: doNothing, close: doNothing };
  }
  // The source has accepted these transactions and run these scripts already.
  const rpc = await openNodeRpc(run.line, run.io, { skipsMempoolPolicy: true, assumevalid: 'all' });
  return {
    sink: nodeSink(localCaller(rpc, run.line.walletDir ?? 'the database')),
    giveUp: doNothing,
    node: rpc.node,
    close: async () => rpc.close(),
  };
}

const doNothing = async (): Promise<void> => undefined;

const BUSY_PAUSE = 1000;

async function openCaller({ line, settings, io, progress, stop }: Run, side: 'from' | 'to', url: URL): Promise<Caller> {
  const [names, cookie, user, passwordFile] =
    side === 'from'
      ? [FROM_LOGIN, line.fromCookie, line.fromUser, line.fromPasswordFile]
      : [TO_LOGIN, line.toCookie, line.toUser, line.toPasswordFile];
  const login = await collectLogin({ cookie, user, passwordFile }, names, io);
  const hasLogin = cookie !== undefined || user !== undefined;
  if (url.protocol === 'http:' && !isOnThisMachine(url) && hasLogin) {
    progress.say(`warning: name and password are sent to ${url.hostname} unencrypted`);
  }
  // A block on its way to our own node is never abandoned.
  const giveUp = side === 'from' ? stop : new AbortController().signal;
  let lastReason = '';
  return httpCaller({
    url,
    login,
    timeout: settings.timeout,
    stop: giveUp,
    retries: true,
    wait: async (why) => {
      if (why !== lastReason) progress.say(`${why}; waiting`);
      lastReason = why;
      await pause(BUSY_PAUSE, giveUp);
    },
  });
}

async function pause(milliseconds: number, stop: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal: stop });
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}
