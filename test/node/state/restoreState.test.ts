import { describe, expect, test } from 'vitest';
import { activeBlock } from '../../../src/node/chain/chainState.ts';
import type { RecordStore } from '../../../src/node/store/recordStore.ts';
import { BtcError, createMemoryStore, formatHex, type JournalStore } from '../../support/library.ts';
import { refusalOf } from '../../support/refusal.ts';
import { begin, type Played, play, type Step } from '../../support/walletHistory.ts';
import {
  allAnswers,
  ask,
  LEGACY,
  MODERN,
  makeWorld,
  openWalletRpc,
  type WalletWorld,
} from '../../support/walletWorld.ts';

const KINDS = [
  ['0.21', LEGACY],
  ['31', MODERN],
] as const;

/** Each step changes something: the wallet only, the chain only, or both. */
const HISTORY: readonly Step[] = [
  { type: 'pay', coin: 0, to: [0, 3] },
  { type: 'mine', most: 0, miner: 3 },
  { type: 'pay', coin: 1, to: [1, 4] },
  { type: 'mine', most: 1, miner: 0 },
  { type: 'label', address: 0, label: 'again' },
  { type: 'pay', coin: 24, to: [3, 2] },
  { type: 'import', which: 0 },
  { type: 'reload' },
  { type: 'mine', most: 4, miner: 1 },
  { type: 'undo' },
  { type: 'lock', coin: 26, unlock: false },
  { type: 'undo' },
  { type: 'pay', coin: 2, to: [0, 1] },
  { type: 'mine', most: 2, miner: 4 },
  { type: 'remove', tx: 3 },
  { type: 'prove', tx: 3 },
  { type: 'flag', isSet: true },
  { type: 'fee', rate: 0.0002 },
  { type: 'multisig', required: 2 },
  { type: 'remove', tx: 1 },
];

/** A store that refuses chosen changes. */
interface Fallible {
  readonly store: JournalStore;
  /** The part whose next change is refused. */
  fails: 'journal' | 'records' | undefined;
  /** The records after a change that they refused: as before, or unusable until they are reopened, with the change or not. */
  after: 'unchanged' | 'unusable' | 'changed';
  readonly reopened: () => JournalStore;
}

const fault = (path: string): BtcError =>
  new BtcError('store/full', { path, reason: 'no space' }, `Cannot use ${path}: the disk is full`);

function fallible(): Fallible {
  const inner = createMemoryStore();
  let isUsable = true;
  const assertUsable = (): void => {
    if (!isUsable) throw fault('records');
  };
  const records: RecordStore = {
    ...inner.records,
    get: (key) => {
      assertUsable();
      return inner.records.get(key);
    },
    list: (prefix, from) => {
      assertUsable();
      return inner.records.list(prefix, from);
    },
    write: (changes) => {
      assertUsable();
      if (made.fails !== 'records') return inner.records.write(changes);
      made.fails = undefined;
      if (made.after === 'changed') inner.records.write(changes);
      isUsable = made.after === 'unchanged';
      throw fault('records');
    },
  };
  const made: Fallible = {
    fails: undefined,
    after: 'unchanged',
    store: {
      ...inner,
      records,
      append: (entries) => {
        if (made.fails === 'journal') {
          made.fails = undefined;
          throw fault('journal');
        }
        inner.append(entries);
      },
    },
    reopened: () => inner,
  };
  return made;
}

const isRefused = (answer: unknown): boolean => JSON.stringify(answer)?.includes('Nothing was changed: ') ?? false;
const isUnsure = (answer: unknown): boolean => JSON.stringify(answer)?.includes('may or may not be kept') ?? false;

const copied = (played: Played): Played => ({
  ...played,
  coins: [...played.coins],
  txs: [...played.txs],
  parents: new Map(played.parents),
});

/** Returns the answers of a node that is opened anew on a store. */
const reopenedAnswers = (world: WalletWorld, store: JournalStore): unknown =>
  allAnswers({ ...world, rpc: openWalletRpc(world.kind, store) });

