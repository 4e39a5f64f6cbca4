import type { Operations } from './machine.ts';
import { arithmeticOps } from './ops/arithmetic.ts';
import { cryptoOps } from './ops/crypto.ts';
import { flowOps } from './ops/flow.ts';
import { locktimeOps } from './ops/locktime.ts';
import { stackOps } from './ops/stack.ts';

/** All opcodes but pushes; executing one that is not listed here fails with BAD_OPCODE. */
export const OPERATIONS: Operations = { ...flowOps, ...stackOps, ...arithmeticOps, ...cryptoOps, ...locktimeOps };
