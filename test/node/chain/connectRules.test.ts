import { describe, expect, test } from 'vitest';
import { decodeBlock, HEADER_SIZE } from '../../../src/node/chain/block.ts';
import { chainTx } from '../../../src/node/chain/chainTx.ts';
import { placeBlock } from '../../../src/node/chain/connect.ts';
import { connectFault } from '../../../src/node/chain/connectRules.ts';
import type { Fault } from '../../../src/node/chain/fault.ts';
import { lifeOf } from '../../support/blockLife.ts';
import { blockAfter, blockOf, blocksAfter, coinbaseOf, GENESIS, type MadeBlock, spend } from '../../support/blocks.ts';
import { submit } from '../../support/feeding.ts';
import { COINBASE_VALUE, coinOf, FUNDS, fund, LAST, openMature, outputOf, withInputs } from '../../support/funded.ts';
import {
  formatHex,
  formatTxid,
  hash160,
  type NodeRpc,
  networks,
  parseHex,
  parseTxid,
  sha256,
  type Transaction,
  type TxIn,
  txid,
  wtxid,
} from '../../support/library.ts';

const NO_COIN = { txid: parseTxid('11'.repeat(32)), vout: 0 };
const idOf = (tx: Transaction): string => formatTxid(txid(tx));
const next = (...txs: readonly Transaction[]): MadeBlock => blockAfter(LAST, { txs });

const pushed = (hex: string): string => `${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`;
const p2sh = (script: string): string => `a914${formatHex(hash160(parseHex(script)))}87`;
const p2wsh = (script: string): string => `0020${formatHex(sha256(parseHex(script)))}`;

/** Returns why a block cannot follow the last one of a node, whatever its proof of work. */
function faultOf({ node }: NodeRpc, { hex }: MadeBlock): Fault | undefined {
  const bytes = parseHex(hex);
  const { hash, txs, txids } = decodeBlock(bytes);
  return node.inCall(() => {
    const block = placeBlock(node.chain, bytes.slice(0, HEADER_SIZE), hash);
    return connectFault(
      node.chain,
      block,
      txs.map((tx, i) => chainTx(tx, txids[i])),
    );
  });
}

/** Adds to what a block's coinbase pays. */
function withMore(block: MadeBlock, parent: MadeBlock, added: bigint): MadeBlock {
  const [first = spend([]), ...others] = block.txs;
  const outputs = first.outputs.map((output) => ({ ...output, value: output.value + added }));
  return blockOf(parent, [{ ...first, outputs }, ...others]);
}

