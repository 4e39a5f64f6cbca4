import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/shell/store/openStore.ts';
import { isFast, type Recorded, readRecorded, shared } from '../support/corpus.ts';
import { createMemoryStore, type JournalStore, type NodeRpc } from '../support/library.ts';
import { answerOf } from '../support/recordedAnswers.ts';
import { KINDS, open, openSeveral, replay } from '../support/recordedWallets.ts';
import { report } from '../support/report.ts';
import { createSharedRecords } from '../support/sharedRecords.ts';
import { createSnapshotStore } from '../support/snapshots.ts';

/** Replays recorded histories of nodes with wallets, and compares the answers line by line. */

const FULL = Array.from({ length: 8 }, (_, i) => `0${i}`);
const SAMPLE = ['03'];
/** Whether to open the node anew before each line; by default, before some lines of one history. */
const everyLine = process.env['COUNTERSIGN_EVERY_LINE'] !== undefined;
const QUERIES = ['listunspent', 'listsinceblock', 'getaddressinfo'];
const directory = mkdtempSync(join(tmpdir(), 'countersign-wallets-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Lets a store keep a snapshot whenever it is closed, however small its journal is. */
const withSnapshots = ({ snapshots, ...store }: JournalStore): JournalStore =>
  snapshots ? { ...store, snapshots: { ...snapshots, isDue: () => true } } : store;

interface Reopening {
  /** The lines from one opening to the next. */
  readonly step: number;
  readonly reopen: (last?: NodeRpc) => NodeRpc;
  readonly lasting: NodeRpc;
}

/** The calls whose effects do not outlast a node: the mock time, and those that unlocked wallets. */
interface Passing {
  readonly note: (call: Recorded, answer: unknown) => void;
  /** Calls them again. */
  readonly restore: (rpc: NodeRpc) => void;
}

/** The calls that lock a wallet again. */
const LOCKING: ReadonlySet<string> = new Set(['walletlock', 'encryptwallet', 'unloadwallet']);

function createPassing(): Passing {
  let times: readonly Recorded[] = [];
  const unlocked = new Map<string, readonly Recorded[]>();
  const noteDone = (call: Recorded): void => {
    const { method, params, wallet = '' } = call;
    const last = unlocked.get(wallet)?.at(-1);
    // The time of the call decides when the wallet locks itself.
    if (method === 'setmocktime') times = [call];
    else if (method === 'walletpassphrase') unlocked.set(wallet, [...times, call]);
    else if (method === 'walletpassphrasechange' && last) {
      const before = unlocked.get(wallet)?.slice(0, -1) ?? [];
      unlocked.set(wallet, [...before, { ...last, params: [params[1], last.params[1]] }]);
    } else if (LOCKING.has(method)) for (const name of [wallet, '', String(params[0])]) unlocked.delete(name);
  };
  return {
    note: (call, answer) => {
      if (typeof answer === 'object' && answer !== null && 'result' in answer) noteDone(call);
    },
    restore: (rpc) => {
      for (const call of [...[...unlocked.values()].flat(), ...times]) answerOf(rpc, call);
    },
  };
}

/** Replays a history on a node that is opened anew again and again, beside one that lasts. @returns the openings */
function countReopened(calls: readonly Recorded[], { step, reopen, lasting }: Reopening): number {
  let rpc = reopen();
  let count = 0;
  const passing = createPassing();
  for (const [i, call] of calls.entries()) {
    if (i % step === 0) {
      rpc = reopen(rpc);
      passing.restore(rpc);
      count += 1;
    }
    const answer = answerOf(lasting, call);
    expect([call, answerOf(rpc, call)]).toEqual([call, answer]);
    passing.note(call, answer);
  }
  rpc.close();
  return count;
}

describe.each(KINDS)('the recorded histories of $node', (kind) => {
  const [from, files] = shared ? (['shared', FULL] as const) : (['sample', SAMPLE] as const);

  test.each(files)('number %s is answered alike in memory, and after a replay of its journal', (file) => {
    const calls = readRecorded(`${kind.node}.wallet-${file}`, from);
    expect(calls.length).toBeGreaterThan(600);
    const store = createMemoryStore();
    const rpc = open(kind, store);
    replay(`${kind.node}.wallet-${file}`, calls, rpc);
    const reopened = open(kind, store);
    const [clock] = calls.filter(({ method }) => method === 'setmocktime').slice(-1);
    if (clock) answerOf(reopened, clock);
    const asked = calls.filter(({ method }) => QUERIES.includes(method)).slice(-200);
    expect(asked.map((call) => answerOf(reopened, call))).toEqual(asked.map((call) => answerOf(rpc, call)));
  });

  function replayReopened(file: string, place: string, { step, most }: typeof opening): void {
    const calls = readRecorded(`${kind.node}.wallet-${file}`, from).slice(0, most);
    const path = join(directory, `${kind.node}-${file}-again`);
    const memory = createSnapshotStore();
    const reopen = (last?: NodeRpc): NodeRpc => {
      last?.close();
      return open(kind, place === 'memory' ? memory : withSnapshots(openStore(path)));
    };
    const count = countReopened(calls, { step, reopen, lasting: open(kind, createMemoryStore()) });
    const subject = `${kind.node}.wallet-${file} in ${place}, opened again and again`;
    const total = calls.length;
    report({ subject, passed: total, total, note: `opened ${count} times` });
  }

  const opening = everyLine ? { step: 1, most: Number.POSITIVE_INFINITY } : { step: 60, most: 180 };
  test.skipIf(isFast).each(everyLine ? files : files.slice(0, 1))(
    'number %s is answered alike by a node that is opened anew again and again',
    (file) => replayReopened(file, 'memory', opening),
  );

  test.skipIf(!everyLine).each(files)('number %s is answered alike by a directory that is opened anew', (file) =>
    replayReopened(file, 'a directory', opening),
  );

  test.skipIf(isFast).each(files)('number %s is answered alike in a directory', (file) => {
    const calls = readRecorded(`${kind.node}.wallet-${file}`, from);
    const rpc = open(kind, openStore(join(directory, `${kind.node}-${file}`)));
    replay(`${kind.node}.wallet-${file}`, calls, rpc, 'in a directory');
    rpc.close();
  });
});

describe.each(KINDS)('the recorded histories of $node', (kind) => {
  const [from, files] = shared ? (['shared', FULL] as const) : (['sample', SAMPLE] as const);

  test.skipIf(isFast).each(files)('number %s is answered alike by three processes on one store', (file) => {
    const calls = readRecorded(`${kind.node}.wallet-${file}`, from);
    replay(
      `${kind.node}.wallet-${file}`,
      calls,
      openSeveral(kind, 3, createSharedRecords().open),
      'among three processes',
    );
  });
});
