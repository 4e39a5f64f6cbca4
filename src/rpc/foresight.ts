import { nobleEcc } from '../crypto/nobleEcc.ts';
import { isRanged } from '../descriptors/derive.ts';
import { formatDescriptor } from '../descriptors/formatDescriptor.ts';
import type { NodeEvent } from '../node/events.ts';
import { type CurveOperation, type CurveResult, rehearsalEcc } from '../signing/curveWork.ts';
import type { DerivedRange } from '../wallet/derivations.ts';
import { hasHardenedWildcard } from '../wallet/hardenedKeys.ts';
import type { NodeContext } from './wallet/context.ts';

/** Indexes at which a descriptor is to be derived. */
export interface ScriptRange extends Omit<DerivedRange, 'scripts'> {
  /** The index after the last. */
  readonly end: number;
}

/** The costly part of a call. It can be done beforehand, on other threads. */
export interface CurveWork {
  /** They contain secret keys. */
  readonly operations: readonly CurveOperation[];
  readonly ranges: readonly ScriptRange[];
}

/** The finished part of {@link CurveWork}. */
export interface CurveWorkDone {
  readonly results: readonly CurveResult[];
  readonly scripts: readonly DerivedRange[];
}

/**
 * Rehearses a call, with placeholders for signatures, and without its changes.
 *
 * - `run`: runs the method
 * @returns the costly part of the call, as far as the rehearsal came
 */
export function rehearse(run: (context: NodeContext) => unknown, context: NodeContext): CurveWork {
  const { ecc, operations } = rehearsalEcc(context.ecc ?? nobleEcc);
  const events: NodeEvent[] = [];
  const change = (...more: readonly NodeEvent[]): void => {
    events.push(...more);
  };
  try {
    run({ ...context, ecc, node: { ...context.node, change } });
  } catch {
    // The call itself will say what is wrong.
  }
  return { operations, ranges: events.flatMap((event) => rangesOf(event, context)) };
}

function rangesOf(change: NodeEvent, { network }: NodeContext): readonly ScriptRange[] {
  if (change.type !== 'wallet' || change.event.type !== 'descriptor') return [];
  const { normalized, first, end } = change.event;
  // Only the wallet has the private keys that a hardened wildcard needs.
  return isRanged(normalized) && !hasHardenedWildcard(normalized)
    ? [{ text: formatDescriptor(normalized, network), first, end }]
    : [];
}
