import { assertKnownOptions, assertList, assertShape, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { assertFeeRate, ratedFee } from '../coins/feeRate.ts';

/** An unconfirmed transaction that a child pays for. */
export interface UnconfirmedParent {
  /** Satoshi. */
  readonly fee: bigint;
  /** In virtual bytes. */
  readonly vsize: number;
}

/** A child, and what it pays for. */
export interface ChildFeeOptions {
  /** The parent, and its own parents that no block has yet. */
  readonly parents: readonly UnconfirmedParent[];
  /** Of the child, signed. */
  readonly vsize: number;
  /** Satoshi per virtual byte that all of them pay together. */
  readonly feeRate: number;
}

const OPTIONS: OptionNames<ChildFeeOptions> = { parents: 'needed', vsize: 'needed', feeRate: 'needed' };
const PARENT: OptionNames<UnconfirmedParent> = { fee: 'needed', vsize: 'needed' };

/**
 * Returns the fee in satoshi with which a child and its unconfirmed parents reach a rate together, and at least that rate for
 * the child alone (child pays for parent).
 * @throws `argument/invalid`
 *
 * @example
 * ```ts
 * import { childFee } from 'countersign/funding';
 *
 * // A parent of 141 virtual bytes at 1 sat/vB, and a child of 110:
 * childFee({ parents: [{ fee: 141n, vsize: 141 }], vsize: 110, feeRate: 20 }); // 4879n
 * ```
 */
export function childFee(options: ChildFeeOptions): bigint {
  assertKnownOptions(options, OPTIONS);
  const { parents, vsize, feeRate } = options;
  assertList('parents', parents);
  for (const [i, parent] of parents.entries()) {
    const place = `parents[${i}].`;
    assertKnownOptions(parent, PARENT, place);
    assertShape(`${place}fee`, typeof parent.fee === 'bigint' && parent.fee >= 0n, 'a bigint in satoshi');
    assertSize(`${place}vsize`, parent.vsize);
  }
  assertSize('vsize', vsize);
  assertFeeRate('feeRate', feeRate);
  const paid = parents.reduce((sum, { fee }) => sum + fee, 0n);
  const size = parents.reduce((sum, parent) => sum + parent.vsize, vsize);
  const [own, lacking] = [ratedFee(vsize, feeRate), ratedFee(size, feeRate) - paid];
  return own > lacking ? own : lacking;
}

const MOST_SIZE = 4_000_000;

const assertSize = (name: string, value: number): void =>
  assertShape(name, Number.isInteger(value) && value > 0 && value <= MOST_SIZE, 'a whole number of virtual bytes');
