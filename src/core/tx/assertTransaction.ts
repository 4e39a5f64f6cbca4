import { areObjects, assertShape, isObject } from '../bytes/knownOptions.ts';
import type { Transaction } from './types.ts';

const WANTED = 'a transaction, as decodeTransaction returns it';

/** Refuses a text or bytes that `decodeTransaction` has not decoded. @throws `argument/invalid` */
export function assertTransaction(tx: Transaction, argument = 'tx'): void {
  assertShape(argument, isObject(tx) && areObjects(tx.inputs) && areObjects(tx.outputs), WANTED);
}

/** Like `assertTransaction`, for functions that are called for each input: looks at none. @throws `argument/invalid` */
export function assertOutline(tx: Transaction): void {
  assertShape('tx', isObject(tx) && Array.isArray(tx.inputs) && Array.isArray(tx.outputs), WANTED);
}
