import type { Dice } from './random.ts';
import {
  type ChainBlock,
  follow,
  isRipe,
  type KnownTx,
  makeBlock,
  mempoolTxs,
  submit,
  type World,
  withTx,
} from './world.ts';

/** Random changes of the chain: blocks, reorganizations, the clock. */

/** Selects the transactions that can be mined in this order on a block of the active chain or of a branch. */
function minable(world: World, on: ChainBlock, txs: readonly KnownTx[]): KnownTx[] {
  let coins = on.coins;
  return txs.filter(({ tx, spends }) => {
    const isFree = tx.locktime === 0 && tx.inputs.every(({ sequence }) => sequence >= 0xffff_fffd);
    const isThere = spends.every((name) => {
      const coin = coins.get(name);
      return coin !== undefined && isRipe({ ...world, tip: on }, coin);
    });
    // Transactions with timelocks are mined only on the tip, from the mempool, where the node has checked them.
    if (!isThere || !(isFree || on === world.tip)) return false;
    coins = withTx(world, coins, tx, on.height + 1);
    return true;
  });
}

const looseTxs = ({ known, mempool }: World): KnownTx[] =>
  [...known.values()].filter(({ id, tx }) => !mempool.includes(id) && tx.locktime === 0);

/** Chooses a block's transactions: much or little of the mempool, and sometimes transactions in conflict with it. */
function chooseTxs(world: World, on: ChainBlock): KnownTx[] {
  const { dice } = world;
  const share = dice.pick([0, 0.5, 0.9, 1]);
  const relayed = mempoolTxs(world).filter(() => dice.chance(share));
  const loose = dice.chance(0.4) ? dice.some(looseTxs(world), 3) : [];
  const isFree = ({ tx }: KnownTx): boolean => tx.inputs.every(({ sequence }) => sequence >= 0xffff_fffd);
  return minable(
    world,
    on,
    dice.chance(0.7) ? [...relayed, ...loose.filter(isFree)] : [...loose.filter(isFree), ...relayed],
  );
}

export async function mine(world: World): Promise<void> {
  const txs = chooseTxs(world, world.tip).map(({ tx }) => tx);
  await submit(world, makeBlock(world, world.tip, txs));
}

const back = ({ blocks }: World, from: ChainBlock, count: number): ChainBlock => {
  let at = from;
  for (let i = 0; i < count; i += 1) at = blocks.get(at.previous) ?? at;
  return at;
};

/** Invalidates blocks, and usually mines others in their place. */
export async function invalidate(world: World): Promise<void> {
  const { dice, both } = world;
  const depth = depthOf(dice);
  if (world.tip.height <= depth) return;
  const first = back(world, world.tip, depth - 1);
  await both.ask('invalidateblock', [first.hash]);
  await follow(world);
  for (let i = dice.below(depth + 2); i > 0; i -= 1) await mine(world);
}

/** Mines a side branch, which may overtake the active chain. */
export async function branch(world: World): Promise<void> {
  const { dice } = world;
  const depth = depthOf(dice);
  if (world.tip.height <= depth) return;
  let on = back(world, world.tip, depth);
  for (let i = dice.below(depth + 3); i > 0; i -= 1) {
    const txs = chooseTxs(world, on).map(({ tx }) => tx);
    const block = makeBlock(world, on, txs);
    await submit(world, block);
    on = block;
  }
}

const depthOf = (dice: Dice): number =>
  dice.weighed([
    [6, 1],
    [3, 2],
    [2, 3],
    [1, 5],
  ]);

export async function letTimePass(world: World): Promise<void> {
  const { dice, both } = world;
  world.now += dice.weighed([
    [5, dice.below(900)],
    [1, dice.below(20_000)],
    [1, -dice.below(500)],
  ]);
  await both.ask('setmocktime', [world.now]);
}

/** Sends blocks and block hashes that are refused. */
export async function showBadBlock(world: World): Promise<void> {
  const { dice, both, blocks } = world;
  const known = dice.pick([...blocks.keys()]);
  const { hex } = makeBlock(world, world.tip, []);
  const param = dice.pick<unknown>(['', 'zz', '00', hex.slice(2), hex.slice(0, -2), `${hex}00`, 1, null, known]);
  await both.ask('submitblock', [param]);
  await follow(world);
  await both.ask('invalidateblock', [dice.pick<unknown>(['', 'zz', '11'.repeat(32), 1, null])]);
  await both.ask('getblockhash', [dice.pick<unknown>([0, -1, world.tip.height, world.tip.height + 1, 'x', null, 1.5])]);
}
