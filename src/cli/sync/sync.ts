import { setTimeout as sleep } from 'node:timers/promises';
import { withoutSecrets } from '../../text/secrets.ts';
import type { Io } from '../io.ts';
import { type CommandLine, openNodeRpc, openRpc } from '../options.ts';
import { type Caller, localCaller } from './caller.ts';
import { closingLine, counted, type Tally } from './closing.ts';
import { SyncFault } from './fault.ts';
import { feedEntries } from './feedFiles.ts';
import { fileSink } from './fileSink.ts';
import { entriesOf } from './files.ts';
import { httpCaller } from './httpCaller.ts';
import { collectLogin } from './login.ts';
import { nodeSink } from './nodeSink.ts';
import { nodeSource } from './nodeSource.ts';
import { openOutput } from './output.ts';
import { type SyncProgress, startSyncProgress } from './progress.ts';
import { isExposed, parseSyncSettings, type SyncSettings } from './settings.ts';
import type { Sink, Source } from './sides.ts';
import { syncChain } from './syncChain.ts';
import { syncMempool } from './syncMempool.ts';

/** What all steps of one run share. */
interface Run {
  readonly line: CommandLine;
  readonly settings: SyncSettings;
  readonly io: Io;
  readonly progress: SyncProgress;
  /** Aborted when somebody asks the process to stop. */
  readonly stop: AbortSignal;
}

/** Feeds a node of ours with the blocks and transactions of another, or of files. @returns the exit code */
export async function runSync(line: CommandLine, io: Io): Promise<number> {
  const settings = parseSyncSettings(line);
  const asked = new AbortController();
  const ignoreRequests = io.onStopRequest(() => {
    asked.abort();
    // Who asks twice will not wait for what is read: the second signal ends the process, and all that was fed is kept.
    ignoreRequests();
  });
  const run: Run = { line, settings, io, progress: startSyncProgress(io), stop: asked.signal };
  try {
    const isDone = await (settings.from.kind === 'files'
      ? syncFiles(run, settings.from)
      : syncNode(run, settings.from));
    return isDone ? 0 : 1;
  } catch (error) {
    const fed = run.progress.blocks();
    if (!(error instanceof SyncFault) || fed === 0) throw error;
    throw new SyncFault(`${error.message} (${counted(fed, 'block')} before that ${fed === 1 ? 'is' : 'are'} fed)`);
  } finally {
    run.progress.end();
    ignoreRequests();
  }
}

/** @returns whether all was fed */
async function syncFiles(run: Run, { paths, keyFile }: SyncSettings['from'] & { kind: 'files' }): Promise<boolean> {
  const { line, io, progress, stop } = run;
  const { sink, close } = await openNodeSink(run);
  try {
    const network = line.network;
    const entries = entriesOf(paths, { network, keyFile }, io);
    const { taken, ...rest } = await feedEntries(entries, sink, { stop, onBlock: progress.onBlock });
    await tell(run, sink, { blocks: progress.blocks(), transactions: taken, ...rest });
    return !stop.aborted;
  } finally {
    await close();
  }
}

/** @returns whether all was fed, or it went on until somebody stopped it */
async function syncNode(run: Run, { url }: SyncSettings['from'] & { kind: 'rpc' }): Promise<boolean> {
  const source = nodeSource(await openCaller(run, 'from', url));
  const { sink, giveUp, close } = await openSink(run, source);
  try {
    return await follow(run, source, sink);
  } catch (error) {
    await giveUp();
    throw error;
  } finally {
    await close();
  }
}

async function follow(run: Run, source: Source, sink: Sink): Promise<boolean> {
  const { settings, stop } = run;
  const unreadable = new Set<string>();
  await look(run, source, sink, { unreadable, isFirst: true });
  while (settings.interval !== undefined && !stop.aborted) {
    await pause(settings.interval, stop);
    if (!stop.aborted) await look(run, source, sink, { unreadable, isFirst: false });
  }
  return settings.interval !== undefined || !stop.aborted;
}

interface Look {
  /** Txids of what our node cannot read. */
  readonly unreadable: Set<string>;
  readonly isFirst: boolean;
}

