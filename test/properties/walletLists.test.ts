import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesKey } from '../../src/core/bytes/compare.ts';
import { scriptKey } from '../../src/core/script/scriptKey.ts';
import { addRecords, type Balances, computeBalances } from '../../src/node/wallet/queries/balances.ts';
import { countEntries, listedOutputs } from '../../src/node/wallet/queries/entryCounts.ts';
import { isMine } from '../../src/node/wallet/queries/ownership.ts';
import { receivedBy } from '../../src/node/wallet/queries/received.ts';
import type { View } from '../../src/node/wallet/queries/txQueries.ts';
import { entriesWithLabel } from '../../src/node/wallet/records/addressBook.ts';
import { noAmounts } from '../../src/node/wallet/records/amounts.ts';
import { paymentTarget } from '../../src/node/wallet/records/payments.ts';
import { recordsByArrival } from '../../src/node/wallet/records/recordIndex.ts';
import { chainDepth } from '../../src/node/wallet/records/records.ts';
import type { BookEntry, Wallet } from '../../src/node/wallet/records/walletState.ts';
import { campaign } from '../support/campaign.ts';
import { parseHex } from '../support/library.ts';
import { begin, play, steps } from '../support/walletHistory.ts';
import { ask, LEGACY, MODERN, makeWorld, NOW, type WalletWorld } from '../support/walletWorld.ts';

// Lists and balances from indexes and running sums equal those of a walk over all records.

function viewOf({ rpc: { node } }: WalletWorld): View {
  const wallet = node.wallets.get('w');
  if (!wallet) throw new Error('no wallet');
  return { wallet, chain: node.chain, now: NOW, trustsOwn: true };
}

function walkedBalances(
  view: View,
  query: { readonly minDepth: number; readonly countsNonmempool: boolean },
): Balances {
  const balances = { trusted: noAmounts(), pending: noAmounts(), immature: noAmounts(), nonmempool: noAmounts() };
  addRecords(balances, recordsByArrival(view.wallet), { ...query, view });
  return balances;
}

/** Sums the outputs to a script, of transactions with some confirmations, without coinbases. */
function walkedPayments(wallet: Wallet, script: Uint8Array, minDepth: number): bigint {
  const paying = [...recordsByArrival(wallet)].filter((wtx) => !wtx.isCoinbase && chainDepth(wallet, wtx) >= minDepth);
  return paying
    .flatMap(({ tx }) => tx.outputs)
    .filter(({ scriptPubKey }) => paymentTarget(wallet, scriptPubKey) === scriptKey(script))
    .reduce((sum, { value }) => sum + value, 0n);
}

function assertWalked(world: WalletWorld, minDepth: number): void {
  const view = viewOf(world);
  for (const query of [
    { minDepth: 0, countsNonmempool: true },
    { minDepth, countsNonmempool: false },
  ]) {
    expect(computeBalances(view, query)).toEqual(walkedBalances(view, query));
  }
  // Core 31 counts coinbases, too.
  if (world.kind !== LEGACY) return;
  for (const script of world.scripts.map((hex) => parseHex(hex))) {
    const received = receivedBy(view, script, { minDepth, includesImmature: false });
    expect(received?.amount ?? 0n).toBe(walkedPayments(view.wallet, script, minDepth));
  }
}

/** Counts of entries that lists keep equal those made anew. */
function assertCounted({ wallet }: View): void {
  for (const filter of ['own', 'all'] as const) {
    const records = [...recordsByArrival(wallet)];
    const counted = records.map((record) => countEntries(wallet, record, filter));
    const walked = records.map((record) => {
      const { debits, outputs } = listedOutputs(wallet, record, { filter, includesChange: false });
      const received = chainDepth(wallet, record) < 0 ? [] : outputs.filter(({ isMeant }) => isMeant);
      return (debits[filter] > 0n ? outputs.length : 0) + received.length;
    });
    expect(counted).toEqual(walked);
  }
}

const entriesIn = ({ book }: Wallet): readonly BookEntry[] => [...book.entries()].map(([, entry]) => entry);

const labelsIn = (wallet: Wallet): readonly string[] => [
  ...new Set(entriesIn(wallet).flatMap(({ label }) => label ?? [])),
];

/** The entries of all transactions, the latest first. */
const latestFirst = (world: WalletWorld): readonly EntryJson[] =>
  [...(ask(world.rpc, 'listtransactions', ['*', 1000, 0, true]) as readonly EntryJson[])].reverse();

type EntryJson = Readonly<Record<string, unknown>>;

describe.each([
  ['0.21', LEGACY, false],
  ['0.21 with avoid_reuse', LEGACY, true],
  ['31', MODERN, false],
  ['31 with avoid_reuse', MODERN, true],
] as const)('a wallet of %s', (_, kind, avoidsReuse) => {
  test('answers from its indexes as from a walk over all records, after each step of a history', () => {
    fc.assert(
      fc.property(steps({ undo: 2, import: 1, settings: 3 }), fc.nat(130), (history, minDepth) => {
        const world = makeWorld(kind, { avoidsReuse });
        const played = begin(world);
        for (const step of history) {
          play(world, played, step);
          assertWalked(world, minDepth);
          assertCounted(viewOf(world));
        }
      }),
      campaign(25),
    );
  });

  test('lists any part of its transactions as that part of all, and each receipt under its address', () => {
    fc.assert(
      fc.property(steps({ undo: 1, import: 1, settings: 3 }), fc.nat(12), fc.nat(12), (history, count, skip) => {
        const world = makeWorld(kind, { avoidsReuse });
        const played = begin(world);
        for (const step of history) play(world, played, step);
        const all = latestFirst(world);
        const part = ask(world.rpc, 'listtransactions', ['*', count, skip, true]) as readonly unknown[];
        expect([...part].reverse()).toEqual(all.slice(skip, skip + count));
        for (const label of labelsIn(viewOf(world).wallet)) {
          if (label === '' || label === '*') continue;
          const labelled = ask(world.rpc, 'listtransactions', [label, 1000, 0, true]) as readonly EntryJson[];
          const found = all.filter((entry) => entry['category'] !== 'send' && entry['label'] === label);
          expect([...labelled].reverse()).toEqual(found);
        }
        const since = ask(world.rpc, 'listsinceblock', ['', 1, true]) as { readonly transactions: readonly unknown[] };
        expect(all.map((entry) => JSON.stringify(entry)).sort()).toEqual(
          since.transactions.map((entry) => JSON.stringify(entry)).sort(),
        );
      }),
      campaign(25),
    );
  });

  test('finds exactly the scripts of the labelled addresses, by label', () => {
    fc.assert(
      fc.property(steps({ undo: 1, import: 1, settings: 3 }), (history) => {
        const world = makeWorld(kind, { avoidsReuse });
        const played = begin(world);
        for (const step of history) play(world, played, step);
        const { wallet } = viewOf(world);
        const named = (label: string, { script }: BookEntry): string => `${label} ${bytesKey(script)}`;
        const byLabel = labelsIn(wallet).flatMap((label) =>
          entriesWithLabel(wallet, label).map((entry) => named(label, entry)),
        );
        const byScript = entriesIn(wallet).flatMap((entry) =>
          entry.label === undefined ? [] : [named(entry.label, entry)],
        );
        expect(byLabel.sort()).toEqual(byScript.sort());
        const receiving = entriesIn(wallet).filter(
          ({ label, purpose }) => label !== undefined && purpose === 'receive',
        );
        expect(receiving.every(({ script }) => isMine(wallet, script))).toBe(true);
      }),
      campaign(25),
    );
  });
});
