// Blocks that a node accepts, and chains of them.
import { createHash, scryptSync } from 'node:crypto';
import { formatHex, parseHex } from '../dist/core/bytes/index.js';
import { parseTxid, txid } from '../dist/core/tx/index.js';
import { buildMerkleTree, encodeBlock, encodeBlockHeader, pushNumber, treeRoot } from './internals.built.mjs';

export const SUBSIDY = 5_000_000_000n;
/** A script that anyone can spend, and its descriptor. */
export const ANYONE = Uint8Array.of(0x51);
export const ANYONE_DESCRIPTOR = 'raw(51)#8lvh9jxk';

const NOTHING = { txid: new Uint8Array(32), vout: 0xffffffff };
const SEQUENCE_FINAL = 0xffffffff;
/** The easiest target of regtest. */
const BITS = 0x207fffff;
/** The place of the nonce in a header. */
const NONCE = 76;
/** In satoshi: what each coin is worth that is made to be spent in the next block. */
const COIN = 1000n;

const sha256 = (bytes) => createHash('sha256').update(bytes).digest();
export const sha256d = (bytes) => sha256(sha256(bytes));
/** Litecoin's hash for proof of work. */
export const scryptHash = (header) => scryptSync(header, header, 32, { N: 1024, r: 1, p: 1 });

/** The genesis block of a network. `time`: which the next block shall follow; UNIX time. */
export const startTip = ({ genesis }, time) => ({ hash: parseHex(genesis.hash).reverse(), height: 0, time });

/** Makes an unsigned transaction. */
export function spend(outpoints, outputs) {
  const inputs = outpoints.map((outpoint) => ({
    outpoint,
    scriptSig: new Uint8Array(0),
    sequence: SEQUENCE_FINAL,
    witness: [],
  }));
  return { version: 2, inputs, outputs, locktime: 0 };
}

/** Makes the block of regtest after a tip, a minute later; its coinbase pays `outputs`. */
export function mine({ hash, height, time }, outputs, txs = [], powHash = sha256d) {
  const coinbase = spend([NOTHING], outputs);
  coinbase.inputs[0].scriptSig = Uint8Array.of(...pushNumber(height + 1), 0);
  const all = [coinbase, ...txs];
  const tip = { height: height + 1, time: time + 60 };
  const merkleRoot = treeRoot(buildMerkleTree(all.map(txid)));
  const values = { version: 0x20000000, previous: hash, merkleRoot, time: tip.time, bits: BITS, nonce: 0 };
  const header = encodeBlockHeader(values);
  const view = new DataView(header.buffer);
  for (let nonce = 0; powHash(header)[31] >= 0x7f; nonce += 1) view.setUint32(NONCE, nonce, true);
  return {
    hex: formatHex(encodeBlock(header, all)),
    coinbase: txid(coinbase),
    tip: { ...tip, hash: sha256d(header) },
  };
}

/** Lets our node mine until it has a coin that may be spent. @returns its tip and the coin */
export function mineCoin(rpc) {
  const hashes = rpc.call('generatetodescriptor', [101, ANYONE_DESCRIPTOR]);
  const [coinbase] = rpc.call('getblock', [hashes[0], 1]).tx;
  const { hash, height, time } = rpc.call('getblockheader', [hashes.at(-1)]);
  const tip = { hash: parseHex(hash).reverse(), height, time };
  return { tip, coin: { txid: parseTxid(coinbase), vout: 0, value: SUBSIDY } };
}

/**
 * Makes a function that mines the next block after a tip and returns its hex. In each block, one transaction splits
 * `count` coins off `coin`, and as many others spend those of the previous block; `scriptOf` names the scripts that they
 * pay to. The coinbases pay nothing, as no subsidy is left at great heights.
 */
export function paymentsAfter({ tip, coin }, count, powHash) {
  let last = tip;
  let rest = coin;
  let coins = [];
  return (scriptOf) => {
    const payments = coins.map((spent, i) => spend([spent], [{ value: COIN, scriptPubKey: scriptOf(i) }]));
    const value = rest.value - BigInt(count) * COIN;
    const made = Array.from({ length: count }, () => ({ value: COIN, scriptPubKey: ANYONE }));
    const split = spend([rest], [...made, { value, scriptPubKey: ANYONE }]);
    const id = txid(split);
    coins = made.map((_, vout) => ({ txid: id, vout }));
    rest = { txid: id, vout: count, value };
    const block = mine(last, [{ value: 0n, scriptPubKey: ANYONE }], [...payments, split], powHash);
    last = block.tip;
    return block.hex;
  };
}
