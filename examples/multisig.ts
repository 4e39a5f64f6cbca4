// Spends a coin of a 2-of-3 multisig with two signers, each of whom holds the key of one cosigner.
import { accountFromDescriptors, buildPsbt, signWith } from 'countersign';
import { coinTxid, cosigners, destination } from './fixtures.ts';

const [first, second, third] = cosigners;
const options = { network: 'regtest' } as const;
const alice = accountFromDescriptors(`wsh(sortedmulti(2,${first.xprv},${second.xpub},${third.xpub}))`, options);
const bob = accountFromDescriptors(`wsh(sortedmulti(2,${first.xpub},${second.xprv},${third.xpub}))`, options);
const coin = { txid: coinTxid, vout: 0, value: 100_000n, from: alice.receive(3) };
const psbt = buildPsbt({ inputs: [coin], outputs: { [destination]: 60_000n }, change: alice.change(0), feeRate: 2 });
export const { psbt: half, inputs } = signWith(alice, psbt);
export const { hex, txid } = signWith(bob, half);
