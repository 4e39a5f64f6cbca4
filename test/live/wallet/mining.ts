import { scryptSync } from 'node:crypto';
import {
  encodeTransaction,
  formatHex,
  parseHex,
  parseTxid,
  type Transaction,
  type TxOut,
  txid,
  wtxid,
} from '../../support/library.ts';
import { concat, pushNumber, sha256d } from '../scripts/bytes.ts';

/** Builds blocks of a private chain, with Litecoin's proof of work. */

export interface MadeBlock {
  /** In display order. */
  readonly hash: string;
  readonly hex: string;
  readonly txs: readonly Transaction[];
}

interface BlockPlan {
  /** The parent's hash, in display order. */
  readonly previous: string;
  readonly height: number;
  /** UNIX time. */
  readonly time: number;
  /** The outputs of the coinbase. */
  readonly outputs: readonly TxOut[];
  /** Makes coinbases of the same height unique. */
  readonly nonce: number;
  /** Without the coinbase. */
  readonly txs: readonly Transaction[];
}

const NO_TXID = parseTxid('00'.repeat(32));

/** Builds the coinbase of a block. @see BIP34 for the height; BIP141 "Commitment structure" */
function coinbaseOf({ height, outputs, nonce, txs }: BlockPlan): Transaction {
  const reserved = new Uint8Array(32);
  const commitment = sha256d(merkleRoot([reserved, ...txs.map((tx) => wtxid(tx))]), reserved);
  const scriptSig = concat(pushNumber(height), [4, nonce & 0xff, (nonce >> 8) & 0xff, (nonce >> 16) & 0xff, 0]);
  return {
    version: 2,
    inputs: [{ outpoint: { txid: NO_TXID, vout: 0xffff_ffff }, scriptSig, sequence: 0xffff_ffff, witness: [reserved] }],
    outputs: [...outputs, { value: 0n, scriptPubKey: concat([0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed], commitment) }],
    locktime: 0,
  };
}

function merkleRoot(hashes: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array(32)] = hashes;
  if (hashes.length <= 1) return first;
  const pairs = hashes.flatMap((hash, i) => (i % 2 === 0 ? [sha256d(hash, hashes[i + 1] ?? hash)] : []));
  return merkleRoot(pairs);
}

/** Checks the proof of work, which half of all headers meet on regtest. */
function hasWork(header: Uint8Array): boolean {
  const work = scryptSync(header, header, 32, { N: 1024, r: 1, p: 1 });
  return (work[31] ?? 0xff) < 0x7f;
}

export function mineBlock(plan: BlockPlan): MadeBlock {
  const txs = [coinbaseOf(plan), ...plan.txs];
  const bytes = new Uint8Array(80);
  const header = new DataView(bytes.buffer);
  header.setUint32(0, 0x2000_0000, true);
  bytes.set(parseHex(plan.previous).reverse(), 4);
  bytes.set(merkleRoot(txs.map((tx) => txid(tx))), 36);
  header.setUint32(68, plan.time, true);
  header.setUint32(72, 0x207f_ffff, true);
  for (let nonce = 0; !hasWork(bytes); nonce += 1) header.setUint32(76, nonce, true);
  const count = txs.length < 0xfd ? [txs.length] : [0xfd, txs.length & 0xff, txs.length >> 8];
  const hex = formatHex(concat(bytes, count, ...txs.map((tx) => encodeTransaction(tx))));
  return { hash: formatHex(sha256d(bytes).reverse()), hex, txs };
}
