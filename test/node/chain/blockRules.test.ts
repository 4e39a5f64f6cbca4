import { describe, expect, test } from 'vitest';
import { decodeBlock } from '../../../src/node/chain/block.ts';
import { type BlockFault, contentFault, contextualFault } from '../../../src/node/chain/blockRules.ts';
import { blockSizes, blockWeight } from '../../../src/node/chain/blockSizes.ts';
import { activeTip } from '../../../src/node/chain/chainState.ts';
import {
  blockAfter,
  blockOf,
  coinbaseOf,
  committing,
  GENESIS,
  type MadeBlock,
  spend,
  timeAt,
} from '../../support/blocks.ts';
import { openNode, submit } from '../../support/feeding.ts';
import { withInputs } from '../../support/funded.ts';
import { formatTxid, networks, parseHex, parseTxid, type Transaction, txid } from '../../support/library.ts';

const NO_COIN = { txid: parseTxid('11'.repeat(32)), vout: 0 };
const NOTHING = spend([NO_COIN]);
const holding = (...txs: readonly Transaction[]): MadeBlock => blockAfter(GENESIS, { txs });
const COINBASE = coinbaseOf(holding());
const decoded = ({ hex }: MadeBlock) => decodeBlock(parseHex(hex));

describe('the content of a block', () => {
  const faultOf = (made: MadeBlock): BlockFault | undefined => contentFault(decoded(made), networks.regtest);

  test('is explained where it is refused', () => {
    const [other, empty] = [spend([NO_COIN], '52'), { ...NOTHING, outputs: [] }];
    const root = blockOf(GENESIS, [COINBASE], { header: holding(NOTHING).hex.slice(0, 160) });
    const rows: readonly (readonly [MadeBlock, string, string, true?])[] = [
      [root, 'bad-txnmrklroot', 'hashMerkleRoot mismatch', true],
      [blockOf(GENESIS, [COINBASE, NOTHING, other, other]), 'bad-txns-duplicate', 'duplicate transaction', true],
      [blockOf(GENESIS, []), 'bad-blk-length', 'size limits failed'],
      [blockOf(GENESIS, [NOTHING]), 'bad-cb-missing', 'first tx is not coinbase'],
      [holding({ ...COINBASE, version: 1 }, NOTHING), 'bad-cb-multiple', 'more than one coinbase'],
      [holding(empty), 'bad-txns-vout-empty', `Transaction check failed (tx hash ${formatTxid(txid(empty))}) `],
      [holding(spend([NO_COIN], 'ac'.repeat(20_001))), 'bad-blk-sigops', 'out-of-bounds SigOpCount'],
    ];
    for (const [made, reason, detail, isMutated] of rows)
      expect(faultOf(made)).toEqual({ reason, detail, ...(isMutated && { isMutated }) });
  });

  test('is checked in this order', () => {
    const tooLong = spend([NO_COIN], '00'.repeat(1_000_000));
    expect(faultOf(blockOf(GENESIS, [tooLong, tooLong]))?.reason).toBe('bad-txns-duplicate');
    expect(faultOf(blockOf(GENESIS, [tooLong]))?.reason).toBe('bad-blk-length');
    expect(faultOf(blockOf(GENESIS, [NOTHING, COINBASE]))?.reason).toBe('bad-cb-missing');
    const many = spend([NO_COIN], 'ac'.repeat(20_001));
    expect(faultOf(holding(many, { ...NOTHING, outputs: [] }))?.reason).toBe('bad-txns-vout-empty');
  });

  test('may take up to a million bytes without witnesses, and 20000 signatures', () => {
    const padded = (length: number): MadeBlock => holding(spend([NO_COIN], `6a${'00'.repeat(length)}`));
    const { strippedsize } = blockSizes(padded(900_000).txs);
    const exact = 900_000 + 1_000_000 - strippedsize;
    expect(faultOf(padded(exact))).toBeUndefined();
    expect(faultOf(padded(exact + 1))?.reason).toBe('bad-blk-length');
    expect(faultOf(holding(spend([NO_COIN], 'ac'.repeat(20_000))))).toBeUndefined();
    // Each OP_CHECKMULTISIG counts as 20.
    expect(faultOf(holding(spend([NO_COIN], 'ae'.repeat(1000))))).toBeUndefined();
    expect(faultOf(holding(spend([NO_COIN], 'ae'.repeat(1001))))?.reason).toBe('bad-blk-sigops');
  });
});

