import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Esplora, openEsplora } from '../../../src/node/esplora/answerEsplora.ts';
import { pooledMovements, scriptHash } from '../../../src/node/esplora/chainIndex.ts';
import { blockAfter, blocksAfter, coinbaseOf, GENESIS, type MadeBlock } from '../../support/blocks.ts';
import { campaign } from '../../support/campaign.ts';
import { coinOf, get, pay, SCRIPTS, type ScriptName, ask as send } from '../../support/esplora.ts';
import { openNode, submit } from '../../support/feeding.ts';
import {
  BtcError,
  createMemoryStore,
  formatHex,
  formatTxid,
  type NodeRpc,
  type Outpoint,
  sha256,
  type Transaction,
} from '../../support/library.ts';
import { seed } from '../../support/seed.ts';
import { ask, hexOf, put } from '../../support/walletWorld.ts';

const PAID: readonly ScriptName[] = ['true', 'true', 'p2wpkh', 'p2tr', 'data', 'p2pkh'];
const SEEN = [...new Set(PAID)];

interface Coin {
  readonly outpoint: Outpoint;
  readonly value: bigint;
}

/** A block and the coins of `true` that a block after it may spend, by `txid:vout`. */
interface Branch {
  readonly block: MadeBlock;
  readonly coins: ReadonlyMap<string, Coin>;
}

const nameOf = ({ txid, vout }: Outpoint): string => `${formatTxid(txid)}:${vout}`;

/** Returns what a transaction leaves of coins; nothing if one that it spends is missing. */
function spendFrom(coins: Branch['coins'], tx: Transaction): Branch['coins'] | undefined {
  const left = new Map(coins);
  for (const { outpoint } of tx.inputs) if (!left.delete(nameOf(outpoint))) return undefined;
  for (const [vout, { value, scriptPubKey }] of tx.outputs.entries()) {
    if (scriptPubKey !== SCRIPTS.true) continue;
    const outpoint = coinOf(tx, vout);
    left.set(nameOf(outpoint), { outpoint, value });
  }
  return left;
}

function makePayment(coins: Branch['coins'], picks: readonly number[]): Transaction | undefined {
  const all = [...coins.values()];
  const [pick = 0, other = 0, ...names] = picks;
  const spent = [...new Set([all[pick % all.length], all[other % all.length]])].flatMap((coin) => coin ?? []);
  if (spent.length === 0) return undefined;
  const least = spent.reduce((min, { value }) => (value < min ? value : min), spent[0]?.value ?? 0n);
  const paid = names.map((name) => PAID[name % PAID.length] ?? 'true');
  return pay(
    spent.map(({ outpoint }) => outpoint),
    paid,
    least / 8n,
  );
}

const early = blocksAfter(GENESIS, 101);
const fan = pay([coinOf(coinbaseOf(early[0] ?? GENESIS), 0)], Array(12).fill('true'), 100_000_000n);
const fanned = blockAfter(early.at(-1) ?? GENESIS, { txs: [fan] });

