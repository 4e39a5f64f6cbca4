// The whole of signrawtransactionwithkey, from hex and WIF to hex, compared with libraries that sign and finalize a
// PSBT, and with a node.
import { p2ms, p2wpkh, p2wsh, Transaction as ScureTransaction } from '@scure/btc-signer';
import { Psbt } from 'bitcoinjs-lib';
import { nobleEcc } from '../dist/core/crypto/index.js';
import { nativeSecp256k1Ecc } from '../dist/core/crypto/nativeSecp256k1.js';
import { tinySecp256k1Ecc } from '../dist/core/crypto/tinySecp256k1.js';
import { signRawTransactionWithKey } from '../dist/rpc.js';
import { makeSigningTask } from './fixtures.mjs';
import { assert, cell, line, median, timeOnce } from './measure.mjs';
import { nodeRate, startNode } from './node.mjs';
import { ecdsaSigner } from './tinySigners.mjs';

const KINDS = ['p2wpkh', 'p2pkh', '2-of-3 p2wsh', 'p2tr key path'];
const OPTIONS = { network: 'regtest', dialect: 'core-32' };

/** How many single inputs are signed in turn: the attempts at a low r, two on average, differ from one to nine. */
const SINGLES = 32;

/** Measures inputs per second; long runs only once: other libraries take half a minute for a thousand inputs. */
function rate(inputs, work) {
  const once = timeOnce(work);
  return (1000 * inputs) / (once > 1500 ? once : median(work, { budgetMs: 1000 }));
}

const ours =
  (ecc) =>
  ({ hex, wifs, prevtxs }) => {
    const signed = signRawTransactionWithKey([hex, wifs, prevtxs], { ...OPTIONS, ecc });
    assert(signed.complete, 'complete');
    return signed.hex;
  };

/** The kinds that the other libraries can sign without previous transactions, and with the keys as they are. */
const PEER_KINDS = ['p2wpkh', '2-of-3 p2wsh'];

/** Grinds for a low r (two attempts on average), as countersign does. */
function withScure({ inputs, outputs, secretKeys, publicKeys, witnessScript }) {
  const tx = new ScureTransaction({ lowR: true });
  const { script } = witnessScript ? p2wsh(p2ms(2, publicKeys)) : p2wpkh(publicKeys[0]);
  for (const { txid, vout, value } of inputs) {
    const witnessUtxo = { script, amount: value };
    tx.addInput({ txid, index: vout, witnessUtxo, ...(witnessScript && { witnessScript }), sequence: 0xfffffffd });
  }
  for (const { scriptPubKey, value } of outputs) tx.addOutput({ script: scriptPubKey, amount: value });
  for (const key of secretKeys) assert(tx.sign(key) === inputs.length, 'signatures');
  tx.finalize();
  return tx.hex;
}

/** Uses the same nonces as countersign, so that the transactions are equal byte for byte. */
function withBitcoinjs({ inputs, outputs, secretKeys, publicKeys, witnessScript }) {
  const psbt = new Psbt({ maximumFeeRate: 1e9 });
  for (const { txid, vout, value, scriptPubKey } of inputs) {
    const witnessUtxo = { script: scriptPubKey, value };
    psbt.addInput({
      hash: txid,
      index: vout,
      sequence: 0xfffffffd,
      witnessUtxo,
      ...(witnessScript && { witnessScript }),
    });
  }
  for (const { scriptPubKey, value } of outputs) psbt.addOutput({ script: scriptPubKey, value });
  for (const [i, key] of secretKeys.entries()) psbt.signAllInputs(ecdsaSigner(key, publicKeys[i]));
  psbt.finalizeAllInputs();
  return psbt.extractTransaction().toHex();
}

export async function benchSigning() {
  const node = await startNode();
  try {
    await benchKinds(node);
  } finally {
    await node?.stop();
  }
}

async function benchKinds(node) {
  console.log(
    '| inputs a second | countersign | with tiny-secp256k1 | with secp256k1 (native) | @scure/btc-signer | bitcoinjs-lib + tiny-secp256k1 | Litecoin Core 0.21 over RPC |',
  );
  console.log('|---|---|---|---|---|---|---|');
  for (const kind of KINDS) {
    for (const inputs of [1, 100, 1000]) await printRow(node, kind, inputs);
  }
}

async function printRow(node, kind, inputs) {
  const count = inputs === 1 ? SINGLES : 1;
  const tasks = Array.from({ length: count }, (_, seed) => makeSigningTask(kind, inputs, seed));
  const [task] = tasks;
  const rateOf = (work) =>
    rate(count * inputs, () => {
      for (const each of tasks) work(each);
    });
  const peers = PEER_KINDS.includes(kind) ? [withScure, withBitcoinjs] : [];
  if (peers.length > 0) assert(withBitcoinjs(task.plain) === ours(nativeSecp256k1Ecc)(task), 'the same transaction');
  const rates = [nobleEcc, tinySecp256k1Ecc, nativeSecp256k1Ecc].map((ecc) => rateOf(ours(ecc)));
  const shown = peers
    .map((peer) => rateOf(({ plain }) => peer(plain)))
    .map((theirs, i) => `${cell(theirs)} (${(rates[i] / theirs).toFixed(1)}×)`);
  // Core 0.21 cannot sign taproot.
  const nodes = node && !kind.startsWith('p2tr') ? cell(await nodeRate(node, task)) : '–';
  console.log(line(`${inputs} of ${kind}`, ...rates.map(cell), ...(shown.length > 0 ? shown : ['–', '–']), nodes));
}