describe('a block in its place', () => {
  const rpc = openNode();
  const blocks = [blockAfter(GENESIS)];
  for (let height = 2; height <= 12; height += 1) blocks.push(blockAfter(blocks.at(-1) ?? GENESIS));
  submit(rpc, blocks);
  const last = blocks.at(-1) ?? GENESIS;

  const faultOf = (made: MadeBlock, height = 13): BlockFault | undefined =>
    rpc.node.inCall(() => {
      const { chain } = rpc.node;
      return contextualFault(chain, decoded(made), { ...activeTip(chain), height: height - 1 });
    });
  const placed = (...txs: readonly Transaction[]): MadeBlock => blockAfter(last, { txs });

  test('has transactions whose lock is over by the height or the median time', () => {
    const locked = (locktime: number, sequence = 0): Transaction => ({
      ...withInputs(NOTHING, { sequence }),
      locktime,
    });
    // The median of the heights 2 to 12.
    const median = timeAt(7);
    for (const tx of [locked(12), locked(median - 1), locked(13, 0xffff_ffff), locked(2_000_000_000, 0xffff_ffff)])
      expect(faultOf(placed(tx))).toBeUndefined();
    for (const tx of [locked(13), locked(499_999_999), locked(median), locked(13, 0xffff_fffe)])
      expect(faultOf(placed(tx))).toEqual({ reason: 'bad-txns-nonfinal', detail: 'non-final transaction' });
    const coinbase = withInputs(coinbaseOf(placed()), { sequence: 0 });
    expect(faultOf(blockOf(last, [{ ...coinbase, locktime: 12 }]))).toBeUndefined();
    expect(faultOf(blockOf(last, [{ ...coinbase, locktime: 13 }]))?.reason).toBe('bad-txns-nonfinal');
  });

  test.each([
    [1, '51', '0101'],
    [16, '60', '0110'],
    [17, '0111', '021100'],
    [127, '017f', '02ff00'],
    [128, '028000', '0180'],
    [255, '02ff00', '01ff'],
    [256, '020001', '03000100'],
    [32_768, '03008000', '020080'],
    [500_000, '0320a107', '0420a10700'],
  ])('begins its coinbase with its height: %d', (height, right, wrong) => {
    const withScriptSig = (hex: string): MadeBlock =>
      blockOf(last, [withInputs(coinbaseOf(placed()), { scriptSig: parseHex(hex) })]);
    expect(faultOf(withScriptSig(`${right}ffff`), height)).toBeUndefined();
    const refused = { reason: 'bad-cb-height', detail: 'block height mismatch in coinbase' };
    for (const hex of [`${wrong}ffff`, 'ffff', right.slice(0, -2)])
      expect(faultOf(withScriptSig(hex), height)).toEqual(refused);
  });

  test('commits to its witnesses', () => {
    const coinbase = coinbaseOf(placed());
    const reserved = new Uint8Array(32).fill(5);
    const signed = withInputs(NOTHING, { witness: [Uint8Array.of(1)] });
    const committed = committing(coinbase, [signed], reserved);
    const [, commitment] = committed.outputs;
    if (!commitment) throw new Error('no commitment');
    const paid = { ...commitment, scriptPubKey: Uint8Array.of(...commitment.scriptPubKey, 1) };
    const other = { ...commitment, scriptPubKey: commitment.scriptPubKey.map((byte, i) => (i > 5 ? byte + 1 : byte)) };
    const good = (outputs: Transaction['outputs']): MadeBlock => blockOf(last, [{ ...committed, outputs }, signed]);
    // A commitment may have more bytes after it, and counts only if it is the last.
    for (const outputs of [committed.outputs, [paid], [other, commitment]])
      expect(faultOf(good(outputs))).toBeUndefined();
    const fault = (reason: string, detail: string): BlockFault => ({
      ...{ reason, isMutated: true },
      detail: `CheckWitnessMalleation : ${detail}`,
    });
    const unexpected = fault('unexpected-witness', 'unexpected witness data found');
    for (const txs of [[coinbase, signed], [withInputs(coinbase, { witness: [reserved] })]])
      expect(faultOf(blockOf(last, txs))).toEqual(unexpected);
    for (const witness of [[], [reserved.slice(1)], [reserved, reserved]]) {
      expect(faultOf(blockOf(last, [withInputs(committed, { witness }), signed]))).toEqual(
        fault('bad-witness-nonce-size', 'invalid witness reserved value size'),
      );
    }
    const mismatch = fault('bad-witness-merkle-match', 'witness merkle commitment mismatch');
    expect(faultOf(good([commitment, other]))).toEqual(mismatch);
    expect(faultOf(blockOf(last, [committed, NOTHING]))).toEqual(mismatch);
  });

  test('weighs up to four million units', () => {
    const heavy = (size: number): MadeBlock => placed(withInputs(NOTHING, { witness: [new Uint8Array(size)] }));
    const exact = 3_900_000 + 4_000_000 - blockWeight(heavy(3_900_000).txs);
    expect(faultOf(heavy(exact))).toBeUndefined();
    expect(faultOf(heavy(exact + 1))).toEqual({
      reason: 'bad-blk-weight',
      detail: 'ContextualCheckBlock : weight limit failed',
    });
  });
});
