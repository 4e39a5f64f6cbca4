// Pays with @scure/btc-signer on a regtest in this process.
import { p2tr, Transaction, utils } from '@scure/btc-signer';
import { startRegtest } from 'countersign/regtest';

const network = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };
const key = utils.randomPrivateKeyBytes();
const mine = p2tr(utils.pubSchnorr(key), undefined, network);

const chain = startRegtest();
const shop = chain.wallet('shop');
const { txid, vout } = chain.fund(mine.address ?? '', 100_000n);

const tx = new Transaction();
tx.addInput({ ...mine, txid, index: vout, witnessUtxo: { script: mine.script, amount: 100_000n } });
tx.addOutputAddress(shop.address(), 99_000n, network);
tx.sign(key);
tx.finalize();
chain.rpc.call('sendrawtransaction', [tx.hex]);
chain.mine();

/** What the shop has: 99 000 satoshi. */
export const balance = shop.balance();
