import { assertShape, isObject } from '../bytes/knownOptions.ts';
import type { Transaction } from './types.ts';

/** Refuses a text or bytes in the place of what `decodeTransaction` makes of them. @throws `argument/invalid` */
export function assertTransaction(tx: Transaction, argument = 'tx'): void {
  const isShaped = isObject(tx) && areObjects(tx.inputs) && areObjects(tx.outputs);
  assertShape(argument, isShaped, 'a transaction, as decodeTransaction returns it');
}

const areObjects = (items: unknown): boolean => Array.isArray(items) && items.every(isObject);