describe.each(['core-0.21', 'core-32'] as const)('what a block spends, for %s', (dialect) => {
  const rpc = openMature(dialect);
  /** Release 0.21 gives the reason alone, or without the transaction. */
  const fault = (reason: string, detail: string, old?: string): Fault => {
    const shown = dialect === 'core-0.21' ? old : detail;
    return { reason, ...(shown !== undefined && { detail: shown }) };
  };
  const missing = (tx: Transaction): Fault => {
    const detail = 'CheckTxInputs: inputs missing/spent';
    return fault('bad-txns-inputs-missingorspent', `${detail} in transaction ${idOf(tx)}`, detail);
  };
  const mature = spend([coinOf(1)]);

  test('are coins of the chain, or of earlier transactions in the block, once', () => {
    const child = spend([outputOf(mature)]);
    expect(faultOf(rpc, next(mature, child))).toBeUndefined();
    const rival = spend([coinOf(1)], '52');
    const grandchild = spend([outputOf(mature), coinOf(2)], '53');
    for (const [txs, bad] of [
      [[spend([NO_COIN])], spend([NO_COIN])],
      [[spend([coinOf(1), { ...coinOf(1), vout: 1 }])], spend([coinOf(1), { ...coinOf(1), vout: 1 }])],
      [[child, mature], child],
      [[mature, rival], rival],
      [[mature, child, grandchild], grandchild],
    ] as const) {
      expect(faultOf(rpc, next(...txs))).toEqual(missing(bad));
    }
  });

  test('are not outputs that nobody can spend', () => {
    const burning = spend([coinOf(1)], '6a');
    const digging = spend([outputOf(burning)]);
    expect(faultOf(rpc, next(burning, digging))).toEqual(missing(digging));
  });

  test('are coinbases that are 100 blocks deep', () => {
    const early = (depth: number, tx: Transaction): Fault => {
      const detail = `tried to spend coinbase at depth ${depth}`;
      return fault('bad-txns-premature-spend-of-coinbase', `${detail} in transaction ${idOf(tx)}`, detail);
    };
    expect(faultOf(rpc, next(spend([coinOf(2)])))).toBeUndefined();
    const young = spend([coinOf(1), coinOf(3)]);
    expect(faultOf(rpc, next(young))).toEqual(early(99, young));
    const own = next();
    const atOnce = spend([outputOf(coinbaseOf(own))]);
    expect(faultOf(rpc, blockOf(LAST, [coinbaseOf(own), atOnce]))).toEqual(early(0, atOnce));
  });

  test('is at least what it pays', () => {
    expect(faultOf(rpc, next(spend([coinOf(1)], '51', COINBASE_VALUE)))).toBeUndefined();
    const greedy = spend([coinOf(1)], '51', COINBASE_VALUE + 1n);
    const detail = 'value in (50.00) < value out (50.00000001)';
    expect(faultOf(rpc, next(greedy))).toEqual(
      fault('bad-txns-in-belowout', `${detail} in transaction ${idOf(greedy)}`, detail),
    );
  });

  test('pays the miner, who also gets the subsidy', () => {
    const paying = next(spend([coinOf(1)], '51', COINBASE_VALUE - 7n), spend([coinOf(2)], '51', COINBASE_VALUE - 3n));
    expect(faultOf(rpc, withMore(paying, LAST, 10n))).toBeUndefined();
    expect(faultOf(rpc, withMore(paying, LAST, 11n))).toEqual(
      fault('bad-cb-amount', 'coinbase pays too much (actual=5000000011 vs limit=5000000010)'),
    );
  });

  test('is never more money than there is', () => {
    const small = openMature(dialect, { network: { ...networks.regtest, maxMoney: 6_000_000_000n } });
    const both = spend([coinOf(1), coinOf(2)]);
    expect(faultOf(small, next(both))).toEqual(
      fault('bad-txns-inputvalues-outofrange', ` in transaction ${idOf(both)}`),
    );
    const fees = [1, 2].map((height) => spend([coinOf(height)], '51', 0n));
    expect(faultOf(small, next(...fees))).toEqual(
      fault('bad-txns-accumulated-fee-outofrange', 'accumulated fee in the block out of range'),
    );
  });

  test('has the age that its sequences demand, of version 2', () => {
    const { block, coins } = fund(['51']);
    const funded = openMature(dialect, {}, [block]);
    const locked = (sequence: number, version = 2): Transaction => ({
      ...withInputs(spend(coins), { sequence }),
      version,
    });
    const placed = (tx: Transaction): MadeBlock => blockAfter(block, { txs: [tx] });
    const [one, hours] = [1, 0x0040_0000];
    // The coin is one block old; median times are 600 seconds apart.
    for (const tx of [locked(one), locked(hours | 1), locked(2, 1), locked(0x8000_0002)])
      expect(faultOf(funded, placed(tx))).toBeUndefined();
    for (const tx of [locked(2), locked(hours | 2), locked(2, 0xffff_ffff), locked(0xffff)]) {
      expect(faultOf(funded, placed(tx))).toEqual(
        fault('bad-txns-nonfinal', `contains a non-BIP68-final transaction ${idOf(tx)}`),
      );
    }
  });

  test('counts signatures of all kinds, up to 80000', () => {
    // OP_0 OP_IF, 15 times OP_CHECKSIG, OP_ENDIF OP_1.
    const script = `0063${'ac'.repeat(15)}6851`;
    const { block, coins } = fund([p2sh(script)]);
    const funded = openMature(dialect, {}, [block]);
    const spending = withInputs(spend(coins), { scriptSig: parseHex(pushed(script)) });
    const placed = (legacy: number): MadeBlock =>
      blockAfter(block, { txs: [spending], script: `6a${'ac'.repeat(legacy)}` });
    expect(faultOf(funded, placed(19_985))).toBeUndefined();
    expect(faultOf(funded, placed(19_986))).toEqual(fault('bad-blk-sigops', 'too many sigops'));
  });

  test('overwrites no coin', () => {
    const first = next(mature);
    const funded = openMature(dialect, {}, [first]);
    expect(faultOf(funded, blockAfter(first, { txs: [mature] }))).toEqual(
      fault('bad-txns-BIP30', 'tried to overwrite transaction'),
    );
    // Once it is spent, its place is free, but not what it spends.
    const spender = blockAfter(first, { txs: [spend([outputOf(mature)])] });
    expect(submit(funded, [spender])).toEqual([null]);
    expect(faultOf(funded, blockAfter(spender, { txs: [mature] }))).toEqual(missing(mature));
  });
});

test('the subsidy is halved every 150 blocks on regtest', () => {
  const more = blocksAfter(LAST, 48);
  const rpc = openMature('core-32', {}, more);
  const last = more.at(-1) ?? GENESIS;
  const tooMuch = (actual: bigint, limit: bigint): Fault => ({
    reason: 'bad-cb-amount',
    detail: `coinbase pays too much (actual=${actual} vs limit=${limit})`,
  });
  expect(last.height).toBe(149);
  expect(faultOf(rpc, blockAfter(last))).toBeUndefined();
  expect(faultOf(rpc, withMore(blockAfter(last), last, 1n))).toEqual(tooMuch(2_500_000_001n, 2_500_000_000n));
});

