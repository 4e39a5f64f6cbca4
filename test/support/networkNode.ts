import { unlessError } from './askRpc.ts';
import { openNode } from './feeding.ts';
import { createMemoryStore, type DialectName } from './library.ts';

type Ask = (method: string, ...params: readonly unknown[]) => unknown;

/** Opens a node. @returns its calls, which answer errors as a text: the code and the message */
export function networkNode(dialect: DialectName = 'core-32'): Ask {
  const rpc = openNode(createMemoryStore(), dialect);
  return (method, ...params) => unlessError(() => rpc.call(method, params as never));
}

/** Every dialect. */
export const DIALECTS: readonly DialectName[] = [
  'core-0.21',
  'litecoin-0.21',
  'core-29',
  'core-30',
  'core-31',
  'core-32',
  'documented',
];

export const isOld = (dialect: DialectName): boolean => dialect.endsWith('-0.21');
