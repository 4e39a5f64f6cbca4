import { LOCKTIME_THRESHOLD } from '../tx/absoluteLock.ts';
import { parseRelativeLock, toSeconds } from '../tx/relativeLock.ts';
import type { Miniscript } from './miniscript/index.ts';
import { fold } from './miniscript/tree.ts';
import type { Descriptor, KeyExpression } from './types.ts';

export interface Spender {
  readonly holds: (key: KeyExpression) => boolean;
  readonly knowsPreimages: boolean;
  /** Assumes that absolute locks have passed: a descriptor does not say when it is used. */
  readonly isLate: boolean;
}

const NEVER = Number.POSITIVE_INFINITY;
const AT_ONCE = 0;
const SECONDS_PER_BLOCK = 600;
/** The time of block 0. */
const FIRST_BLOCK = 1_231_006_505;

/**
 * Returns how soon someone can spend alone: 0 for at once, `Infinity` for never, else about seconds. Absolute locks in
 * the future come after all relative ones.
 */
export function soonestSpend(descriptor: Descriptor, spender: Spender): number {
  switch (descriptor.kind) {
    case 'addr':
    case 'raw':
      return NEVER;
    case 'sh':
    case 'wsh':
      return soonestSpend(descriptor.inner, spender);
    case 'tr':
      return Math.min(
        soonestKeySpend(descriptor.key, spender),
        ...descriptor.leaves.map(({ script }) => soonestSpend(script, spender)),
      );
    case 'miniscript':
      return soonestMiniscriptSpend(descriptor.root, spender);
    default:
      return 'keys' in descriptor ? soonestQuorumSpend(descriptor, spender) : soonestKeySpend(descriptor.key, spender);
  }
}

/** An aggregate key signs only with all its participants. @see BIP390 */
function soonestKeySpend(key: KeyExpression, spender: Spender): number {
  const isHeld = key.kind === 'musig' ? key.participants.every(spender.holds) : spender.holds(key);
  return isHeld ? AT_ONCE : NEVER;
}

interface Quorum {
  readonly required: number;
  readonly keys: readonly KeyExpression[];
}

function soonestQuorumSpend({ required, keys }: Quorum, spender: Spender): number {
  return nthSoonest(
    required,
    keys.map((key) => soonestKeySpend(key, spender)),
  );
}

const nthSoonest = (count: number, times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[count - 1] ?? NEVER;

const soonestMiniscriptSpend = (root: Miniscript<KeyExpression>, spender: Spender): number =>
  fold<KeyExpression, number>(root, ({ fragment }, subs) => {
    const [x = NEVER, y = NEVER, z = NEVER] = subs;
    switch (fragment.kind) {
      case '0':
        return NEVER;
      case '1':
        return AT_ONCE;
      case 'pk_k':
      case 'pk_h':
        return soonestKeySpend(fragment.key, spender);
      case 'multi':
      case 'multi_a':
        return soonestQuorumSpend(fragment, spender);
      case 'hash':
        return spender.knowsPreimages ? AT_ONCE : NEVER;
      case 'older':
        return relativeLockSeconds(fragment.lock);
      case 'after':
        return spender.isLate ? AT_ONCE : absoluteLockTime(fragment.lock);
      case 'andor':
        return Math.min(Math.max(x, y), z);
      case 'and_v':
      case 'and_b':
        return Math.max(x, y);
      case 'or_b':
      case 'or_c':
      case 'or_d':
      case 'or_i':
        return Math.min(x, y);
      case 'thresh':
        return nthSoonest(fragment.required, subs);
      default:
        return x;
    }
  });

function relativeLockSeconds(lock: number): number {
  const age = parseRelativeLock(lock);
  return age.kind === 'time' ? toSeconds(age) : age.value * SECONDS_PER_BLOCK;
}

export function spendTimeText(soonest: number): string {
  if (soonest >= FIRST_BLOCK) return `from about ${new Date(soonest * 1000).toISOString().slice(0, 10)} on`;
  const blocks = Math.ceil(soonest / SECONDS_PER_BLOCK);
  return `once they are about ${blocks} ${blocks === 1 ? 'block' : 'blocks'} old`;
}

/** June 2025, before this software was written: locks up to it have passed. */
const PAST = 1_750_000_000;

function absoluteLockTime(lock: number): number {
  const time = lock < LOCKTIME_THRESHOLD ? FIRST_BLOCK + lock * SECONDS_PER_BLOCK : lock;
  return time < PAST ? AT_ONCE : time;
}
