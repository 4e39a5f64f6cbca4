import { SEQUENCE_FINAL } from './absoluteLock.ts';
import type { Transaction } from './types.ts';

/** The highest sequence that signals replaceability. @see BIP125 */
export const SEQUENCE_REPLACEABLE: number = SEQUENCE_FINAL - 2;

/** Tells whether a transaction itself, rather than an ancestor, signals. @see Core `SignalsOptInRBF` */
export function signalsReplacement({ inputs }: Pick<Transaction, 'inputs'>): boolean {
  return inputs.some(({ sequence }) => sequence <= SEQUENCE_REPLACEABLE);
}
