// Pays a payment link, as examples/payLink.ts does, with bitcoinjs-lib, which reads no links, reviews nothing and writes no labels.
import { address, networks, Psbt, payments } from 'bitcoinjs-lib';
import { coinTxid, destination } from '../../examples/fixtures.ts';
import { keyAt, publicKeyOf, signerOf } from './keys.ts';

const network = networks.regtest;
const url = new URL(`bitcoin:${destination}?amount=0.0006&label=Coffee`);
for (const name of url.searchParams.keys()) if (name.startsWith('req-')) throw new Error('not understood');
for (const name of ['amount', 'label', 'message']) {
  if (url.searchParams.getAll(name).length > 1) throw new Error(`${name} twice`);
}
const [coins = '', decimals = ''] = (url.searchParams.get('amount') ?? '').split('.');
if (!/^\d{1,8}$/.test(coins) || !/^\d{0,8}$/.test(decimals)) throw new Error('not an amount');
const amount = BigInt(coins + decimals.padEnd(8, '0'));
const paid = address.toOutputScript(url.pathname, network);
const key = keyAt('m/84h/1h/0h/0/3');
const { output: script = new Uint8Array() } = payments.p2wpkh({ pubkey: publicKeyOf(key), network });
const { output: change = new Uint8Array() } = payments.p2wpkh({
  pubkey: publicKeyOf(keyAt('m/84h/1h/0h/1/0')),
  network,
});
const psbt = new Psbt({ network });
psbt.addInput({ hash: coinTxid, index: 0, sequence: 0xfffffffd, witnessUtxo: { script, value: 100_000n } });
psbt.addOutput({ script: paid, value: amount });
psbt.addOutput({ script: change, value: 39_718n });
const fee = 100_000n - psbt.txOutputs.reduce((sum, { value }) => sum + value, 0n);
if (fee < 0n || fee > 10_000n) throw new Error('an absurd fee');
const isChange = psbt.txOutputs[1]?.script.join() === change.join();
export const shown = `pays ${amount} sat to ${url.pathname}, fee ${fee} sat, change ${isChange ? 'verified' : 'foreign'}`;
psbt.signAllInputs(signerOf(key));
psbt.finalizeAllInputs();
const [first] = psbt.txOutputs;
if (first?.script.join() !== paid.join() || first.value !== amount) throw new Error('not paid');
export const txid = psbt.extractTransaction().getId();
const origin = "wpkh([73c5da0a/84'/1'/0'])";
export const labels = `${JSON.stringify({ type: 'tx', ref: txid, label: url.searchParams.get('label'), origin })}\n`;
