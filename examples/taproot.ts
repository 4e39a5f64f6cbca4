// Spends a taproot coin by its key path.
import { accountFromKey, buildPsbt, signWith } from 'countersign';
import { coinTxid, destination, masterXprv } from './fixtures.ts';

const me = accountFromKey(masterXprv, { network: 'regtest', purpose: 86, at: 'account' });
const coin = { txid: coinTxid, vout: 0, value: 100_000n, from: me.receive(3) };
const psbt = buildPsbt({ inputs: [coin], outputs: { [destination]: 60_000n }, change: me.change(0), feeRate: 2 });
export const { hex, txid } = signWith(me, psbt);