/** A signature whose R has a needless zero, and a key. */
const LOOSE_DER = '30070202000102010101';
const KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

describe('scripts in a block', () => {
  /** What each rule of blocks refuses: a script, how it is spent, and the error. */
  const REFUSED: readonly (readonly [string, string, Partial<TxIn>, string])[] = [
    ['that fail', '00', {}, 'Script evaluated without error but finished with a false/empty top stack element'],
    ['P2SH', p2sh('00'), { scriptSig: parseHex('0100') }, 'false/empty top stack element'],
    ['WITNESS', p2wsh('51'), {}, 'Witness program was passed an empty witness'],
    ['WITNESS, unexpected', '51', { witness: [Uint8Array.of(1)] }, 'Witness provided for non-witness script'],
    ['TAPROOT', `5120${KEY.slice(2)}`, { witness: [new Uint8Array(64)] }, 'Invalid Schnorr signature'],
    ['DERSIG', `21${KEY}ac91`, { scriptSig: parseHex(pushed(LOOSE_DER)) }, 'Non-canonical DER signature'],
    ['CHECKLOCKTIMEVERIFY', '0107b17551', {}, 'Locktime requirement not satisfied'],
    ['CHECKSEQUENCEVERIFY', '57b27551', {}, 'Locktime requirement not satisfied'],
    ['NULLDUMMY', '0000ae', { scriptSig: parseHex('51') }, 'Dummy CHECKMULTISIG argument must be zero'],
  ];
  /** What only the policy of the mempool refuses. */
  const TAKEN: readonly (readonly [string, string, Partial<TxIn>])[] = [
    ['a key that nobody signs with', `21${KEY}ac91`, { scriptSig: parseHex('00') }],
    ['a push that could be shorter', '51', { scriptSig: parseHex('0101') }],
    ['a stack that is not clean', '51', { scriptSig: parseHex('51') }],
    ['an opcode for later', 'b951', {}],
    ['a witness version for later', `5220${'11'.repeat(32)}`, { witness: [Uint8Array.of(1)] }],
  ];
  const { block, coins } = fund([...REFUSED, ...TAKEN].map(([, script]) => script));
  const spending = (index: number, input: Partial<TxIn>): Transaction =>
    withInputs(spend(coins.slice(index, index + 1)), input);
  const placed = (...txs: readonly Transaction[]): MadeBlock => blockAfter(block, { txs });
  const nodes = (['core-0.21', 'core-29', 'core-30', 'core-32'] as const).map(
    (dialect) => [dialect, openMature(dialect, {}, [block])] as const,
  );

  test.each(REFUSED.map((row, index) => [...row, index] as const))('obey %s', (_, _script, input, error, index) => {
    const tx = spending(index, input);
    const detail = `input 0 of ${idOf(tx)} (wtxid ${formatTxid(wtxid(tx))}), spending ${formatTxid(tx.inputs[0]?.outpoint.txid ?? txid(tx))}:${index}`;
    for (const [dialect, rpc] of nodes) {
      const fault = faultOf(rpc, placed(tx));
      if (dialect === 'core-0.21') expect(fault).toEqual({ reason: 'block-validation-failed' });
      else {
        const prefix = dialect === 'core-29' ? 'mandatory' : 'block';
        expect(fault).toEqual({ reason: expect.stringContaining(error), detail });
        expect(fault?.reason).toMatch(new RegExp(`^${prefix}-script-verify-flag-failed \\(`));
      }
    }
  });

  test.each(TAKEN.map((row, index) => [...row, REFUSED.length + index] as const))(
    'may have %s',
    (_, _script, input, index) => {
      for (const [, rpc] of nodes) expect(faultOf(rpc, placed(spending(index, input)))).toBeUndefined();
    },
  );

  test('are run last, as by a node with threads', () => {
    const failing = spending(0, {});
    for (const [dialect, rpc] of nodes) {
      const reasonOf = (made: MadeBlock): unknown => faultOf(rpc, made)?.reason;
      expect(reasonOf(placed(failing, spend([NO_COIN])))).toBe('bad-txns-inputs-missingorspent');
      expect(reasonOf(withMore(placed(failing), block, FUNDS))).toBe('bad-cb-amount');
      const reason = dialect === 'core-0.21' ? 'block-validation-failed' : /script-verify-flag-failed/;
      expect(reasonOf(placed(failing))).toMatch(reason);
    }
  });

  test('mark the header of their block', () => {
    const [, rpc] = nodes[3] ?? [];
    const reason = 'block-script-verify-flag-failed (Locktime requirement not satisfied)';
    expect(rpc && lifeOf(rpc, placed(spending(6, {})))).toEqual({
      ...{ proposal: reason, submitted: reason, again: 'duplicate-invalid' },
      ...{ isKnown: true, header: 'duplicate-invalid' },
    });
  });
});
