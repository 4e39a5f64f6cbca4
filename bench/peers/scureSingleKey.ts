// Spends a P2WPKH coin, as examples/singleKey.ts does, with @scure/btc-signer.
import { p2wpkh, Transaction } from '@scure/btc-signer';
import { coinTxid, destination } from '../../examples/fixtures.ts';
import { keyAt, publicKeyOf, regtest } from './keys.ts';

const key = keyAt('m/84h/1h/0h/0/3');
const from = p2wpkh(publicKeyOf(key), regtest);
const change = p2wpkh(publicKeyOf(keyAt('m/84h/1h/0h/1/0')), regtest);
const tx = new Transaction();
const coin = { txid: coinTxid, index: 0, sequence: 0xfffffffd };
tx.addInput({ ...from, ...coin, witnessUtxo: { script: from.script, amount: 100_000n } });
tx.addOutputAddress(destination, 60_000n, regtest);
tx.addOutput({ script: change.script, amount: 39_718n });
tx.sign(key);
tx.finalize();
export const { hex, id: txid } = tx;
