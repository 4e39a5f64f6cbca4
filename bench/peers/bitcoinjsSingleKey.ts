// Spends a P2WPKH coin, as examples/singleKey.ts does, with bitcoinjs-lib.
import { networks, Psbt, payments } from 'bitcoinjs-lib';
import { coinTxid, destination } from '../../examples/fixtures.ts';
import { keyAt, publicKeyOf, signerOf } from './keys.ts';

const network = networks.regtest;
const key = keyAt('m/84h/1h/0h/0/3');
const { output: script = new Uint8Array() } = payments.p2wpkh({ pubkey: publicKeyOf(key), network });
const { address: change = '' } = payments.p2wpkh({ pubkey: publicKeyOf(keyAt('m/84h/1h/0h/1/0')), network });
const psbt = new Psbt({ network });
const coin = { hash: coinTxid, index: 0, sequence: 0xfffffffd };
psbt.addInput({ ...coin, witnessUtxo: { script, value: 100_000n } });
psbt.addOutput({ address: destination, value: 60_000n });
psbt.addOutput({ address: change, value: 39_718n });
psbt.signAllInputs(signerOf(key));
psbt.finalizeAllInputs();
const tx = psbt.extractTransaction();
export const { hex, txid } = { hex: tx.toHex(), txid: tx.getId() };
