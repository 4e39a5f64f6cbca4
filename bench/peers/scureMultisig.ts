// Spends a coin of a 2-of-3 multisig, as examples/multisig.ts does, with @scure/btc-signer.
import { p2ms, p2wsh, Transaction } from '@scure/btc-signer';
import { coinTxid, destination } from '../../examples/fixtures.ts';
import { cosignerKeys, publicKeyOf, regtest } from './keys.ts';

const [alice = new Uint8Array(), bob = new Uint8Array()] = cosignerKeys(0, 3);
const sorted = (keys: readonly Uint8Array[]): Uint8Array[] => keys.map(publicKeyOf).sort(Buffer.compare);
const from = p2wsh(p2ms(2, sorted(cosignerKeys(0, 3))), regtest);
const change = p2wsh(p2ms(2, sorted(cosignerKeys(1, 0))), regtest);
const ofAlice = new Transaction();
const coin = { txid: coinTxid, index: 0, sequence: 0xfffffffd };
ofAlice.addInput({ ...from, ...coin, witnessUtxo: { script: from.script, amount: 100_000n } });
ofAlice.addOutputAddress(destination, 60_000n, regtest);
ofAlice.addOutput({ script: change.script, amount: 39_622n });
ofAlice.sign(alice);
const ofBob = Transaction.fromPSBT(ofAlice.toPSBT());
ofBob.sign(bob);
ofBob.finalize();
export const { hex, id: txid } = ofBob;
