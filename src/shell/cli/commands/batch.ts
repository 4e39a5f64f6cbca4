import { pMapIterable } from 'p-map';
import { answerText, refusalText } from '../../../answers/envelope.ts';
import type { NodeRpc } from '../../../node/createNodeRpc.ts';
import type { Io } from '../../terminal/io.ts';
import { decodeUtf8, type Line, splitLines } from '../../terminal/lines.ts';
import { startProgress } from '../../terminal/progressLine.ts';
import { knowsChain, validAnswer } from '../../workers/divideCalls.ts';
import { createGroupLength } from '../../workers/groupLength.ts';
import type { Stateless } from '../../workers/jobs.ts';
import type { WorkerPool } from '../../workers/workerPool.ts';
import { assertNoArguments, declareCommand } from '../declareCommand.ts';
import { withMemoryNote } from '../input/secrets.ts';
import { nodeOptions } from '../nodeOptions.ts';
import { openNodeRpc } from '../openRpc.ts';
import { backupOptions, type CommandLine, text } from '../options.ts';
import { openPool, threadCount } from '../threads.ts';

/** In bytes: Core's limit of an HTTP body. */
export const MAX_LINE = 0x02000000;
/** In characters. */
const WRITE_SIZE = 1 << 16;
/** In bytes. */
const GROUP_SIZE = 1 << 16;
/** Bytes that are read but not answered. A longer line is read once all others are answered. */
const MAX_HELD = 1 << 26;
/** Milliseconds of work before threads start without `--jobs`; starting one takes about as long. */
const START_AFTER = 100;

const options = {
  'wallet-dir': text('DIR', 'keep the wallets in this directory instead'),
  'wallet-store': text('URL', 'or in a PostgreSQL database, which several processes may use'),
  ...backupOptions,
  jobs: text('COUNT', 'answer on at most this many threads (default: one per core)'),
  ...nodeOptions,
};

export const batch = declareCommand({
  synopsis: 'batch',
  about: `Answers JSON-RPC requests from standard input, one per line, with one answer per line, in the same order.

A request names its wallet with "wallet": "name", unless only one is loaded. Wallets last until standard input ends.`,
  options,
  examples: [`echo '{"id":1,"method":"decodescript","params":["51"]}' | countersign batch`],
  run: runBatch,
});

async function runBatch(line: CommandLine<typeof options>, io: Io): Promise<number> {
  assertNoArguments(line, 'batch takes no arguments: it reads requests from standard input, one per line');
  const jobs = threadCount('--jobs', line.jobs, io);
  const rpc = withMemoryNote(await openNodeRpc(line, io, { backupDirs: line.backupDir }), io);
  const helpers = createHelpers(
    rpc,
    { jobs, arithmetic: line.arithmetic, startAfter: line.jobs === undefined ? START_AFTER : 0 },
    io,
  );
  try {
    await answerLines(rpc, helpers, io);
  } finally {
    await helpers.close();
    rpc.close();
  }
  return 0;
}

interface Group {
  /** Undefined for one that is too long. */
  readonly lines: readonly (string | undefined)[];
  /** In bytes. */
  readonly size: number;
}

interface Answered {
  readonly group: Group;
  readonly answers: readonly (Stateless<string> | undefined)[];
}

interface Helpers {
  readonly concurrency: number;
  readonly groupLines: () => number;
  readonly answer: (group: Group) => Promise<Answered>;
  readonly answerHere: (line: string | undefined) => string;
  readonly close: () => Promise<void>;
}

interface HelperSettings {
  readonly jobs: number;
  readonly arithmetic: string | undefined;
  /** Milliseconds. */
  readonly startAfter: number;
}

function createHelpers(rpc: NodeRpc, { jobs, arithmetic, startAfter }: HelperSettings, io: Io): Helpers {
  let opened: Promise<WorkerPool> | undefined;
  let spent = 0;
  const length = createGroupLength();
  return {
    concurrency: jobs + 1,
    groupLines: length.lines,
    answer: async (group) => {
      if (jobs > 1 && spent >= startAfter) opened ??= openPool(rpc, { size: jobs, arithmetic }, io);
      if (!opened) return { group, answers: [] };
      const pool = await opened;
      const start = io.now();
      const answers = await pool.answerLines(
        group.lines.map((text) => text ?? ''),
        knowsChain(rpc),
      );
      length.note(group.lines.length, io.now() - start);
      return { group, answers };
    },
    answerHere: (line) => {
      const start = io.now();
      const text = answerLine(rpc, line);
      const time = io.now() - start;
      spent += time;
      length.note(1, time);
      return text;
    },
    close: async () => (await opened)?.close(),
  };
}

async function answerLines(rpc: NodeRpc, helpers: Helpers, io: Io): Promise<void> {
  const { concurrency, groupLines, answer, answerHere } = helpers;
  const progress = startProgress(io);
  const holder = createHolder(MAX_HELD);
  const groups = divideLines(splitLines(progress.watch(io.stdin), MAX_LINE), groupLines, holder.take);
  for await (const { group, answers } of pMapIterable(groups, answer, { concurrency, backpressure: 2 * concurrency })) {
    let pending = '';
    for (const [i, line] of group.lines.entries()) {
      const threadAnswer = line === undefined ? undefined : validAnswer(answers[i], rpc);
      pending += `${threadAnswer ?? answerHere(line)}\n`;
      if (pending.length < WRITE_SIZE) continue;
      await io.writeOut(pending);
      pending = '';
    }
    if (pending !== '') await io.writeOut(pending);
    holder.release(group.size);
    progress.count(group.lines.length);
  }
  progress.end();
}

interface Holder {
  /** Resolves when there is room, or nothing is held. */
  readonly take: (size: number) => Promise<void>;
  readonly release: (size: number) => void;
}

function createHolder(most: number): Holder {
  let total = 0;
  let wake = (): void => undefined;
  return {
    take: async (size) => {
      while (total > 0 && total + size > most) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      total += size;
    },
    release: (size) => {
      total -= size;
      wake();
    },
  };
}

/** Never waits for more input, since a client may wait for each answer. */
async function* divideLines(
  input: AsyncIterable<readonly Line[]>,
  groupLines: () => number,
  take: Holder['take'],
): AsyncGenerator<Group> {
  for await (const all of input) {
    let lines: (string | undefined)[] = [];
    let size = 0;
    for (const [i, line] of all.entries()) {
      // The empty text has the same parse error.
      lines.push(line && (decodeUtf8(line) ?? ''));
      size += line?.length ?? 0;
      const isFull = lines.length >= groupLines() || size >= GROUP_SIZE;
      if (!isFull && i < all.length - 1) continue;
      await take(size);
      yield { lines, size };
      lines = [];
      size = 0;
    }
  }
}

function answerLine(rpc: NodeRpc, line: string | undefined): string {
  if (line === undefined) return refusalText(`Parse error: line longer than ${MAX_LINE} bytes`);
  return answerText(rpc, line, { readsWallet: true });
}
