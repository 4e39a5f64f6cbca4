// Spends a taproot coin by its key path, as examples/taproot.ts does, with bitcoinjs-lib.
import { initEccLib, networks, Psbt, payments } from 'bitcoinjs-lib';
import * as secp256k1 from 'tiny-secp256k1';
import { coinTxid, destination } from '../../examples/fixtures.ts';
import { keyAt, publicKeyOf, tweakedSignerOf } from './keys.ts';

initEccLib(secp256k1);
const network = networks.regtest;
const key = keyAt('m/86h/1h/0h/0/3');
const tapInternalKey = publicKeyOf(key).slice(1);
const changeKey = publicKeyOf(keyAt('m/86h/1h/0h/1/0')).slice(1);
const { output: script = new Uint8Array() } = payments.p2tr({ internalPubkey: tapInternalKey, network });
const { address: change = '' } = payments.p2tr({ internalPubkey: changeKey, network });
const psbt = new Psbt({ network });
const coin = { hash: coinTxid, index: 0, sequence: 0xfffffffd };
psbt.addInput({ ...coin, tapInternalKey, witnessUtxo: { script, value: 100_000n } });
psbt.addOutput({ address: destination, value: 60_000n });
psbt.addOutput({ address: change, value: 39_716n });
psbt.signAllInputs(tweakedSignerOf(key));
psbt.finalizeAllInputs();
const tx = psbt.extractTransaction();
export const { hex, txid } = { hex: tx.toHex(), txid: tx.getId() };