describe.each(KINDS)('a node of %s', (_, kind) => {
  test.each(['journal', 'records'] as const)('changes nothing if its %s refuse any one change', (part) => {
    const disk = fallible();
    const world = makeWorld(kind, { store: disk.store });
    let played = begin(world);
    let refused = 0;
    for (const step of HISTORY) {
      const before = allAnswers(world);
      disk.fails = part;
      const tried = copied(played);
      if (isRefused(play(world, tried, step))) {
        refused += 1;
        expect(allAnswers(world)).toEqual(before);
        expect(reopenedAnswers(world, disk.reopened())).toEqual(before);
        expect(isRefused(play(world, played, step))).toBe(false);
      } else {
        disk.fails = undefined;
        played = tried;
      }
      expect(reopenedAnswers(world, disk.reopened())).toEqual(allAnswers(world));
    }
    expect(refused).toBeGreaterThan(HISTORY.length / 3);
  });

  test.each([
    ['unusable', 'before'],
    ['changed', 'after'],
  ] as const)('whose records become %s is as %s the call once it is opened again', (after, state) => {
    let unsure = 0;
    for (const [i, step] of HISTORY.entries()) {
      const disk = fallible();
      const world = makeWorld(kind, { store: disk.store });
      const twin = makeWorld(kind);
      const [played, alike] = [begin(world), begin(twin)];
      for (const earlier of HISTORY.slice(0, i)) {
        play(world, played, earlier);
        play(twin, alike, earlier);
      }
      disk.fails = 'records';
      disk.after = after;
      const answer = play(world, played, step);
      expect(isRefused(answer)).toBe(false);
      if (!isUnsure(answer)) continue;
      unsure += 1;
      expect(ask(world.rpc, 'listunspent')).toMatchObject({
        code: -20,
        message: 'The store failed: the last change may or may not be kept; reopen the store to see',
      });
      if (state === 'after') play(twin, alike, step);
      expect(reopenedAnswers(world, disk.reopened())).toEqual(allAnswers(twin));
    }
    expect(unsure).toBeGreaterThan(HISTORY.length / 3);
  });
});

/** Copies a store in memory, with some of its records, or none. */
function copyOf(store: JournalStore, keeps: (key: string) => boolean): JournalStore {
  const copy = createMemoryStore();
  copy.append([...store.read()]);
  copy.records.write([...store.records.list('')].filter(([key]) => keeps(key)));
  return copy;
}

const recordsOf = ({ records }: JournalStore): readonly (readonly [string, Uint8Array])[] => [...records.list('')];

/** Replaces the records of a store. */
function putBack(store: JournalStore, records: readonly (readonly [string, Uint8Array])[]): void {
  store.records.write(recordsOf(store).map(([key]) => [key, undefined] as const));
  store.records.write(records);
}

test('a change whose outcome is unknown is not written by a later call, once the store works again', () => {
  const inner = createMemoryStore();
  let failures = 0;
  const failing = <A extends readonly unknown[], R>(work: (...args: A) => R) => {
    return (...args: A): R => {
      if (failures === 0) return work(...args);
      failures -= 1;
      throw fault('records');
    };
  };
  const { write } = inner.records;
  const store = { ...inner, read: failing(inner.read), records: { ...inner.records, write: failing(write) } };
  const world = makeWorld(MODERN, { store });
  const before = allAnswers(world);
  const kept = recordsOf(inner);
  failures = 2;
  const answer = play(world, begin(world), { type: 'mine', most: 9, miner: 0 });
  expect(isUnsure(answer)).toBe(true);
  expect(failures).toBe(0);
  expect(isUnsure(ask(world.rpc, 'listunspent'))).toBe(true);
  expect(recordsOf(inner)).toEqual(kept);
  expect(reopenedAnswers(world, inner)).toEqual(before);
});

