import { askAddress, askInfo, askSignature, askSince, askSmall, askSpend, askUnspent } from './asking.ts';
import type { Both } from './both.ts';
import { branch, invalidate, letTimePass, mine, showBadBlock } from './chainSteps.ts';
import { makeDice } from './dice.ts';
import { makeLocks } from './locks.ts';
import { pay, payAgain, sendAgain, sendSigned } from './spending.ts';
import {
  abandon,
  create,
  importSomething,
  label,
  loadedWallets,
  lockCoins,
  secure,
  shelve,
  unlockForSeconds,
} from './walletSteps.ts';
import { firstBlock, START_TIME, type World } from './world.ts';

/** Lives of a node with its wallets, made up as they are lived. */

const FIRST_BLOCKS = 110;

type Step = (world: World) => Promise<void>;

/** A step for one of the wallets that are loaded. */
const forOne =
  (step: (world: World, wallet: string) => Promise<void>): Step =>
  async (world) => {
    const loaded = loadedWallets(world);
    if (loaded.length > 0) await step(world, world.dice.pick(loaded));
  };

const spendAsWallet: Step = forOne(async (world, wallet) => {
  const tx = await askSpend(world, wallet);
  if (tx) await sendSigned(world, tx);
});

/** What happens, and how often. */
const STEP_WEIGHTS: readonly (readonly [number, Step])[] = [
  [14, pay],
  [6, payAgain],
  [6, spendAsWallet],
  [2, sendAgain],
  [9, mine],
  [2, invalidate],
  [3, branch],
  [6, letTimePass],
  [1, showBadBlock],
  [6, importSomething],
  [4, forOne(label)],
  [4, forOne(lockCoins)],
  [6, forOne(abandon)],
  [4, forOne(secure)],
  [2, forOne(shelve)],
  [0.1, forOne(unlockForSeconds)],
];

/** What is asked. */
const QUESTION_WEIGHTS: readonly (readonly [number, Step])[] = [
  [5, forOne(askUnspent)],
  [5, forOne(askSince)],
  [2, forOne(askInfo)],
  [4, forOne(askAddress)],
  [2, forOne(askSignature)],
  [0.3, forOne(askSmall)],
];

/** Makes a chain with coins that can be spent, and wallets that know some of their keys. */
export async function begin(both: Both, seed: number): Promise<World> {
  const dice = makeDice(seed);
  const world: World = {
    ...{ both, dice, locks: makeLocks(dice, 12), blocks: new Map(), known: new Map(), wallets: new Map() },
    ...{ mempool: [], tip: firstBlock(), now: START_TIME },
  };
  world.blocks.set(world.tip.hash, world.tip);
  await both.ask('setmocktime', [world.now]);
  for (const name of ['main', 'crypt', 'watch']) await create(world, name);
  for (let i = 0; i < 25; i += 1) await importSomething(world);
  for (let i = 0; i < FIRST_BLOCKS; i += 1) {
    world.now += dice.below(600);
    await both.ask('setmocktime', [world.now]);
    await mine(world);
  }
  for (const name of ['reuse', 'born locked', 'watch later']) await create(world, name);
  return world;
}

/** Lets something happen, and asks some questions. */
export async function live(world: World, questions: number): Promise<void> {
  await world.dice.weighed(STEP_WEIGHTS)(world);
  for (let asked = 0; asked < questions; asked += 1) await world.dice.weighed(QUESTION_WEIGHTS)(world);
}
