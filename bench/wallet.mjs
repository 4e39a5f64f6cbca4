// Wallets of all sizes: the cost of a block with few of their transactions, of importing, and of reopening.
import { createHash } from 'node:crypto';
import { formatHex, parseHex } from '../dist/core/bytes/index.js';
import { nativeSecp256k1Ecc } from '../dist/core/crypto/nativeSecp256k1.js';
import { createMemoryStore } from '../dist/node/state/index.js';
import { createNodeRpc } from '../dist/rpc.js';
import { ANYONE, mineCoin, paymentsAfter, scryptHash, sha256d } from './blocks.mjs';
import { assert, cell, line, timeOnce } from './measure.mjs';

const PER_BLOCK = 2000;
const OURS_PER_BLOCK = 20;
const BLOCKS = 25;
const FEW = 1000;
const SIZES = [
  { scripts: FEW, transactions: 0 },
  { scripts: FEW, transactions: 100_000 },
  { scripts: 1_000_000, transactions: 0 },
  { scripts: 1_000_000, transactions: 100_000 },
];
const REQUEST = 50_000;
const XPUB =
  'tpubD6NzVbkrYhZ4WaWSyoBvQwbpLkojyoTZPRsgXELWz3Popb3qkjcJyJUGLnL4qHHoQvao8ESaAstxYSnhyswJ76uZPStJRJCTKvosUCJZL5B';

/** Makes the P2WPKH script of an unknown key, which the wallet can only watch. */
const scriptOf = (i) => Uint8Array.from([0, 20, ...createHash('ripemd160').update(`script ${i}`).digest()]);

const KINDS = [
  {
    name: 'watched scripts (litecoin-0.21)',
    options: { network: 'litecoin-regtest', dialect: 'litecoin-0.21' },
    powHash: scryptHash,
    watch: (rpc, count) => {
      for (let from = 0; from < count; from += REQUEST) {
        const requests = Array.from({ length: Math.min(REQUEST, count - from) }, (_, i) => ({
          scriptPubKey: formatHex(scriptOf(from + i)),
          timestamp: 'now',
          internal: true,
          watchonly: true,
        }));
        rpc.call('importmulti', [requests, { rescan: false }]);
      }
      return Array.from({ length: FEW }, (_, i) => scriptOf(i));
    },
  },
  {
    name: 'a ranged descriptor (core-32)',
    options: { network: 'regtest', dialect: 'core-32' },
    powHash: sha256d,
    watch: (rpc, count) => {
      const { descriptor: desc } = rpc.call('getdescriptorinfo', [`wpkh(${XPUB}/0/*)`]);
      rpc.call('importdescriptors', [[{ desc, timestamp: 'now', range: [0, count - 1] }]]);
      const addresses = rpc.call('deriveaddresses', [desc, [0, FEW - 1]]);
      return addresses.map((address) => parseHex(rpc.call('getaddressinfo', [address]).scriptPubKey));
    },
  },
];

/** Makes a function that adds a block of `PER_BLOCK` transactions, the first of which pay to the wallet. */
function startChain(rpc, powHash) {
  const start = mineCoin(rpc);
  const next = paymentsAfter(start, PER_BLOCK, powHash);
  let { height } = start.tip;
  const add = (scripts, ours) => {
    const block = next((i) => (i < ours ? scripts[(height * 31 + i) % scripts.length] : ANYONE));
    height += 1;
    return timeOnce(() => assert(rpc.call('submitblock', [block]) === null, 'the block is taken'));
  };
  add([], 0);
  return add;
}

function measure({ options, powHash, watch }, { scripts, transactions }) {
  const store = createMemoryStore();
  const open = () =>
    createNodeRpc({
      ...options,
      ecc: nativeSecp256k1Ecc,
      store,
      clock: () => 1_700_000_000,
      random: () => new Uint8Array(32),
    });
  const rpc = open();
  rpc.call('createwallet', ['w', true, true]);
  let known;
  const watching = timeOnce(() => {
    known = watch(rpc, scripts);
  });
  const next = startChain(rpc, powHash);
  for (let made = 0; made < transactions; made += PER_BLOCK) next(known, PER_BLOCK);
  globalThis.gc?.();
  const times = Array.from({ length: BLOCKS }, () => next(known, OURS_PER_BLOCK)).sort((a, b) => a - b);
  const listed = rpc.call('listsinceblock', ['', 1, true]).transactions.length;
  assert(listed === transactions + BLOCKS * OURS_PER_BLOCK, 'all payments are listed');
  globalThis.gc?.();
  const memory = process.memoryUsage().rss;
  const opening = timeOnce(open);
  return { watching, block: times[BLOCKS >> 1], memory, opening };
}

export function benchWallet() {
  console.log(
    line(
      `${PER_BLOCK} transactions in a block, ${OURS_PER_BLOCK} of them the wallet's`,
      'scripts',
      'transactions',
      'block, ms',
      'memory, MB',
      'import, s',
      'opening again, s',
    ),
  );
  console.log(line('---', '---', '---', '---', '---', '---', '---'));
  for (const kind of KINDS) {
    let first;
    for (const size of SIZES) {
      const { watching, block, memory, opening } = measure(kind, size);
      first ??= block;
      const { scripts, transactions } = size;
      const beside = `${cell(block)} (${(block / first).toFixed(2)}×)`;
      const seconds = (ms) => (ms / 1000).toFixed(1);
      console.log(
        line(
          kind.name,
          scripts,
          transactions,
          beside,
          Math.round(memory / 2 ** 20),
          seconds(watching),
          seconds(opening),
        ),
      );
    }
  }
}
