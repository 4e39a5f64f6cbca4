import type { Both } from './bothNodes.ts';
import { branch, invalidate, letTimePass, mine, showBadBlock } from './chainSteps.ts';
import { askBalance, askChain, askList } from './listQueries.ts';
import { makeLocks } from './locks.ts';
import { askAddress, askInfo, askSignature, askSince, askSmall, askSpend, askUnspent } from './queries.ts';
import { makeDice } from './random.ts';
import { addMultisig, importFunds, removeFunds, setFee, setFlag } from './settings.ts';
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

/** Random histories of a node with its wallets. */

const FIRST_BLOCKS = 110;

type Step = (world: World) => Promise<void>;

/** Applies a step to a random loaded wallet. */
const forRandomWallet =
  (step: (world: World, wallet: string) => Promise<void>): Step =>
  async (world) => {
    const loaded = loadedWallets(world);
    if (loaded.length > 0) await step(world, world.dice.pick(loaded));
  };

const spendAsWallet: Step = forRandomWallet(async (world, wallet) => {
  const tx = await askSpend(world, wallet);
  if (tx) await sendSigned(world, tx);
});

/** The steps and their weights. */
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
  [4, forRandomWallet(label)],
  [4, forRandomWallet(lockCoins)],
  [6, forRandomWallet(abandon)],
  [4, forRandomWallet(secure)],
  [2, forRandomWallet(shelve)],
  [0.1, forRandomWallet(unlockForSeconds)],
  [1, forRandomWallet(setFlag)],
  [1, forRandomWallet(setFee)],
  [2, forRandomWallet(addMultisig)],
  [3, forRandomWallet(importFunds)],
  [3, forRandomWallet(removeFunds)],
];

/** The queries and their weights. */
const QUESTION_WEIGHTS: readonly (readonly [number, Step])[] = [
  [5, forRandomWallet(askUnspent)],
  [5, forRandomWallet(askSince)],
  [2, forRandomWallet(askInfo)],
  [4, forRandomWallet(askAddress)],
  [2, forRandomWallet(askSignature)],
  [0.3, forRandomWallet(askSmall)],
  [2, forRandomWallet(askBalance)],
  [6, forRandomWallet(askList)],
  [3, askChain],
];

/** Starts a chain with mature coins, and wallets with some of their keys. */
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

/** Runs a random step, then some random queries. */
export async function live(world: World, questions: number): Promise<void> {
  await world.dice.weighed(STEP_WEIGHTS)(world);
  for (let asked = 0; asked < questions; asked += 1) await world.dice.weighed(QUESTION_WEIGHTS)(world);
}
