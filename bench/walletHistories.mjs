// Histories for wallets, the same in every run: chains of foreign blocks, chains of headers, and blocks full of a wallet's own
// transactions, which a node accepts, too.
import { createHash } from 'node:crypto';
import { formatHex, parseHex } from '../dist/core/bytes/index.js';
import { networks } from '../dist/core/network/index.js';
import { txid } from '../dist/core/tx/index.js';
import { createNodeRpc } from '../dist/rpc.js';
import { openStore } from '../dist/shell/store/openStore.js';
import { ANYONE, mine, mineCoin, paymentsAfter, SUBSIDY, scryptHash, sha256d, spend, startTip } from './blocks.mjs';
import {
  activeTip,
  bytesKey,
  decodeBlock,
  markPartial,
  openChain,
  openTables,
  orderKey,
  submitBlock,
} from './internals.built.mjs';
import { assert } from './measure.mjs';

const NETWORK = 'litecoin-regtest';
const DIALECT = 'litecoin-0.21';
/** UNIX time of the first block; a minute passes from block to block. */
const BEGIN = 1_600_000_000;
/** The clock of all who see the blocks: later than each of them, but not by as much as a wallet would notice. */
export const NOW = BEGIN + 60 * 400;
const FOREIGN = Uint8Array.from([0, 20, ...new Uint8Array(20).fill(7)]);
/** The transactions of a block that is full of a wallet's own. */
export const PER_BLOCK = 2000;
/** The scripts of a wallet, and of a small one. */
const SCRIPTS = 1000;
const FEW_SCRIPTS = 10;
const MATURITY = 100;
const LAST_BLOCKS = [4, 3, 3];
const FEE = 1000n;

const hash160 = (bytes) => createHash('ripemd160').update(createHash('sha256').update(bytes).digest()).digest();
/** Makes an anyone-can-spend redeem script, different for each number. */
const redeemScript = (i) => Uint8Array.of(2, i & 0xff, i >> 8, 0x75, 0x51);
export const scriptOf = (i) => Uint8Array.from([0xa9, 20, ...hash160(redeemScript(i)), 0x87]);
const scripts = Array.from({ length: SCRIPTS }, (_, i) => scriptOf(i));

/** The calls that make a wallet which watches scripts. */
export const walletCalls = (count = SCRIPTS) => {
  const requests = scripts
    .slice(0, count)
    .map((script) => ({ scriptPubKey: formatHex(script), timestamp: 'now', internal: true, watchonly: true }));
  return [
    ['createwallet', ['w', true, true]],
    ['importmulti', [requests, { rescan: false }], 'w'],
  ];
};

/** Opens a node in a directory. */
export const openIn = (directory) =>
  createNodeRpc({
    network: NETWORK,
    dialect: DIALECT,
    store: openStore(directory),
    clock: () => NOW,
    random: () => new Uint8Array(32),
  });

/** Makes a directory with a small wallet. */
export function makeWallet(directory) {
  const rpc = openIn(directory);
  for (const [method, params, wallet] of walletCalls(FEW_SCRIPTS)) rpc.call(method, params, wallet);
  rpc.close();
}

/** Opens the chain of a directory without its wallets, and passes it to `use`. No scripts are run. */
function useChain(directory, use) {
  const store = openStore(directory);
  const chain = openChain(networks[NETWORK], openTables(store), { assumevalid: 'all' });
  use(chain);
  chain.tables.write();
  store.close();
}

/** The number of blocks written together. */
const TOGETHER = 1000;

/**
 * Feeds blocks of foreign transactions to a directory, as `submitblock` does but a thousand in each commit, after those that
 * a first coin takes.
 * @returns the bytes of the blocks
 */
export function feedForeign(directory, blocks, perBlock) {
  let bytes = 0;
  const rpc = openIn(directory);
  rpc.call('setmocktime', [BEGIN - 60 * blocks]);
  const start = mineCoin(rpc);
  rpc.close();
  useChain(directory, (chain) => {
    // Nothing checks their work here: that of Litecoin takes long.
    const next = paymentsAfter(start, perBlock);
    for (let count = 1; count <= blocks; count += 1) {
      const raw = parseHex(next(() => FOREIGN));
      bytes += raw.length;
      submitBlock(chain, decodeBlock(raw), raw);
      if (count % TOGETHER === 0) chain.tables.write();
    }
    assert(chain.counts.height === start.tip.height + blocks, 'all blocks are in the chain');
  });
  return bytes;
}

