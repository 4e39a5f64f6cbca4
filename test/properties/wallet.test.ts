import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { touchEach } from '../../src/node/wallet/records/recordIndex.ts';
import { openStore } from '../../src/shell/store/openStore.ts';
import { blockAfter, type MadeBlock } from '../support/blocks.ts';
import { campaign } from '../support/campaign.ts';
import {
  BtcError,
  createMemoryStore,
  type Outpoint,
  type RecordStore,
  type Transaction,
  txid,
} from '../support/library.ts';
import { temporaryPaths } from '../support/temporary.ts';
import { at, begin, index, mine, type Played, play, type Step, steps, undo } from '../support/walletHistory.ts';
import {
  allAnswers,
  ask,
  COIN,
  hexOf,
  LEGACY,
  MODERN,
  makeWorld,
  mempoolOf,
  openWalletRpc,
  payment,
  type WalletWorld,
} from '../support/walletWorld.ts';

// Wallets as state machines: invariants of their answers over random histories.

const KINDS = [
  ['0.21', LEGACY],
  ['31', MODERN],
] as const;

const newPath = temporaryPaths();
const FOREIGN_SCRIPT = 3;

describe.each(KINDS)('wallets of %s', (_, kind) => {
  test('give the same answers after a block of known transactions is connected and invalidated', () => {
    fc.assert(
      fc.property(steps({ undo: 0 }), fc.nat(6), (history, most) => {
        const world = makeWorld(kind);
        const played = begin(world);
        // A conflict makes a node forget for good that a transaction was abandoned.
        const kept = history.filter(({ type }) => type !== 'abandon');
        for (const step of kind === LEGACY ? kept.filter(neverTwice()) : kept) play(world, played, step);
        const before = allAnswers(world);
        const txs = mempoolOf(world).slice(0, most);
        expect(mine(world, played, { script: at(world.scripts, FOREIGN_SCRIPT), txs })).toBeNull();
        if (txs.length > 0) expect(allAnswers(world)).not.toEqual(before);
        undo(world, played);
        expect(allAnswers(world)).toEqual(before);
      }),
      campaign(60),
    );
  });

  test('give the same answers for the same chain, whatever branches and transactions they saw before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(index, index, index), { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(3), { minLength: 2, maxLength: 6 }),
        fc.array(fc.tuple(fc.nat(6), fc.nat(12), fc.boolean()), { maxLength: 6 }),
        (payments, sizes, detours) => {
          // Some payments spend keys of the wallet, and nothing signs them.
          const straight = makeWorld(kind, { assumevalid: 'all' });
          const { chain, txs } = finalChain(straight, payments, sizes);
          for (const block of chain) expect(ask(straight.rpc, 'submitblock', [block.hex])).toBeNull();
          const winding = makeWorld(kind, { assumevalid: 'all' });
          for (const [height, block] of chain.entries()) {
            for (const detour of detours) takeDetour(winding, detour, { height, chain, txs });
            expect(['inconclusive', null]).toContainEqual(ask(winding.rpc, 'submitblock', [block.hex]));
          }
          expect(ask(winding.rpc, 'getbestblockhash')).toBe(chain.at(-1)?.hash);
          expect(timeless(allAnswers(winding))).toEqual(timeless(allAnswers(straight)));
        },
      ),
      campaign(60),
    );
  });

  test('give the same answers after they are opened anew', () => {
    fc.assert(
      fc.property(steps({ undo: 2, import: 1, settings: 3 }), (history) => {
        const store = createMemoryStore();
        const world = makeWorld(kind, { store });
        const played = begin(world);
        for (const step of history) play(world, played, step);
        expect(allAnswers({ ...world, rpc: openWalletRpc(kind, store) })).toEqual(allAnswers(world));
      }),
      campaign(40),
    );
  });

  test('give the same answers if they are opened anew before each step, in memory and in a directory', () => {
    fc.assert(
      fc.property(steps({ undo: 2, import: 1, settings: 3 }), fc.boolean(), (history, isInMemory) => {
        const path = newPath();
        const memory = createMemoryStore();
        let store = isInMemory ? memory : openStore(path);
        let world = makeWorld(kind, { store });
        const twin = makeWorld(kind);
        const [played, alike] = [begin(world), begin(twin)];
        for (const step of history) {
          if (!isInMemory) {
            world.rpc.close();
            store = openStore(path);
          }
          world = { ...world, rpc: openWalletRpc(kind, store) };
          expect(play(world, played, step)).toEqual(play(twin, alike, step));
          expect(allAnswers(world)).toEqual(allAnswers(twin));
        }
        world.rpc.close();
      }),
      campaign(8),
    );
  });

  test('give the same answers if all coins are computed anew', () => {
    fc.assert(
      fc.property(steps({ undo: 2, import: 2, settings: 3 }), (history) => {
        const world = makeWorld(kind);
        const played = begin(world);
        for (const step of history) {
          play(world, played, step);
          const indexed = allAnswers(world);
          world.rpc.node.inCall(() => {
            const wallet = world.rpc.node.wallets.get('w');
            if (wallet) touchEach(wallet);
          });
          expect(allAnswers(world)).toEqual(indexed);
        }
      }),
      campaign(12),
    );
  });

  test('do not change if a change cannot be stored', () => {
    fc.assert(
      fc.property(
        steps({ undo: 2, settings: 3 }),
        fc.array(fc.nat(3), { minLength: 25, maxLength: 25 }),
        (history, luck) => {
          const disk = { isFull: false };
          const store = createMemoryStore();
          const world = makeWorld(kind, { store: breakable(store, disk) });
          const twin = makeWorld(kind);
          const [played, alike] = [begin(world), begin(twin)];
          for (const [i, step] of history.filter(({ type }) => type !== 'reload').entries()) {
            disk.isFull = luck[i] === 0;
            const answer = playWhole(world, played, step);
            disk.isFull = false;
            if (answer === FULL) expect(allAnswers(world)).toEqual(allAnswers(twin));
            else expect(play(twin, alike, step)).toEqual(answer);
          }
          expect(allAnswers(world)).toEqual(allAnswers(twin));
          expect(allAnswers({ ...world, rpc: openWalletRpc(kind, store) })).toEqual(allAnswers(twin));
        },
      ),
      campaign(40),
    );
  });

  test('refuse corrupted blocks without changing, or connect them', () => {
    const mutation = fc.record({ at: fc.nat(), byte: fc.integer({ min: 1, max: 255 }), cut: fc.option(fc.nat()) });
    fc.assert(
      fc.property(mutation, fc.array(index, { maxLength: 3 }), ({ at: place, byte, cut }, coins) => {
        const world = makeWorld(kind);
        const before = allAnswers(world);
        const txs = [...new Set(coins)].map((coin) =>
          payment(at(world.coins, coin), [at(world.scripts, coin), at(world.scripts, 0)]),
        );
        const { hex } = blockAfter(world.base, { txs: txs.filter(neverSpent()) });
        const bytes = Buffer.from(hex, 'hex');
        bytes[place % bytes.length] = (bytes[place % bytes.length] ?? 0) ^ byte;
        const bad = bytes.subarray(0, cut === null ? bytes.length : cut % bytes.length).toString('hex');
        const answer = ask(world.rpc, 'submitblock', [bad]);
        if (answer !== null) expect(allAnswers(world)).toEqual(before);
        else expect(ask(world.rpc, 'getblockcount')).toBe(world.base.height + 1);
      }),
      campaign(200),
    );
  });
});

