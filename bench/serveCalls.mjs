// The calls of the clients of bench/serve.mjs.
import { formatAddress } from '../dist/core/address/index.js';
import { formatHex } from '../dist/core/bytes/index.js';
import { nobleEcc } from '../dist/core/crypto/index.js';
import { formatWif } from '../dist/core/keys/index.js';
import { networks } from '../dist/core/network/index.js';
import { encodeTransaction, parseTxid } from '../dist/core/tx/index.js';
import { mine, SUBSIDY, scryptHash, spend, startTip } from './blocks.mjs';
import { hash160 } from './internals.built.mjs';

const NETWORK = networks['litecoin-regtest'];
const START_TIME = 1_600_000_000;
const HALVING_INTERVAL = 150;
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
  let tip = startTip(NETWORK, START_TIME);
  for (let height = 1; height <= count; height += 1) {
    const value = SUBSIDY >> BigInt(Math.floor(height / HALVING_INTERVAL));
    const block = mine(tip, [{ value, scriptPubKey: walletKeys[height % KEYS].scriptPubKey }], [], scryptHash);
    blocks.push(block);
    tip = block.tip;
  }
  return blocks;
}

/** A spend of one of the coins to one of the keys. */
function spendOf({ txid: id, vout, amount }, { scriptPubKey }) {
  const value = BigInt(Math.round(amount * 1e8)) - 1000n;
  const tx = spend([{ txid: parseTxid(id), vout }], [{ value, scriptPubKey }]);
  return formatHex(encodeTransaction(tx));
}

/** One client's calls: the six operations, and now and then an address, a label, or a block by the first client. */
export function callsOf(bytes, client, coins) {
  const pick = (all) => all[(bytes(1)[0] * 256 + bytes(1)[0]) % all.length];
  const wallet = true;
  const spendAny = () => {
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
    ...Array.from({ length: 20 }, () => () => ({
      method: 'listsinceblock',
      params: [NETWORK.genesis.hash, 6],
      wallet,
    })),
    ...Array.from({ length: 20 }, () => () => {
      const { hex, wif, prevtx } = spendAny();
      return { method: 'signrawtransactionwithkey', params: [hex, [wif], [prevtx]] };
    }),
    ...Array.from({ length: 20 }, () => () => ({
      method: 'signrawtransactionwithwallet',
      params: [spendAny().hex],
      wallet,
    })),
    () => ({ method: 'importaddress', params: [strangeAddress(bytes), 'new', false], wallet }),
    () => ({ method: 'setlabel', params: [pick(walletKeys).address, `label ${bytes(1)[0]}`], wallet }),
    ...(client === 0 ? Array.from({ length: 30 }, () => () => ({ method: 'submitblock', params: [] })) : []),
  ];
  return () => pick(kinds)();
}

const strangeAddress = (bytes) => formatAddress(scriptOf(bytes(20)), NETWORK);
