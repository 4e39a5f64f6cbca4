import { describe, expect, test } from 'vitest';
import { activeTip, type Chain } from '../../../src/node/chain/chainState.ts';
import { maturityFault, meetsRelativeLocks, valueFault } from '../../../src/node/chain/spendRules.ts';
import type { ChainCoin } from '../../../src/node/chain/types.ts';
import { blocksAfter, GENESIS, type MadeBlock, spend } from '../../support/blocks.ts';
import { change, openNode, submit } from '../../support/feeding.ts';
import { withInputs } from '../../support/funded.ts';
import { networks, parseHex, parseTxid, type Transaction } from '../../support/library.ts';

const BLOCKS = blocksAfter(GENESIS, 30);
const coin = (height: number | undefined, more: Partial<ChainCoin> = {}): ChainCoin => ({
  ...{ value: 1000n, scriptPubKey: Uint8Array.of(0x51), isCoinbase: false },
  height,
  ...more,
});
const NO_COIN = { txid: parseTxid('11'.repeat(32)), vout: 0 };
const locked = (...sequences: readonly number[]): Transaction => ({
  ...spend([NO_COIN]),
  inputs: sequences.flatMap((sequence) => withInputs(spend([NO_COIN]), { sequence }).inputs),
});

/** Works with a chain of 30 blocks, which may begin later. */
function withChain<T>(first: number, work: (chain: Chain) => T): T {
  const rpc = openNode();
  const start = BLOCKS[first - 1];
  if (start) change(rpc, { type: 'start', header: parseHex(start.hex.slice(0, 160)), height: first });
  submit(rpc, BLOCKS.slice(first) as readonly MadeBlock[]);
  return rpc.node.inCall(() => {
    expect(activeTip(rpc.node.chain).height).toBe(30);
    return work(rpc.node.chain);
  });
}

describe('a relative lock', () => {
  const HALF = 0x0040_0000;

  test('in blocks counts from the coin to the next block', () => {
    withChain(0, (chain) => {
      const isMet = (sequence: number, height: number | undefined): boolean =>
        meetsRelativeLocks(chain, locked(sequence), [coin(height)]);
      expect([isMet(11, 20), isMet(12, 20), isMet(30, 1), isMet(31, 1)]).toEqual([true, false, true, false]);
      // A coin of the mempool enters the chain with the next block.
      expect([isMet(0, undefined), isMet(1, undefined)]).toEqual([true, false]);
      expect(isMet(0x8000_ffff, undefined)).toBe(true);
      expect(meetsRelativeLocks(chain, { ...locked(31), version: 1 }, [coin(20)])).toBe(true);
    });
  });

  test('in units of 512 seconds counts from the median time before the coin', () => {
    withChain(0, (chain) => {
      const isMet = (units: number, height: number): boolean =>
        meetsRelativeLocks(chain, locked(HALF | units), [coin(height)]);
      // Eleven blocks, 600 seconds each.
      expect([isMet(12, 20), isMet(13, 20)]).toEqual([true, false]);
      // The genesis block is much older.
      expect([isMet(0xffff, 1), isMet(0xffff, 8)]).toEqual([true, false]);
    });
  });

  test('holds for each input', () => {
    withChain(0, (chain) => {
      const isMet = (...heights: readonly number[]): boolean =>
        meetsRelativeLocks(
          chain,
          locked(5, 9),
          heights.map((height) => coin(height)),
        );
      expect([isMet(26, 22), isMet(27, 22), isMet(26, 23)]).toEqual([true, false, false]);
    });
  });

  test('in time counts as met where the chain lacks the blocks that tell the time', () => {
    withChain(15, (chain) => {
      const isMet = (units: number, height: number): boolean =>
        meetsRelativeLocks(chain, locked(HALF | units), [coin(height)]);
      expect([isMet(0xffff, 16), isMet(0xffff, 25), isMet(0xffff, 26), isMet(5, 26)]).toEqual([
        true,
        true,
        false,
        true,
      ]);
      expect(meetsRelativeLocks(chain, locked(15), [coin(17)])).toBe(false);
    });
  });
});

test('a coinbase has to be 100 blocks deep', () => {
  withChain(0, (chain) => {
    const refused = (depth: number) => ({
      reason: 'bad-txns-premature-spend-of-coinbase',
      detail: `tried to spend coinbase at depth ${depth}`,
    });
    const made = (height: number): ChainCoin => coin(height, { isCoinbase: true });
    expect(maturityFault(chain, [coin(30), made(-69)])).toBeUndefined();
    expect(maturityFault(chain, [coin(30), made(-68)])).toEqual(refused(99));
    expect(maturityFault(chain, [made(12), made(11)])).toEqual(refused(19));
  });
});

test('values are named in coins, without needless zeros', () => {
  const tx = spend([NO_COIN, NO_COIN], '51', 150_000_001n);
  const fault = (...values: readonly bigint[]) =>
    valueFault(
      tx,
      values.map((value) => coin(1, { value })),
      networks.regtest,
    );
  expect(fault(100_000_000n, 50_000_001n)).toBeUndefined();
  expect(fault(100_000_000n, 50_000_000n)).toEqual({
    reason: 'bad-txns-in-belowout',
    detail: 'value in (1.50) < value out (1.50000001)',
  });
  expect(fault(networks.regtest.maxMoney, 1n)).toEqual({ reason: 'bad-txns-inputvalues-outofrange' });
});
