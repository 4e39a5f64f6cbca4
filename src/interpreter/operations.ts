import type { Operations } from './machine.ts';
import { arithmeticOps } from './ops/arithmetic.ts';
import { cryptoOps } from './ops/crypto.ts';
import { flowOps } from './ops/flow.ts';
import { locktimeOps } from './ops/locktime.ts';
import { stackOps } from './ops/stack.ts';

/** Every opcode that does something; the others are refused when they are reached. */
export const OPERATIONS: Operations = { ...flowOps, ...stackOps, ...arithmeticOps, ...cryptoOps, ...locktimeOps };