describe.each(KINDS)('the records of a node of %s', (_, kind) => {
  test('that lost the last commit lose what came with it; those that lost two are refused', () => {
    const store = createMemoryStore();
    const world = makeWorld(kind, { store });
    const played = begin(world);
    const commits: { readonly records: ReturnType<typeof recordsOf>; readonly answers: unknown }[] = [];
    const note = (): void => void commits.push({ records: recordsOf(store), answers: allAnswers(world) });
    note();
    for (const coin of [0, 1, 2]) {
      play(world, played, { type: 'pay', coin, to: [coin, 1] });
      note();
    }
    putBack(store, commits[1]?.records ?? []);
    const refusal = refusalOf(() => openWalletRpc(kind, store));
    expect(refusal).toMatchObject({ code: 'store/corrupt', data: { path: 'records', reason: 'state' } });
    putBack(store, commits[2]?.records ?? []);
    expect(reopenedAnswers(world, store)).toEqual(commits[2]?.answers);
    // The entries are gone for good.
    expect(reopenedAnswers(world, store)).toEqual(commits[2]?.answers);
  });

  test('lose what came with a commit that never happened also on a full disk', () => {
    const store = createMemoryStore();
    const world = makeWorld(kind, { store });
    const played = begin(world);
    play(world, played, { type: 'pay', coin: 0, to: [0, 1] });
    const [records, answers] = [recordsOf(store), allAnswers(world)];
    play(world, played, { type: 'pay', coin: 1, to: [1, 1] });
    putBack(store, records);
    const full = (): void => {
      throw fault('journal');
    };
    const reopened = openWalletRpc(kind, { ...store, append: full, rewrite: full });
    expect(allAnswers({ ...world, rpc: reopened })).toEqual(answers);
    expect(reopenedAnswers(world, store)).toEqual(answers);
  });

  test('are not used beside an older journal, which lacks what came with them', () => {
    const store = createMemoryStore();
    const world = makeWorld(kind, { store });
    const played = begin(world);
    play(world, played, { type: 'pay', coin: 0, to: [0, 1] });
    const older = [...store.read()];
    for (const step of [
      { type: 'label', address: 0, label: 'new' },
      { type: 'mine', most: 0, miner: 3 },
      { type: 'mine', most: 9, miner: 0 },
      { type: 'label', address: 0, label: 'newer' },
    ] as const) {
      play(world, played, step);
    }
    const entries = [...store.read()];
    // Entries without a commit may be lost: an older copy of the journal is then whole.
    store.rewrite(entries.slice(0, -1));
    openWalletRpc(kind, store);
    for (let length = older.length; length < entries.length - 1; length += 1) {
      store.rewrite(entries.slice(0, length));
      expect(refusalOf(() => openWalletRpc(kind, store))).toMatchObject({
        code: 'store/corrupt',
        data: { path: 'journal', reason: 'state' },
        message: expect.stringMatching(/^The journal is older than the records of the chain: restore both /),
      });
    }
    // The way out: the same blocks again.
    const blocks = blocksOf(world);
    const lost = copyOf(store, () => false);
    lost.rewrite(older);
    const reopened = openWalletRpc(kind, lost);
    for (const hex of blocks) expect(ask(reopened, 'submitblock', [hex])).toBeNull();
    expect(countOf(reopened)).toBe(countOf(world.rpc));
  });

  test('that are gone leave the wallets their transactions, and come back with the same blocks', () => {
    const store = createMemoryStore();
    const world = makeWorld(kind, { store });
    const played = begin(world);
    const confirmed = HISTORY.filter(({ type }) => type !== 'undo' && type !== 'remove');
    for (const step of [...confirmed, { type: 'mine', most: 9, miner: 3 } as const]) play(world, played, step);
    const before = allAnswers(world);
    const lost = copyOf(store, () => false);
    const reopened = openWalletRpc(kind, lost);
    expect(reopened.node.hasLostChain).toBe(true);
    expect(ask(reopened, 'getblockcount')).toBe(0);
    expect(countOf(reopened)).toBe(countOf(world.rpc));
    expect(countOf(reopened)).toBeGreaterThan(3);
    expect(ask(reopened, 'listunspent')).toEqual([]);
    // Opening it again changes nothing more.
    const entries = [...lost.read()].length;
    expect(openWalletRpc(kind, lost).node.hasLostChain).toBe(false);
    expect([...lost.read()]).toHaveLength(entries);
    for (const hex of blocksOf(world)) expect(ask(reopened, 'submitblock', [hex])).toBeNull();
    expect(allAnswers({ ...world, rpc: reopened })).toEqual(before);
    expect(reopenedAnswers(world, lost)).toEqual(before);
  });

  test('that are gone are noticed again if a crash interrupts the opening, and also without a payment', () => {
    const store = createMemoryStore();
    const world = makeWorld(kind, { store });
    play(world, begin(world), { type: 'mine', most: 0, miner: 0 });
    const lost = copyOf(store, () => false);
    const write = (): void => {
      throw fault('records');
    };
    const interrupted = (): void => void openWalletRpc(kind, { ...lost, records: { ...lost.records, write } });
    expect(refusalOf(interrupted).code).toBe('store/full');
    const reopened = openWalletRpc(kind, lost);
    expect(reopened.node.hasLostChain).toBe(true);
    expect(ask(reopened, 'listsinceblock')).toMatchObject({ transactions: [{ confirmations: 0 }] });

    const watcher = createMemoryStore();
    const rpc = openWalletRpc(kind, watcher);
    for (const hex of blocksOf(world)) ask(rpc, 'submitblock', [hex]);
    ask(rpc, 'createwallet', ['w', true]);
    expect(
      openWalletRpc(
        kind,
        copyOf(watcher, () => false),
      ).node.hasLostChain,
    ).toBe(true);
  });
});

/** Counts the transactions of the wallet. */
const countOf = (rpc: WalletWorld['rpc']): number =>
  (ask(rpc, 'getwalletinfo') as { readonly txcount: number }).txcount;

/** Returns the blocks of the active chain, in hex. */
function blocksOf({ rpc: { node } }: WalletWorld): readonly string[] {
  const { chain } = node;
  return Array.from({ length: chain.counts.height }, (_, i) => {
    const { bytes = new Uint8Array(0) } = chain.bodies.get(activeBlock(chain, i + 1).key) ?? {};
    return formatHex(bytes);
  });
}
