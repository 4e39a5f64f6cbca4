// Spends a P2WPKH coin of a BIP39 wallet, at 2 sat/vB.
import { accountFromWords, buildPsbt, signWith } from 'countersign';
import { coinTxid, destination, seedWords } from './fixtures.ts';

const me = accountFromWords(seedWords, { network: 'regtest' });
const coin = { txid: coinTxid, vout: 0, value: 100_000n, from: me.receive(3) };
const psbt = buildPsbt({ inputs: [coin], outputs: { [destination]: 60_000n }, change: me.change(0), feeRate: 2 });
export const { hex, txid } = signWith(me, psbt);