/** Filters out steps that spend a coin twice: 0.21 never forgets conflicts with blocks that were disconnected. */
function neverTwice(): (step: Step) => boolean {
  const coins = new Set<number>();
  return (step) => {
    if (step.type !== 'pay') return true;
    if (coins.has(step.coin)) return false;
    coins.add(step.coin);
    return true;
  };
}

function neverSpent(): (tx: Transaction) => boolean {
  const spent = new Set<string>();
  return ({ inputs }) => {
    const names = inputs.map(({ outpoint }) => `${idName(outpoint)}`);
    if (names.some((name) => spent.has(name))) return false;
    for (const name of names) spent.add(name);
    return true;
  };
}

const idName = ({ txid: id, vout }: Outpoint): string => `${Buffer.from(id).toString('hex')}:${vout}`;

/** Makes a chain of blocks with payments that build on each other and spend each coin once. */
function finalChain(
  world: WalletWorld,
  payments: readonly (readonly [number, number, number])[],
  sizes: readonly number[],
): { readonly chain: readonly MadeBlock[]; readonly txs: readonly Transaction[] } {
  const coins = world.coins.map((outpoint) => ({ outpoint, value: COIN }));
  const txs = payments.map(([coin, first, second]) => {
    const [{ outpoint, value } = at(coins, 0)] = coins.splice(coin % coins.length, 1);
    const tx = payment(outpoint, [at(world.scripts, first), at(world.scripts, second)], (9n * value) / 10n);
    coins.push(...tx.outputs.map((output, vout) => ({ outpoint: { txid: txid(tx), vout }, value: output.value })));
    return tx;
  });
  const waiting = [...txs];
  const chain: MadeBlock[] = [];
  for (const [i, size] of sizes.entries()) {
    const last = i === sizes.length - 1;
    chain.push(blockAfter(chain.at(-1) ?? world.base, { txs: waiting.splice(0, last ? waiting.length : size) }));
  }
  return { chain, txs };
}

