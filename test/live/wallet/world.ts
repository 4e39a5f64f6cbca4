import { formatHex, formatTxid, type Outpoint, type Transaction, txid } from '../../support/library.ts';
import type { Both } from './bothNodes.ts';
import type { Lock } from './locks.ts';
import { type MadeBlock, mineBlock } from './mining.ts';
import type { Dice } from './random.ts';

/** A scenario's model of the chain, the mempool and the wallets. */
export interface World {
  readonly both: Both;
  readonly dice: Dice;
  readonly locks: readonly Lock[];
  /** All blocks by hash, including those of side branches. */
  readonly blocks: Map<string, ChainBlock>;
  /** All transactions but coinbases, by txid. */
  readonly known: Map<string, KnownTx>;
  /** The txids of the node's mempool. */
  mempool: readonly string[];
  tip: ChainBlock;
  /** The mock time, UNIX time. */
  now: number;
  /** The wallets by name. */
  readonly wallets: Map<string, { isLoaded: boolean; readonly watchesOnly: boolean; passphrase?: string }>;
}

export interface Coin {
  readonly outpoint: Outpoint;
  readonly value: bigint;
  readonly lock: Lock;
  /** Absent in the mempool. */
  readonly height?: number;
  readonly isCoinbase: boolean;
}

export interface ChainBlock {
  readonly hash: string;
  readonly previous: string;
  readonly height: number;
  readonly time: number;
  readonly txs: readonly Transaction[];
  /** The UTXO set after this block, by outpoint name. */
  readonly coins: ReadonlyMap<string, Coin>;
}

export interface KnownTx {
  readonly tx: Transaction;
  readonly id: string;
  readonly spends: readonly string[];
}

export const START_TIME = 1_600_000_000;
const MATURITY = 100;
const GENESIS = '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9';

const coinName = ({ txid: id, vout }: Outpoint): string => `${formatTxid(id)}:${vout}`;
const idOf = (tx: Transaction): string => formatTxid(txid(tx));

export function firstBlock(): ChainBlock {
  return { hash: GENESIS, previous: '', height: 0, time: 1_296_688_602, txs: [], coins: new Map() };
}

const isCoinbase = ({ inputs }: Transaction): boolean => inputs[0]?.outpoint.vout === 0xffff_ffff;

/** Returns the coins after a transaction. */
export function withTx(
  { locks }: World,
  coins: ReadonlyMap<string, Coin>,
  tx: Transaction,
  height?: number,
): Map<string, Coin> {
  const after = new Map(coins);
  for (const { outpoint } of tx.inputs) after.delete(coinName(outpoint));
  for (const [vout, { value, scriptPubKey }] of tx.outputs.entries()) {
    const text = formatHex(scriptPubKey);
    const lock = locks.find((candidate) => formatHex(candidate.scriptPubKey) === text);
    if (!lock || lock.kind.startsWith('data')) continue;
    const outpoint = { txid: txid(tx), vout };
    const coin = { outpoint, value, lock, isCoinbase: isCoinbase(tx), ...(height !== undefined && { height }) };
    after.set(coinName(outpoint), coin);
  }
  return after;
}

/** Returns the mature coins, including unconfirmed ones. */
export function spendable(world: World): Coin[] {
  const loose = mempoolTxs(world).reduce((coins, { tx }) => withTx(world, coins, tx), new Map(world.tip.coins));
  return [...loose.values()].filter((coin) => isRipe(world, coin));
}

export const isRipe = ({ tip }: World, { isCoinbase: isGenerated, height = 0 }: Coin): boolean =>
  !isGenerated || tip.height + 1 - height >= MATURITY;

/** Returns the mempool transactions, parents first. */
export function mempoolTxs({ mempool, known }: World): KnownTx[] {
  const waiting = mempool.flatMap((id) => known.get(id) ?? []);
  const ordered: KnownTx[] = [];
  while (waiting.length > 0) {
    const isReady = ({ spends }: KnownTx): boolean =>
      spends.every((name) => !waiting.some(({ id }) => name.startsWith(id)));
    ordered.push(...waiting.splice(Math.max(waiting.findIndex(isReady), 0), 1));
  }
  return ordered;
}

export async function refreshMempool(world: World): Promise<void> {
  const { result } = await world.both.askNode('getrawmempool', []);
  world.mempool = result as readonly string[];
}

export function learn({ known }: World, tx: Transaction): KnownTx {
  const entry = { tx, id: idOf(tx), spends: tx.inputs.map(({ outpoint }) => coinName(outpoint)) };
  known.set(entry.id, entry);
  return entry;
}

/** Mines a block without submitting it. */
export function makeBlock(world: World, parent: ChainBlock, txs: readonly Transaction[]): ChainBlock & MadeBlock {
  const { dice, blocks } = world;
  const height = parent.height + 1;
  const subsidy = 5_000_000_000n >> BigInt(Math.floor(height / 150));
  const payees = dice.some(world.locks, 3);
  const outputs = payees.map(({ scriptPubKey }) => ({ value: subsidy / BigInt(payees.length), scriptPubKey }));
  const time = Math.max(medianTime(world, parent) + 1, world.now - dice.below(400));
  const mined = mineBlock({ previous: parent.hash, height, time, outputs, nonce: dice.below(0x100_0000), txs });
  const coins = mined.txs.reduce<ReadonlyMap<string, Coin>>((all, tx) => withTx(world, all, tx, height), parent.coins);
  const block = { ...mined, previous: parent.hash, height, time, coins };
  blocks.set(block.hash, block);
  return block;
}

function medianTime({ blocks }: World, block: ChainBlock): number {
  const times: number[] = [];
  for (let at: ChainBlock | undefined = block; at && times.length < 11; at = blocks.get(at.previous))
    times.push(at.time);
  return times.sort((a, b) => a - b)[times.length >> 1] ?? 0;
}

/** Submits a block to both. */
export async function submit(world: World, { hex }: MadeBlock): Promise<void> {
  await world.both.ask('submitblock', [hex]);
  await follow(world);
}

/** Updates the tip and the mempool from the node. */
export async function follow(world: World): Promise<void> {
  // A node notifies its wallets asynchronously; wait for that before the mock time changes.
  await world.both.askNode('syncwithvalidationinterfacequeue', []);
  const { result } = await world.both.ask('getbestblockhash', []);
  const tip = world.blocks.get(result as string);
  if (!tip) throw new Error(`unknown block ${String(result)}`);
  world.tip = tip;
  await refreshMempool(world);
}
