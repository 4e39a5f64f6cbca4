import { getRelativeLock } from '../../core/tx/relativeLock.ts';
import { activeKey, activeTip, type Chain, coinAt, medianTimePast } from './chainState.ts';
import type { ChainTx, LockPoints } from './types.ts';

export function calculateLockPoints(chain: Chain, { tx, spends }: ChainTx): LockPoints | undefined {
  const tip = activeTip(chain);
  const locks = tx.inputs.map((input) => getRelativeLock(tx, input));
  if (!locks.some((lock) => lock)) return undefined;
  let youngest = 0;
  const points = { height: 0, time: 0 };
  for (const [index, lock] of locks.entries()) {
    const spent = spends[index];
    const height = spent === undefined ? undefined : coinAt(chain, spent)?.height;
    youngest = Math.max(youngest, height ?? 0);
    if (height !== undefined || !lock) continue;
    if (lock.kind === 'blocks') points.height = tip.height;
    else points.time = medianTimePast(chain, tip);
  }
  return { ...points, block: activeKey(chain, youngest) };
}

/** @see Bitcoin Core `TestLockPointValidity` */
export const lockPointsApply = (chain: Chain, { block }: LockPoints): boolean =>
  block !== undefined && activeKey(chain, chain.blocks.get(block)?.height ?? 0) === block;

export function lockPointsMet(chain: Chain, { height, time }: LockPoints): boolean {
  const tip = activeTip(chain);
  return tip.height >= height && medianTimePast(chain, tip) >= time;
}
