// Pays with bitcoinjs-lib on a regtest in this process, and sees how a reorganization takes the payment back.
import { networks, Psbt, payments } from 'bitcoinjs-lib';
import { startRegtest } from 'countersign/regtest';
import { keyAt, publicKeyOf, signerOf } from '../bench/peers/keys.ts';

const network = networks.regtest;
const key = keyAt('m/84h/1h/0h/0/0');
const { address = '', output: script = new Uint8Array() } = payments.p2wpkh({ pubkey: publicKeyOf(key), network });

const chain = startRegtest();
const shop = chain.wallet('shop');
const { txid, vout } = chain.fund(address, 100_000n);

const psbt = new Psbt({ network });
psbt.addInput({ hash: txid, index: vout, witnessUtxo: { script, value: 100_000n } });
psbt.addOutput({ address: shop.address(), value: 99_000n });
psbt.signAllInputs(signerOf(key));
psbt.finalizeAllInputs();
const payment = psbt.extractTransaction();

// Another node, which does not hear of the payment, mines a longer chain.
const other = chain.link();
chain.disconnect();
chain.rpc.call('sendrawtransaction', [payment.toHex()]);
chain.mine();
const confirmed = shop.call('gettransaction', [payment.getId()]).confirmations;
other.mine(2);
chain.reconnect();
const afterwards = shop.call('gettransaction', [payment.getId()]).confirmations;

/** 1, and 0 once the block was replaced. */
export const confirmations = [confirmed, afterwards];
