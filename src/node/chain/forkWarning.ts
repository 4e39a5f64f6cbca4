import { headerWork } from './chainCodec.ts';
import { activeTip, type Chain } from './chainState.ts';

/** How many blocks more an invalid branch must be worth. */
const LEAD = 6n;

/**
 * Tells whether an invalid branch has so much more work than the active one that the node may be wrong about it.
 * @see Bitcoin Core `CheckForkWarningConditions`
 */
export function hasStrongInvalidBranch(chain: Chain): boolean {
  const tip = activeTip(chain);
  const least = tip.work + LEAD * headerWork(tip);
  for (const key of chain.invalid.keys()) if ((chain.blocks.get(key)?.work ?? 0n) > least) return true;
  return false;
}
