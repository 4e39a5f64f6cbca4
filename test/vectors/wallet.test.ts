import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openSharedJournal } from '../../src/node/sharedJournal.ts';
import { openStore } from '../../src/store/openStore.ts';
import { walletDivergences } from '../divergences.ts';
import { eccFor } from '../support/arithmetic.ts';
import { isFast, type Recorded, readRecorded, shared } from '../support/corpus.ts';
import { createMemoryStore, createNodeRpc, type JournalStore, type NodeRpc } from '../support/library.ts';
import { quickScrypt } from '../support/quickScrypt.ts';
import { answerOf, isAnswered } from '../support/recordedAnswers.ts';
import { report } from '../support/report.ts';
import { createSharedRecords } from '../support/sharedRecords.ts';
import { createSnapshotStore } from '../support/snapshots.ts';

/** Replays recorded histories of nodes with wallets, and compares the answers line by line. */

const FULL = Array.from({ length: 8 }, (_, i) => `0${i}`);
const SAMPLE = ['03'];
/** Whether to open the node anew before each line; by default, before some lines of one history. */
const everyLine = process.env['COUNTERSIGN_EVERY_LINE'] !== undefined;
const QUERIES = ['listunspent', 'listsinceblock', 'getaddressinfo'];
const KINDS = [
  { node: 'litecoin-0.21', network: 'litecoin-regtest', dialect: 'litecoin-0.21' },
  { node: 'core-31', network: 'regtest', dialect: 'core-31' },
] as const;

const directory = mkdtempSync(join(tmpdir(), 'countersign-wallets-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function open({ network, dialect }: (typeof KINDS)[number], store: JournalStore): NodeRpc {
  let next = 1;
  const random = (size: number): Uint8Array => new Uint8Array(size).fill(next++);
  const options = { network, dialect, store, ecc: eccFor('shared'), scrypt: quickScrypt };
  // The nodes ran with these options; Core replaces transactions without the second.
  const policy = { acceptnonstdtxn: true, mempoolreplacement: true };
  return createNodeRpc({ ...policy, ...options, clock: () => 0, random });
}

interface Difference {
  readonly call: Recorded;
  readonly answer: unknown;
}

/** Replays a corpus: every difference must be a known divergence, and as frequent as stated. */
function replay(corpus: string, calls: readonly Recorded[], rpc: NodeRpc, place = 'in memory'): void {
  const asked = calls.filter(({ label }) => label !== 'info');
  const differences = asked.flatMap((call): readonly Difference[] => {
    const answer = answerOf(rpc, call);
    return isAnswered(call, answer) ? [] : [{ call, answer }];
  });
  const excused = Object.values(walletDivergences);
  expect(differences.filter(({ call }) => !excused.some(({ concerns }) => concerns(call)))).toEqual([]);
  for (const { counts, concerns } of excused) {
    expect(differences.filter(({ call }) => concerns(call))).toHaveLength(counts[corpus] ?? 0);
  }
  const total = asked.length;
  const kept = differences.length;
  report({ group: 'recorded answers', subject: `${corpus} ${place}`, passed: total - kept, total, kept });
}

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
    report({ group: 'recorded answers', subject, passed: total, total, note: `opened ${count} times` });
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

/** Calls that concern a process only: each process has its clock, and its unlocked wallets. */
const EVERYWHERE = ['setmocktime', 'walletpassphrase', 'walletlock'];

/** Opens several nodes on one store, one after the other, and deals the calls among them. */
function openSeveral(kind: (typeof KINDS)[number], count: number): NodeRpc {
  const records = createSharedRecords();
  const openOne = (): NodeRpc => open(kind, openSharedJournal(records.open()));
  const first = openOne();
  const nodes = [first];
  const forAll: Recorded[] = [];
  let turn = 0;
  const deal = (method: string, params: Recorded['params'], wallet?: string): unknown => {
    turn += 1;
    if (turn % 40 === 0 && nodes.length < count) {
      const late = openOne();
      for (const call of forAll) answerOf(late, call);
      nodes.push(late);
    }
    const isForAll = EVERYWHERE.includes(method);
    if (isForAll) {
      const call = { method, params, ...(wallet !== undefined && { wallet }) };
      forAll.push(call);
      for (const other of nodes.slice(1)) answerOf(other, call);
    }
    const node = isForAll ? first : nodes[(turn * 7) % nodes.length];
    return (node ?? first).call(method, params, wallet);
  };
  return { ...first, call: deal as NodeRpc['call'] };
}

describe.each(KINDS)('the recorded histories of $node', (kind) => {
  const [from, files] = shared ? (['shared', FULL] as const) : (['sample', SAMPLE] as const);

  test.skipIf(isFast).each(files)('number %s is answered alike by three processes on one store', (file) => {
    const calls = readRecorded(`${kind.node}.wallet-${file}`, from);
    replay(`${kind.node}.wallet-${file}`, calls, openSeveral(kind, 3), 'among three processes');
  });
});
