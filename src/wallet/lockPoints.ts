import { relativeLockOf } from '../interpreter/timelock.ts';
import type { Transaction } from '../tx/types.ts';
import { type Chain, coinAt, type LockPoints, medianTimePast, outpointName, tipOf } from './chainState.ts';

/** Looks at a transaction in the mempool. @returns `undefined` where it has no relative locks */
export function lockPointsOf(chain: Chain, tx: Transaction): LockPoints | undefined {
  const tip = tipOf(chain);
  if (!tx.inputs.some((input) => relativeLockOf(tx, input))) return undefined;
  let youngest = 0;
  const points = { height: 0, time: 0 };
  for (const input of tx.inputs) {
    const height = coinAt(chain, outpointName(input.outpoint.txid, input.outpoint.vout))?.height;
    youngest = Math.max(youngest, height ?? 0);
    const lock = relativeLockOf(tx, input);
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