const picks = fc.array(fc.nat(1000), { minLength: 3, maxLength: 5 });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('mine' as const), at: fc.nat(3), txs: fc.array(picks, { maxLength: 3 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('send' as const), picks }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('invalidate' as const, 'reconsider' as const), at: fc.nat(5) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('ask' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A node whose chain grows, forks and shrinks. */
interface Play {
  readonly rpc: NodeRpc;
  readonly esplora: Esplora;
  readonly branches: Branch[];
  readonly sent: Transaction[];
}

function play({ rpc, esplora, branches, sent }: Play, move: Step): void {
  const nth = (back: number): Branch | undefined => branches.at(-1 - (back % branches.length));
  if (move.kind === 'ask') get(esplora, '/blocks/tip/height');
  else if (move.kind === 'mine') {
    const parent = nth(move.at);
    if (parent) branches.push(mine(rpc, parent, [...sent.slice(-4), ...move.txs], branches.length));
  } else if (move.kind === 'send') {
    const tip = rpc.call('getbestblockhash');
    const tx = makePayment(branches.find(({ block }) => block.hash === tip)?.coins ?? new Map(), move.picks);
    if (!tx) return;
    put(rpc, tx);
    sent.push(tx);
  } else {
    ask(rpc, `${move.kind}block`, [nth(move.at)?.block.hash]);
  }
}

/** Mines those of the given transactions whose coins are there, and new ones. */
function mine(
  rpc: NodeRpc,
  parent: Branch,
  wanted: readonly (Transaction | readonly number[])[],
  salt: number,
): Branch {
  const txs: Transaction[] = [];
  let { coins } = parent;
  for (const item of wanted) {
    const tx = 'inputs' in item ? item : makePayment(coins, item);
    const left = tx && spendFrom(coins, tx);
    if (!tx || !left) continue;
    txs.push(tx);
    coins = left;
  }
  const block = blockAfter(parent.block, { txs, salt: salt.toString(16).padStart(8, '0') });
  ask(rpc, 'submitblock', [block.hex]);
  return { block, coins };
}

function contents({ rpc, index }: Esplora): object {
  const { blocks, places, spenders, movements } = index;
  const pooled = SEEN.map((name) => pooledMovements(index, rpc.node.chain, scriptHash(SCRIPTS[name])));
  return { blocks, places, spenders, movements, pooled };
}

interface Stats {
  readonly chain_stats: { readonly funded_txo_sum: number; readonly spent_txo_sum: number };
}

describe('an index that follows the chain', () => {
  test('equals one built from scratch, and agrees with the coins of the chain', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (moves) => {
        const rpc = openNode();
        submit(rpc, early);
        const esplora = openEsplora(rpc);
        const coins = spendFrom(
          new Map([[nameOf(coinOf(coinbaseOf(early[0] ?? GENESIS), 0)), { outpoint: coinOf(fan, 0), value: 0n }]]),
          fan,
        );
        submit(rpc, [fanned]);
        const game: Play = { rpc, esplora, branches: [{ block: fanned, coins: coins ?? new Map() }], sent: [] };
        for (const move of moves) play(game, move);
        get(esplora, '/mempool');
        expect(contents(esplora)).toEqual(contents(openEsplora(rpc)));
        for (const name of SEEN) {
          const script = formatHex(SCRIPTS[name]);
          const { chain_stats: stats } = get<Stats>(esplora, `/scripthash/${formatHex(sha256(SCRIPTS[name]))}`);
          const scan = ask(rpc, 'scantxoutset', ['start', [`raw(${script})`]]) as { readonly total_amount: number };
          expect((stats.funded_txo_sum - stats.spent_txo_sum) / 1e8).toBeCloseTo(scan.total_amount, 8);
        }
      }),
      { seed, ...campaign(160) },
    );
  });

  test('keeps what it has of the blocks that stay', () => {
    const rpc = openNode();
    const esplora = openEsplora(rpc);
    const made = blocksAfter(GENESIS, 5);
    submit(rpc, made.slice(0, 3));
    get(esplora, '/mempool');
    const before = [...esplora.index.blocks];
    submit(rpc, made.slice(3));
    get(esplora, '/mempool');
    expect(esplora.index.blocks).toHaveLength(6);
    for (const [height, block] of before.entries()) expect(esplora.index.blocks[height]).toBe(block);
  });

  test('follows what another process does with the same store', () => {
    const store = createMemoryStore();
    const rpc = openNode(store);
    submit(rpc, blocksAfter(GENESIS, 3));
    const esplora = openEsplora(rpc);
    submit(rpc, blocksAfter(GENESIS, 5, 'bb'));
    const reopened = openEsplora(openNode(store));
    expect(get(esplora, '/blocks')).toEqual(get(reopened, '/blocks'));
    expect(contents(esplora)).toEqual(contents(reopened));
  });

  test('keeps nothing of a change that was not written', () => {
    const plain = createMemoryStore();
    let isFull = false;
    const store = {
      ...plain,
      write: (changes: Parameters<typeof plain.write>[0]) => {
        if (isFull) throw new BtcError('store/failed', { path: '', reason: 'disk full' }, 'The disk is full');
        plain.write(changes);
      },
    };
    const rpc = openNode(store);
    submit(rpc, early);
    const esplora = openEsplora(rpc);
    isFull = true;
    expect(() => submit(rpc, [fanned])).toThrow();
    const coins = early.slice(0, 1).map((block) => coinOf(coinbaseOf(block), 0));
    expect(send(esplora, '/tx', hexOf(pay(coins, ['true'], 4_999_999_000n)))).toMatchObject({
      status: 503,
      body: expect.stringMatching(/^sendrawtransaction RPC error: \{"code":-20,"message":"/),
    });
    expect(get(esplora, '/mempool/txids')).toEqual([]);
    expect(get(esplora, '/blocks/tip/height')).toBe('101');
    expect(contents(esplora)).toEqual(contents(openEsplora(rpc)));
  });
});