/** Looks once; while it goes on looking, a node that is away for a while is no reason to end. */
async function look(run: Run, source: Source, sink: Sink, how: Look): Promise<void> {
  try {
    await feedNews(run, source, sink, how);
  } catch (error) {
    const mayPass = error instanceof SyncFault && error.isPassing && run.settings.interval !== undefined;
    if (!mayPass) throw error;
    run.progress.say(`${error.message}; trying again`);
  }
}

/** Feeds what is new, and says so if there was something, or if it is the first time. */
async function feedNews(run: Run, source: Source, sink: Sink, { unreadable, isFirst }: Look): Promise<void> {
  const { progress, stop } = run;
  const before = progress.blocks();
  const watch = { stop, onBlock: progress.onBlock };
  const followed = await unlessStopped(stop, () => syncChain(source, sink, watch));
  if (followed === 'source-behind' && isFirst) {
    progress.say(`${source.name} is still catching up: the blocks that it lacks are kept`);
  }
  const pool = await unlessStopped(stop, () => syncMempool(source, sink, { stop, unreadable }));
  const { taken = 0, refused = new Map(), dropped = 0 } = pool ?? {};
  const blocks = progress.blocks() - before;
  if (!isFirst && blocks === 0 && taken === 0 && dropped === 0 && !stop.aborted) return;
  await tell(run, sink, { blocks, transactions: taken, refused, dropped });
}

/** What is under way when somebody asks to stop need not come to its end. */
async function unlessStopped<T>(stop: AbortSignal, action: () => Promise<T>): Promise<T | undefined> {
  if (stop.aborted) return undefined;
  try {
    return await action();
  } catch (error) {
    if (error instanceof SyncFault && stop.aborted) return undefined;
    throw error;
  }
}

/** Says what was done: where answers go, unless the blocks go there. */
async function tell({ io, settings, progress, stop }: Run, sink: Sink, tally: Tally): Promise<void> {
  const verb = settings.to.kind === 'file' ? 'wrote' : 'fed';
  const text = `${stop.aborted ? 'stopped: ' : ''}${closingLine(verb, tally, await sink.tip())}`;
  progress.end();
  if (settings.to.kind === 'file' && settings.to.path === '-') io.writeError(`${text}\n`);
  else await io.writeOut(`${text}\n`);
}

interface OpenSink {
  readonly sink: Sink;
  /** Takes back what stands for nothing. */
  readonly giveUp: () => Promise<void>;
  readonly close: () => Promise<void>;
}

async function openSink(run: Run, source: Source): Promise<OpenSink> {
  const { to } = run.settings;
  if (to.kind !== 'file') return await openNodeSink(run);
  const { network } = (await openRpc(run.line, run.io)).context;
  const { write, giveUp, close } = await openOutput(to.path, run.io);
  try {
    return {
      sink: await fileSink(source, { name: withoutSecrets(to.path), network, since: to.since, write }),
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
    return { sink: nodeSink(await openCaller(run, 'to', to.url)), giveUp: nothing, close: nothing };
  }
  const rpc = await openNodeRpc(run.line, run.io);
  return { sink: nodeSink(localCaller(rpc, `${run.line.walletDir}`)), giveUp: nothing, close: async () => rpc.close() };
}

const nothing = async (): Promise<void> => undefined;

const BUSY_PAUSE = 1000;

async function openCaller({ line, settings, io, progress, stop }: Run, side: 'from' | 'to', url: URL): Promise<Caller> {
  const login = await collectLogin(line.sync, side, io);
  const hasLogin = line.sync[`${side}-cookie`] !== undefined || line.sync[`${side}-user`] !== undefined;
  if (isExposed(url) && hasLogin) {
    progress.say(`warning: name and password go to ${url.hostname} without any encryption`);
  }
  // A block that is on its way to our own node is not given up.
  const giveUp = side === 'from' ? stop : new AbortController().signal;
  let said = '';
  return httpCaller({
    url,
    login,
    timeout: settings.timeout,
    stop: giveUp,
    wait: async (why) => {
      if (why !== said) progress.say(`${why}; waiting`);
      said = why;
      await pause(BUSY_PAUSE, giveUp);
    },
  });
}

/** Lets time go by, unless somebody asks to stop. */
async function pause(milliseconds: number, stop: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal: stop });
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}
