// Spends a taproot coin by its key path, as examples/taproot.ts does, with @scure/btc-signer.
import { p2tr, Transaction } from '@scure/btc-signer';
import { coinTxid, destination } from '../../examples/fixtures.ts';
import { keyAt, publicKeyOf, regtest } from './keys.ts';

const key = keyAt('m/86h/1h/0h/0/3');
const from = p2tr(publicKeyOf(key).slice(1), undefined, regtest);
const change = p2tr(publicKeyOf(keyAt('m/86h/1h/0h/1/0')).slice(1), undefined, regtest);
const tx = new Transaction();
const coin = { txid: coinTxid, index: 0, sequence: 0xfffffffd };
tx.addInput({ ...from, ...coin, witnessUtxo: { script: from.script, amount: 100_000n } });
tx.addOutputAddress(destination, 60_000n, regtest);
tx.addOutput({ script: change.script, amount: 39_716n });
tx.sign(key);
tx.finalize();
export const { hex, id: txid } = tx;
