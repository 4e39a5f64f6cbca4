import { decodeBlock } from '../../../src/node/chain/block.ts';
import { blockHash, decodeBlockHeader, encodeBlockHeader } from '../../../src/node/chain/blockHeader.ts';
import {
  checkTransaction,
  decodeTransaction,
  encodeTransaction,
  formatHex,
  hasWitness,
  type Transaction,
  transactionSize,
  txid,
  wtxid,
} from '../../support/library.ts';
import { mutateBytes } from '../mutate.ts';
import { recordedHex } from '../seeds.ts';
import { joined, transaction } from '../shapes.ts';
import type { Source } from '../source.ts';
import { attempt, bytesTarget, formedTarget, holds, same, sameBytes, type Target, textOf } from '../target.ts';

const NOTHING = new Uint8Array(0);
const SEEDS = recordedHex('decoderawtransaction', 400);

function anyTransaction(source: Source): Uint8Array {
  const good = source.once(2) ? source.pick(SEEDS) : encodeTransaction(transaction(source));
  return source.once(6) ? good : mutateBytes(source, good, SEEDS);
}

/** Requires sizes, ids and the other format to fit a decoded transaction. */
function checkDecoded(tx: Transaction): void {
  const { size, strippedSize, weight, vsize } = transactionSize(tx);
  const stripped = encodeTransaction(tx, { witness: false });
  holds(size === encodeTransaction(tx, { mweb: false }).length, 'the size is that of the encoding');
  holds(strippedSize === stripped.length, 'the stripped size is that of the encoding without witnesses');
  holds(weight === 3 * strippedSize + size && vsize === Math.ceil(weight / 4), 'the weight follows BIP141');
  if (!hasWitness(tx)) same(formatHex(wtxid(tx)), formatHex(txid(tx)), 'without witnesses both ids are the same');
  checkTransaction(tx);
}

function runTransaction(bytes: Uint8Array): void {
  for (const mweb of [false, true]) {
    const tx = attempt(['bytes/', 'tx/'], () => decodeTransaction(bytes, { mweb }));
    if (!tx) continue;
    sameBytes(encodeTransaction(tx), bytes, 'a decoded transaction encodes to the same bytes');
    if (!mweb) checkDecoded(tx);
  }
  const old = attempt(['bytes/', 'tx/'], () => decodeTransaction(bytes, { witness: false }));
  if (old) sameBytes(encodeTransaction(old, { witness: false }), bytes, 'without witnesses, too');
}

function runHeader(bytes: Uint8Array): void {
  const header = attempt(['bytes/end-of-data', 'bytes/trailing'], () => decodeBlockHeader(bytes));
  holds((header !== undefined) === (bytes.length === 80), 'a header has 80 bytes');
  if (!header) return;
  sameBytes(encodeBlockHeader(header), bytes, 'a decoded header encodes to the same bytes');
  holds(blockHash(bytes).length === 32, 'a hash has 32 bytes');
}

/** Makes a block of a header and transactions, some of which are the same. */
function anyBlock(source: Source): Uint8Array {
  const count = source.next(5);
  const txs = Array.from({ length: count }, () =>
    source.once(3) ? source.pick(SEEDS) : encodeTransaction(transaction(source)),
  );
  const block = joined(source.bytes(80), [source.once(9) ? source.next(256) : count], ...txs);
  return source.once(3) ? block : mutateBytes(source, block, SEEDS);
}

function runBlock(bytes: Uint8Array): void {
  for (const mweb of [false, true]) {
    const block = attempt(['bytes/', 'tx/', 'block/'], () => decodeBlock(bytes, { mweb }));
    if (!block) continue;
    const [first] = block.txs;
    holds(block.txids.length === block.txs.length, 'each transaction has an id');
    // A block is a header, a count, the transactions, and bytes that are ignored. The first may get a reserved value.
    const others = block.txs.slice(1).map((tx) => Buffer.from(encodeTransaction(tx)));
    const end = Buffer.concat(others);
    holds(Buffer.from(bytes).includes(end), 'the transactions encode to bytes of the block');
    if (first) same(formatHex(txid(first)), formatHex(block.txids[0] ?? NOTHING), 'the reserved value is in no id');
  }
}

export const TRANSACTION_TARGETS: readonly Target[] = [
  bytesTarget('transaction', { generate: anyTransaction, run: runTransaction }),
  formedTarget('transaction-shape', {
    generate: (source) => encodeTransaction(transaction(source)),
    run: (bytes) => {
      const tx = decodeTransaction(bytes);
      checkDecoded(tx);
      same(textOf(decodeTransaction(encodeTransaction(tx))), textOf(tx), 'decoding what was encoded gives the same');
    },
  }),
  bytesTarget('block', { generate: anyBlock, run: runBlock }),
  bytesTarget('block-header', {
    generate: (source) => source.bytes(source.once(5) ? source.next(100) : 80),
    run: runHeader,
  }),
];