/** Submits a block of a side branch, or sends a transaction, which the final chain will contain as well. */
function takeDetour(
  { rpc, base }: WalletWorld,
  [where, which, isBlock]: readonly [number, number, boolean],
  {
    height,
    chain,
    txs,
  }: { readonly height: number; readonly chain: readonly MadeBlock[]; readonly txs: readonly Transaction[] },
): void {
  const tx = at(txs, which);
  if (!isBlock) {
    ask(rpc, 'sendrawtransaction', [hexOf(tx)]);
    return;
  }
  const parent = where >= height ? (chain[height - 1] ?? base) : (chain[where] ?? base);
  // A branch as high as the final chain would stay active: the first tip seen wins.
  if (parent.height + 1 >= base.height + chain.length) return;
  const side = blockAfter(parent, { salt: `${(which % 10).toString()}${where % 10}`.padStart(4, '0'), txs: [tx] });
  ask(rpc, 'submitblock', [side.hex]);
}

/** Removes times of arrival from answers, and sorts lists. */
function timeless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => timeless(item)).sort(byText);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'time' && name !== 'timereceived');
  return Object.fromEntries(members.map(([name, member]) => [name, timeless(member)]));
}

const byText = (a: unknown, b: unknown): number => JSON.stringify(a).localeCompare(JSON.stringify(b), 'en');

/** Wraps a store so that it refuses to write while the disk is full. */
function breakable(store: RecordStore, disk: { isFull: boolean }): RecordStore {
  return {
    ...store,
    write: (changes) => {
      if (disk.isFull) {
        throw new BtcError('store/full', { path: 'w', reason: 'no space' }, 'Cannot use w: the disk is full');
      }
      store.write(changes);
    },
  };
}

const FULL = Symbol('the disk is full');

/** Plays a step; if the store refused it, forgets it and returns `FULL`. */
function playWhole(world: WalletWorld, played: Played, step: Step): unknown {
  const before = { ...played, coins: played.coins.length, txs: played.txs.length };
  const answer = play(world, played, step);
  const isFull = JSON.stringify(answer)?.includes('Nothing was changed: ');
  if (!isFull) return answer;
  played.coins.length = before.coins;
  played.txs.length = before.txs;
  played.tip = before.tip;
  played.blocks = before.blocks;
  return FULL;
}
