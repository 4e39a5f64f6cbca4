import { relativeLockOf } from '../interpreter/timelock.ts';
import { type Chain, type ChainTx, coinAt, type LockPoints, medianTimePast, tipOf } from './chainState.ts';

/** Looks at a transaction in the mempool. @returns `undefined` where it has no relative locks */
export function lockPointsOf(chain: Chain, { tx, spends }: ChainTx): LockPoints | undefined {
  const tip = tipOf(chain);
  const locks = tx.inputs.map((input) => relativeLockOf(tx, input));
  if (!locks.some((lock) => lock)) return undefined;
  let youngest = 0;
  const points = { height: 0, time: 0 };
  for (const [index, lock] of locks.entries()) {
    const height = coinAt(chain, spends[index] ?? '')?.height;
    youngest = Math.max(youngest, height ?? 0);
    if (height !== undefined || !lock) continue;
    if (lock.kind === 'blocks') points.height = tip.height;
    else points.time = medianTimePast(chain, tip);
  }
  return { ...points, block: chain.active[youngest] ?? '' };
}

/** Whether what was remembered still means something. */
export const areValid = ({ active, blocks }: Chain, { block }: LockPoints): boolean =>
  active[blocks.get(block)?.height ?? 0] === block;

/** Whether the chain is as long and as late as it was. */
export function areMet(chain: Chain, { height, time }: LockPoints): boolean {
  const tip = tipOf(chain);
  return tip.height >= height && medianTimePast(chain, tip) >= time;
}
