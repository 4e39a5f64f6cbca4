import { describe, expect, test } from 'vitest';
import { blockAfter, blocksAfter } from '../../../support/blocks.ts';
import { type Outpoint, txid } from '../../../support/library.ts';
import { ask, makeWorld, payment, put, type WalletKind } from '../../../support/walletWorld.ts';

/** Differences between the contract's documentation of wallets and Bitcoin Core 31. */

const DOCUMENTED: WalletKind = { network: 'regtest', dialect: 'documented' };

type Entry = Readonly<Record<string, unknown>>;
const entriesOf = (rpc: Parameters<typeof ask>[0]): readonly Entry[] =>
  (ask(rpc, 'listsinceblock') as { readonly transactions: readonly Entry[] }).transactions;

describe('the documented dialect', () => {
  test('reports trusted only if true, abandoned only for sent transactions, and bip125-replaceable for all', () => {
    const world = makeWorld(DOCUMENTED);
    const [coin] = world.coins;
    const [own = '', , , foreign = ''] = world.scripts;
    const fromOthers = payment(coin as Outpoint, [own, own]);
    put(world.rpc, fromOthers);
    const ours = payment({ txid: txid(fromOthers), vout: 0 }, [foreign, own], 40_000n);
    put(world.rpc, ours);
    const entries = entriesOf(world.rpc);
    expect(entries.map(({ category }) => category)).toEqual(['receive', 'receive', 'send', 'send', 'receive']);
    for (const entry of entries) {
      expect('trusted' in entry).toBe(false);
      expect('abandoned' in entry).toBe(entry['category'] === 'send');
      expect(entry['bip125-replaceable']).toBe('no');
    }
    const block = blockAfter(world.base, { txs: [fromOthers] });
    world.rpc.call('submitblock', [block.hex]);
    expect(entriesOf(world.rpc).filter(({ trusted }) => trusted)).toHaveLength(3);
  });

  test('gives a coinbase the category generate only above 100 confirmations', () => {
    const world = makeWorld(DOCUMENTED);
    const [own = ''] = world.scripts;
    const mined = blockAfter(world.base, { script: own });
    const categoryAfter = (count: number): unknown => {
      for (const block of [mined, ...blocksAfter(mined, count - 1)]) ask(world.rpc, 'submitblock', [block.hex]);
      const [entry] = entriesOf(world.rpc);
      expect(entry).toMatchObject({ confirmations: count, generated: true });
      return entry?.['category'];
    };
    expect(categoryAfter(100)).toBe('immature');
    expect(categoryAfter(101)).toBe('generate');
  });
});
