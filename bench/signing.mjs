// The whole of signrawtransactionwithkey, from hex and WIF to hex, compared with libraries that sign and finalize a
// PSBT, and with a node.
import { p2wpkh, Transaction as ScureTransaction } from '@scure/btc-signer';
import { Psbt } from 'bitcoinjs-lib';
import * as tiny from 'tiny-secp256k1';
import { nobleEcc } from '../dist/crypto/index.js';
import { nativeSecp256k1Ecc } from '../dist/crypto/nativeSecp256k1.js';
import { tinySecp256k1Ecc } from '../dist/crypto/tinySecp256k1.js';
import { signRawTransactionWithKey } from '../dist/rpc/index.js';
import { makeSigningTask } from './fixtures.mjs';
import { assert, cell, line, median, timeOnce } from './measure.mjs';
import { nodeRate, startNode } from './node.mjs';

const KINDS = ['p2wpkh', 'p2pkh', '2-of-3 p2wsh', 'p2tr key path'];
const OPTIONS = { network: 'regtest', dialect: 'core-31' };

/** Measures inputs per second; long runs only once: other libraries take half a minute for a thousand inputs. */
function rate(inputs, work) {
  const once = timeOnce(work);
  return (1000 * inputs) / (once > 1500 ? once : median(work, { budgetMs: 1000 }));
}

const ours =
  (ecc) =>
  ({ hex, wifs, prevtxs }) =>
    assert(signRawTransactionWithKey(hex, wifs, prevtxs, undefined, { ...OPTIONS, ecc }).complete, 'complete');

/** Grinds for a low r (two attempts on average), as countersign does. */
function withScure({ inputs, outputs, secretKey, publicKey }) {
  const tx = new ScureTransaction({ lowR: true });
  const { script } = p2wpkh(publicKey);
  for (const { txid, vout, value } of inputs) {
    tx.addInput({ txid, index: vout, witnessUtxo: { script, amount: value }, sequence: 0xfffffffd });
  }
  for (const { scriptPubKey, value } of outputs) tx.addOutput({ script: scriptPubKey, amount: value });
  assert(tx.sign(secretKey) === inputs.length, 'signatures');
  tx.finalize();
  return tx.hex;
}

function withBitcoinjs({ inputs, outputs, secretKey, publicKey }) {
  const psbt = new Psbt({ maximumFeeRate: 1e9 });
  for (const { txid, vout, value, scriptPubKey } of inputs) {
    psbt.addInput({ hash: txid, index: vout, sequence: 0xfffffffd, witnessUtxo: { script: scriptPubKey, value } });
  }
  for (const { scriptPubKey, value } of outputs) psbt.addOutput({ script: scriptPubKey, value });
  psbt.signAllInputs({ publicKey, sign: (digest) => tiny.sign(digest, secretKey) });
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
    for (const inputs of [1, 100, 1000]) {
      const task = makeSigningTask(kind, inputs);
      const rates = [nobleEcc, tinySecp256k1Ecc, nativeSecp256k1Ecc].map((ecc) => rate(inputs, () => ours(ecc)(task)));
      const peers =
        kind === 'p2wpkh' ? [withScure, withBitcoinjs].map((peer) => rate(inputs, () => peer(task.plain))) : [];
      const shown = peers.map((peer, i) => `${cell(peer)} (${(rates[i] / peer).toFixed(1)}×)`);
      // Core 0.21 cannot sign taproot.
      const nodes = node && !kind.startsWith('p2tr') ? cell(await nodeRate(node, task)) : '–';
      console.log(line(`${inputs} of ${kind}`, ...rates.map(cell), ...(shown.length > 0 ? shown : ['–', '–']), nodes));
    }
  }
}