/** Writes a chain of headers to a directory, without the bodies of blocks. */
export function feedHeaders(directory, blocks) {
  useChain(directory, (chain) => {
    const step = 10;
    let parent = chain.first;
    for (let count = 1; count <= blocks; count += 1) {
      const time = BEGIN - step * (blocks - count);
      const header = Buffer.alloc(80);
      header.writeUInt32LE(0x20000000, 0);
      header.set(parent.hash, 4);
      header.writeUInt32LE(time, 68);
      header.writeUInt32LE(0x207fffff, 72);
      const hash = new Uint8Array(sha256d(header));
      const [key, height] = [bytesKey(hash), parent.height + 1];
      const work = parent.work + 2n;
      const block = { hash, key, previous: parent.key, header, height, time, maxTime: time, order: height, work };
      chain.blocks.set(key, block);
      chain.active.set(orderKey(height), key);
      chain.counts = { ...chain.counts, height, blocks: height + 1 };
      parent = block;
      if (count % (10 * TOGETHER) === 0) chain.tables.write();
    }
    chain.leafMarks.set(parent.key, true);
    markPartial(chain);
  });
}

/** A coin of a block that is missing, so that nothing is known of it. */
const UNKNOWN = { txid: new Uint8Array(32).fill(7), vout: 0, value: SUBSIDY };

/**
 * Makes a function that mines blocks of the same content after headers, whatever the height: `perBlock` transactions, `ours` of
 * which pay to the wallet. It returns the block in hex.
 */
export function nextBlocks(rpc, perBlock, ours) {
  const next = paymentsAfter({ tip: activeTip(rpc.node.chain), coin: UNKNOWN }, perBlock, scryptHash);
  return () => next((i) => (i < ours ? scripts[i] : FOREIGN));
}

/**
 * Makes the blocks of a wallet's history: coins, then blocks full of the wallet's transactions, then three blocks with ten.
 *
 * - `transactions`: the number of the wallet's transactions, besides the last ten
 * - `spends`: whether each spends the coin of one before, and the last the wallet's last coin; otherwise all coins stay
 *
 * @returns the blocks before the wallet and those after, in hex
 */
export function ownHistory(transactions, spends) {
  const full = transactions / PER_BLOCK;
  let tip = startTip(networks[NETWORK], BEGIN);
  const make = (outputs, txs = []) => {
    const block = mine(tip, outputs, txs, scryptHash);
    tip = block.tip;
    return block;
  };
  const value = SUBSIDY / BigInt(PER_BLOCK);
  const split = Array.from({ length: PER_BLOCK }, () => ({ value, scriptPubKey: ANYONE }));
  const funds = Array.from({ length: full + 1 }, () => make(split));
  // Later blocks may pay less: the subsidy of regtest halves every 150 blocks.
  const plain = [{ value: 1000n, scriptPubKey: ANYONE }];
  const waiting = Array.from({ length: MATURITY }, () => make(plain));
  const payer = payments(
    value,
    funds.map(({ coinbase }) => coinbase),
    spends ? full : 0,
  );
  const after = Array.from({ length: full }, (_, block) => make(plain, payer(block, PER_BLOCK)));
  const last = spread(LAST_BLOCKS, payments(value, [funds[full].coinbase], 0)).map((txs) => make(plain, txs));
  const hexOf = ({ hex }) => hex;
  return { before: [...funds, ...waiting].map(hexOf), after: [...after, ...last].map(hexOf) };
}

/** Distributes the transactions of one block over several. */
function spread(counts, payer) {
  const txs = payer(
    0,
    counts.reduce((sum, count) => sum + count),
  );
  return counts.map((count) => txs.splice(0, count));
}

/** Makes the wallet's transactions. `links`: the blocks in which each transaction but the first spends the one before. */
function payments(value, funds, links) {
  let before = [];
  return (block, count) => {
    const first = (i) => ({ coin: { txid: funds[block], vout: i }, scriptSig: new Uint8Array(0), worth: value });
    const next = ({ id, number, worth }) => ({
      coin: { txid: id, vout: 0 },
      scriptSig: Uint8Array.from([5, ...redeemScript(number)]),
      worth: worth - FEE,
    });
    const isLast = block === links - 1;
    before = Array.from({ length: count }, (_, i) => {
      const { coin, scriptSig, worth } = links > 0 && before[i] ? next(before[i]) : first(i);
      const number = (block * PER_BLOCK + i) % SCRIPTS;
      const tx = spend([coin], [{ value: worth, scriptPubKey: isLast ? FOREIGN : scripts[number] }]);
      tx.inputs[0].scriptSig = scriptSig;
      return { tx, id: txid(tx), number, worth };
    });
    return before.map(({ tx }) => tx);
  };
}
