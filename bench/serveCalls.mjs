// The calls of the clients of bench/serve.mjs.
import { scryptSync } from 'node:crypto';
import { formatAddress } from '../dist/core/address/index.js';
import { formatHex, parseHex } from '../dist/core/bytes/index.js';
import { nobleEcc } from '../dist/core/crypto/index.js';
import { formatWif } from '../dist/core/keys/index.js';
import { networks } from '../dist/core/network/index.js';
import { encodeTransaction, parseTxid, txid } from '../dist/core/tx/index.js';
import { hash160, sha256d } from './internals.built.mjs';

const NETWORK = networks['litecoin-regtest'];
const GENESIS = '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9';
const START_TIME = 1_600_000_000;
const KEYS = 20;

export const PSBT = 'cHNidP8BADwCAAAAARERERERERERERERERERERERERERERERERERERERERERAAAAAAD/////AQAQAAAAAAAAAAAAAAAAAAA=';

const scriptOf = (hash) => Uint8Array.of(0, 20, ...hash);

/** Test keys without value: their bytes are small numbers. */
export const walletKeys = Array.from({ length: KEYS }, (_, i) => {
  const secretKey = new Uint8Array(32).fill(i + 1);
  const scriptPubKey = scriptOf(hash160(nobleEcc.publicKey(secretKey, true)));
  const wif = formatWif({ secretKey, isCompressed: true }, NETWORK);
  return { wif, scriptPubKey, address: formatAddress(scriptPubKey, NETWORK) };
});

/** Makes a chain whose coinbases pay to the keys in turn. */
export function blocksOf(count) {
  const blocks = [];
  let previous = GENESIS;
  for (let height = 1; height <= count; height += 1) {
    const block = mine(previous, height);
    blocks.push(block);
    previous = block.hash;
  }
  return blocks;
}

function mine(previous, height) {
  const { scriptPubKey } = walletKeys[height % KEYS];
  const value = 5_000_000_000n >> BigInt(Math.floor(height / 150));
  const nothing = { txid: parseTxid('00'.repeat(32)), vout: 0xffffffff };
  const numbers = height < 0x80 ? [1, height] : [2, height & 0xff, height >> 8];
  const push = height <= 16 ? [0x50 + height, 1, 0] : height >= 0x80 && height < 0x100 ? [2, height, 0] : numbers;
  const inputs = [{ outpoint: nothing, scriptSig: Uint8Array.from(push), sequence: 0xffffffff, witness: [] }];
  const coinbase = { version: 2, inputs, outputs: [{ value, scriptPubKey }], locktime: 0 };
  const header = new Uint8Array(80);
  const view = new DataView(header.buffer);
  view.setUint32(0, 0x20000000, true);
  header.set(parseHex(previous).reverse(), 4);
  header.set(txid(coinbase), 36);
  view.setUint32(68, START_TIME + 60 * height, true);
  view.setUint32(72, 0x207fffff, true);
  for (let nonce = 0; scryptSync(header, header, 32, { N: 1024, r: 1, p: 1 })[31] >= 0x7f; nonce += 1) {
    view.setUint32(76, nonce, true);
  }
  const hex = `${formatHex(header)}01${formatHex(encodeTransaction(coinbase))}`;
  return { hex, hash: formatHex(sha256d(header).reverse()) };
}

/** A spend of one of the coins to one of the keys. */
function spendOf({ txid: id, vout, amount }, { scriptPubKey }) {
  const outpoint = { txid: parseTxid(id), vout };
  const tx = {
    version: 2,
    inputs: [{ outpoint, scriptSig: new Uint8Array(0), sequence: 0xffffffff, witness: [] }],
    outputs: [{ value: BigInt(Math.round(amount * 1e8)) - 1000n, scriptPubKey }],
    locktime: 0,
  };
  return formatHex(encodeTransaction(tx));
}

/** One client's calls: the six operations, and now and then an address, a label, or a block by the first client. */
export function callsOf(bytes, client, coins) {
  const pick = (all) => all[(bytes(1)[0] * 256 + bytes(1)[0]) % all.length];
  const wallet = true;
  const spend = () => {
    const coin = pick(coins);
    const { wif, scriptPubKey } = walletKeys.find(({ address }) => address === coin.address) ?? walletKeys[0];
    const prevtx = { txid: coin.txid, vout: coin.vout, scriptPubKey: coin.scriptPubKey, amount: coin.amount };
    return { hex: spendOf(coin, { scriptPubKey }), wif, prevtx };
  };
  const kinds = [
    ...Array.from({ length: 40 }, () => () => ({
      method: 'getaddressinfo',
      params: [pick(walletKeys).address],
      wallet,
    })),
    ...Array.from({ length: 40 }, () => () => ({ method: 'decodepsbt', params: [PSBT] })),
    ...Array.from({ length: 20 }, () => () => ({ method: 'listunspent', params: [1, 9_999_999], wallet })),
    ...Array.from({ length: 20 }, () => () => ({ method: 'listsinceblock', params: [GENESIS, 6], wallet })),
    ...Array.from({ length: 20 }, () => () => {
      const { hex, wif, prevtx } = spend();
      return { method: 'signrawtransactionwithkey', params: [hex, [wif], [prevtx]] };
    }),
    ...Array.from({ length: 20 }, () => () => ({
      method: 'signrawtransactionwithwallet',
      params: [spend().hex],
      wallet,
    })),
    () => ({ method: 'importaddress', params: [strangeAddress(bytes), 'new', false], wallet }),
    () => ({ method: 'setlabel', params: [pick(walletKeys).address, `label ${bytes(1)[0]}`], wallet }),
    ...(client === 0 ? Array.from({ length: 30 }, () => () => ({ method: 'submitblock', params: [] })) : []),
  ];
  return () => pick(kinds)();
}

const strangeAddress = (bytes) => formatAddress(scriptOf(bytes(20)), NETWORK);
