// Blocks, with proof of work only where it is asked for.
import { createHash } from 'node:crypto';
import { formatHex } from '../dist/core/bytes/index.js';
import { encodeTransaction, txid } from '../dist/core/tx/index.js';

const sha256d = (bytes) => createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();

function merkleRootOf(ids) {
  if (ids.length === 1) return ids[0];
  const pairs = Array.from({ length: Math.ceil(ids.length / 2) }, (_, i) => [ids[2 * i], ids[2 * i + 1] ?? ids[2 * i]]);
  return merkleRootOf(pairs.map((pair) => sha256d(Buffer.concat(pair))));
}

const COINBASE = { txid: new Uint8Array(32), vout: 0xffffffff };
const SEQUENCE_FINAL = 0xffffffff;

/** Makes an unsigned transaction. */
export function spend(outpoints, outputs) {
  const inputs = outpoints.map((outpoint) => ({
    outpoint,
    scriptSig: new Uint8Array(0),
    sequence: SEQUENCE_FINAL,
    witness: [],
  }));
  return { version: 2, inputs, outputs, locktime: 0 };
}

/**
 * Makes the block after a tip; its coinbase pays `outputs`.
 *
 * - `isProven`: tells whether a header has enough work; by default, any has
 */
export function mine({ hash, height, time }, outputs, txs = [], isProven = () => true) {
  const scriptSig = new Uint8Array(5);
  scriptSig[0] = 4;
  new DataView(scriptSig.buffer).setUint32(1, height + 1, true);
  const coinbase = spend([COINBASE], outputs);
  coinbase.inputs[0].scriptSig = scriptSig;
  const all = [coinbase, ...txs];
  const header = Buffer.alloc(80);
  header.writeUInt32LE(0x20000000, 0);
  header.set(hash, 4);
  header.set(merkleRootOf(all.map(txid)), 36);
  header.writeUInt32LE(time + 60, 68);
  header.writeUInt32LE(0x207fffff, 72);
  for (let nonce = 0; !isProven(header); nonce += 1) header.writeUInt32LE(nonce, 76);
  const count = Buffer.from(all.length < 0xfd ? [all.length] : [0xfd, all.length & 0xff, all.length >> 8]);
  const hex = formatHex(Buffer.concat([header, count, ...all.map((tx) => encodeTransaction(tx))]));
  return { hex, coinbase: txid(coinbase), tip: { hash: sha256d(header), height: height + 1, time: time + 60 } };
}
