// Searching transactions for silent payments, with each curve backend, beside one multiplication, the reference code of
// BIP352 where COUNTERSIGN_BIP352 names its folder (bip-0352), and the rest of what a block costs: decoding it.
import { execFileSync } from 'node:child_process';
import { formatHex } from '../dist/core/bytes/index.js';
import { nobleEcc } from '../dist/core/crypto/index.js';
import { nativeSecp256k1Ecc } from '../dist/core/crypto/nativeSecp256k1.js';
import { tinySecp256k1Ecc } from '../dist/core/crypto/tinySecp256k1.js';
import { createReceiver } from '../dist/core/silentPayments/index.js';
import { decodeTransaction, encodeTransaction } from '../dist/core/tx/index.js';
import { byteStream } from './fixtures.mjs';
import { hash160, inputHash, pointsOf } from './internals.built.mjs';
import { assert, beside, cell, line, median } from './measure.mjs';

const COUNT = 100;
const LABELS = [0, 100];

/** Makes transactions with one P2WPKH input and two taproot outputs, none of which pays the receiver. */
function makeTransactions() {
  const bytes = byteStream(0x51e27);
  const publicKey = () => nobleEcc.publicKey(Uint8Array.from([1, ...bytes(31)]));
  return Array.from({ length: COUNT }, () => {
    const key = publicKey();
    const outpoint = { txid: bytes(32), vout: 0 };
    const tx = {
      version: 2,
      locktime: 0,
      inputs: [{ outpoint, scriptSig: new Uint8Array(0), sequence: 0xfffffffd, witness: [bytes(71), key] }],
      outputs: [1000n, 2000n].map((value) => ({
        value,
        scriptPubKey: Uint8Array.from([0x51, 32, ...publicKey().slice(1)]),
      })),
    };
    return { tx, spent: [{ scriptPubKey: Uint8Array.from([0, 20, ...hash160(key)]) }], key, outpoint };
  });
}

const SCAN = new Uint8Array(32).fill(5);
const SPEND = nobleEcc.publicKey(new Uint8Array(32).fill(6));

/** Measures milliseconds per transaction. */
function perTransaction(transactions, ecc, count) {
  const labels = Array.from({ length: count }, (_, i) => i + 1);
  const receiver = createReceiver({ scanSecretKey: SCAN, spendKey: SPEND, labels }, { ecc });
  return (
    median(() => {
      for (const { tx, spent } of transactions) assert(receiver.findPayments(tx, spent).length === 0, 'no payment');
    }) / COUNT
  );
}

/** Compares the numbers that `expected` has with any. */
const REFERENCE = `
import json, sys, time
sys.path[0:0] = [sys.argv[1], sys.argv[1] + '/secp256k1lab/src']
from reference import G, GE, Scalar, scanning
class Any:
    def __eq__(self, _): return True
class Expected:
    def get(self, _): return Any()
rows = json.load(sys.stdin)
b_scan, B_spend = Scalar.from_bytes_checked(bytes([5] * 32)), Scalar.from_bytes_checked(bytes([6] * 32)) * G
points = [(GE.from_bytes_compressed(bytes.fromhex(r['key'])), bytes.fromhex(r['hash']), [bytes.fromhex(o) for o in r['outputs']]) for r in rows]
start = time.perf_counter()
for A_sum, input_hash, outputs in points:
    assert scanning(b_scan, B_spend, A_sum, input_hash, outputs, None, Expected()) == []
print((time.perf_counter() - start) * 1000 / len(rows))
`;

/** Measures the scanning of the reference alone: the sum of the keys and the hash of the inputs are given. */
function reference(transactions) {
  const folder = process.env.COUNTERSIGN_BIP352;
  if (!folder) return undefined;
  const rows = transactions.map(({ tx, key, outpoint }) => ({
    key: formatHex(key),
    hash: formatHex(inputHash([outpoint], key)),
    outputs: tx.outputs.map(({ scriptPubKey }) => formatHex(scriptPubKey.slice(2))),
  }));
  return Number(execFileSync('python3', ['-c', REFERENCE, folder], { input: JSON.stringify(rows), encoding: 'utf8' }));
}

export function benchSilentPayments() {
  const transactions = makeTransactions();
  const python = reference(transactions);
  const encoded = transactions.map(({ tx }) => encodeTransaction(tx));
  const decoding = median(() => encoded.map((bytes) => decodeTransaction(bytes))) / COUNT;
  console.log(
    '| search one transaction | ms | per second | beside one multiplication | with 100 labels | decoding it | reference in Python |',
  );
  console.log('|---|---|---|---|---|---|---|');
  for (const [name, ecc] of [
    ['noble', nobleEcc],
    ['tiny-secp256k1', tinySecp256k1Ecc],
    ['secp256k1 (native)', nativeSecp256k1Ecc],
  ]) {
    const [plain, labeled] = LABELS.map((count) => perTransaction(transactions, ecc, count));
    const points = pointsOf(ecc);
    const one = median(() => transactions.map(({ key }) => points.multiply(key, SCAN))) / COUNT;
    const rest = [beside(one, plain), beside(labeled, plain), beside(decoding, plain), beside(python, plain)];
    console.log(line(name, cell(plain), Math.round(1000 / plain), ...rest));
  }
}
