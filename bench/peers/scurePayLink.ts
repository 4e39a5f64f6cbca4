// Pays a payment link, as examples/payLink.ts does, with @scure/btc-signer, which reads no links, reviews nothing and writes no labels.
import { Address, OutScript, p2wpkh, Transaction } from '@scure/btc-signer';
import { coinTxid, destination } from '../../examples/fixtures.ts';
import { keyAt, publicKeyOf, regtest } from './keys.ts';

const url = new URL(`bitcoin:${destination}?amount=0.0006&label=Coffee`);
for (const name of url.searchParams.keys()) if (name.startsWith('req-')) throw new Error('not understood');
for (const name of ['amount', 'label', 'message']) {
  if (url.searchParams.getAll(name).length > 1) throw new Error(`${name} twice`);
}
const [coins = '', decimals = ''] = (url.searchParams.get('amount') ?? '').split('.');
if (!/^\d{1,8}$/.test(coins) || !/^\d{0,8}$/.test(decimals)) throw new Error('not an amount');
const amount = BigInt(coins + decimals.padEnd(8, '0'));
const script = OutScript.encode(Address(regtest).decode(url.pathname));
const key = keyAt('m/84h/1h/0h/0/3');
const from = p2wpkh(publicKeyOf(key), regtest);
const change = p2wpkh(publicKeyOf(keyAt('m/84h/1h/0h/1/0')), regtest);
const tx = new Transaction();
const coin = { txid: coinTxid, index: 0, sequence: 0xfffffffd };
tx.addInput({ ...from, ...coin, witnessUtxo: { script: from.script, amount: 100_000n } });
tx.addOutput({ script, amount });
tx.addOutput({ script: change.script, amount: 39_718n });
const outputs = [0, 1].map((index) => tx.getOutput(index));
const fee = 100_000n - outputs.reduce((sum, output) => sum + (output.amount ?? 0n), 0n);
if (fee < 0n || fee > 10_000n) throw new Error('an absurd fee');
const isChange = outputs[1]?.script?.join() === change.script.join();
export const shown = `pays ${amount} sat to ${url.pathname}, fee ${fee} sat, change ${isChange ? 'verified' : 'foreign'}`;
tx.sign(key);
tx.finalize();
if (tx.getOutput(0).script?.join() !== script.join() || tx.getOutput(0).amount !== amount) throw new Error('not paid');
export const { id: txid } = tx;
const origin = "wpkh([73c5da0a/84'/1'/0'])";
export const labels = `${JSON.stringify({ type: 'tx', ref: txid, label: url.searchParams.get('label'), origin })}\n`;
