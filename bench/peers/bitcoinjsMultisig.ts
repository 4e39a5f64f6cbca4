// Spends a coin of a 2-of-3 multisig, as examples/multisig.ts does, with bitcoinjs-lib.
import { networks, Psbt, payments } from 'bitcoinjs-lib';
import { coinTxid, destination } from '../../examples/fixtures.ts';
import { cosignerKeys, publicKeyOf, signerOf } from './keys.ts';

const network = networks.regtest;
const [alice = new Uint8Array(), bob = new Uint8Array()] = cosignerKeys(0, 3);
const sorted = (keys: readonly Uint8Array[]): Uint8Array[] => keys.map(publicKeyOf).sort(Buffer.compare);
const quorum = (keys: readonly Uint8Array[]) => payments.p2ms({ m: 2, pubkeys: sorted(keys), network });
const { output: script = new Uint8Array(), redeem } = payments.p2wsh({ redeem: quorum(cosignerKeys(0, 3)), network });
const { address: change = '' } = payments.p2wsh({ redeem: quorum(cosignerKeys(1, 0)), network });
const witnessScript = redeem?.output ?? new Uint8Array();
const ofAlice = new Psbt({ network });
const coin = { hash: coinTxid, index: 0, sequence: 0xfffffffd };
ofAlice.addInput({ ...coin, witnessScript, witnessUtxo: { script, value: 100_000n } });
ofAlice.addOutput({ address: destination, value: 60_000n });
ofAlice.addOutput({ address: change, value: 39_622n });
ofAlice.signAllInputs(signerOf(alice));
const ofBob = Psbt.fromBase64(ofAlice.toBase64(), { network });
ofBob.signAllInputs(signerOf(bob));
ofBob.finalizeAllInputs();
const tx = ofBob.extractTransaction();
export const { hex, txid } = { hex: tx.toHex(), txid: tx.getId() };
