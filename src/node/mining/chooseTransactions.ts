import { isFinalTransaction } from '../../core/tx/absoluteLock.ts';
import { sigOpCost, transactionSize } from '../../core/tx/weight.ts';
import { MAX_BLOCK_SIGOPS_COST } from '../chain/blockSizes.ts';
import { activeTip, type Chain, coinAt, medianTimePast } from '../chain/chainState.ts';
import type { PoolEntry } from '../chain/types.ts';
import type { MiningRules } from './miningRules.ts';

export type MiningLimits = Pick<
  MiningRules,
  'choosesChunks' | 'maxWeight' | 'reservedWeight' | 'minFee' | 'fullEnough'
>;

/** A mempool transaction of a block that is being made. */
export interface ChosenTransaction {
  readonly entry: PoolEntry;
  /** In weight units. */
  readonly sigOps: number;
}

/** Transactions that enter a block together, as far as limits go. */
interface Package {
  readonly entries: readonly PoolEntry[];
  /** As policy counts it. */
  readonly weight: number;
}

/** A block that is being filled. */
export interface Filling {
  readonly chosen: ChosenTransaction[];
  /** Adds transactions, unless the block has no room for them or one is not final. @returns why it does not */
  readonly add: (added: Package) => 'no room' | 'not final' | undefined;
  /** Tells whether the block is full enough to give up after so many failures in a row. */
  readonly isFull: (failures: number) => boolean;
}

/** For the coinbase, in weight units. */
const RESERVED_SIGOPS = 400;
const MOST_FAILURES = 1000;

/** @see Bitcoin Core `BlockAssembler` */
export function createFilling(chain: Chain, { maxWeight, reservedWeight, fullEnough }: MiningLimits): Filling {
  const tip = activeTip(chain);
  const median = medianTimePast(chain, tip);
  const chosen: ChosenTransaction[] = [];
  let weight = reservedWeight;
  let sigOps = RESERVED_SIGOPS;
  const countSigOps = ({ tx, spends }: PoolEntry): number =>
    sigOpCost(
      tx,
      spends.map((key) => coinAt(chain, key)?.scriptPubKey),
    );
  return {
    chosen,
    add: ({ entries, weight: added }) => {
      const counted = entries.map((entry) => ({ entry, sigOps: countSigOps(entry) }));
      const more = counted.reduce((sum, tx) => sum + tx.sigOps, 0);
      if (weight + added >= maxWeight || sigOps + more >= MAX_BLOCK_SIGOPS_COST) return 'no room';
      if (!entries.every(({ tx }) => isFinalTransaction(tx, tip.height + 1, median))) return 'not final';
      chosen.push(...counted);
      for (const { tx } of entries) weight += transactionSize(tx).weight;
      sigOps += more;
      return undefined;
    },
    isFull: (failures) => failures > MOST_FAILURES && weight > maxWeight - fullEnough,
  };
}
