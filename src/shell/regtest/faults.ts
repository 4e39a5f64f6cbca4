import { RpcError } from '../../core/errors.ts';
import { findMethod, type RpcMethods } from '../../node/registry.ts';
import { assertTimes, invalidArgument } from './checkedArguments.ts';

/** What a call that fails answers. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
}

export interface Faults {
  readonly add: (method: keyof RpcMethods, refusal: Refusal, times?: number) => void;
  /** @throws RpcError for a call that is to fail */
  readonly check: (method: string) => void;
  readonly clear: () => void;
}

export function createFaults(): Faults {
  const refusals: { readonly method: string; readonly refusal: Refusal; left: number }[] = [];
  return {
    add: (method, refusal, times = 1) => {
      if (!findMethod(method)) throw invalidArgument('method', 'must name a method of a node');
      const isWhole = Number.isSafeInteger(refusal?.code) && typeof refusal.message === 'string';
      if (!isWhole) throw invalidArgument('refusal', "must be { code, message }: an error's number and text");
      assertTimes(times);
      refusals.push({ method, refusal, left: times });
    },
    check: (method) => {
      const next = refusals.find((each) => each.method === method && each.left > 0);
      if (!next) return;
      next.left -= 1;
      throw new RpcError(next.refusal.code, next.refusal.message);
    },
    clear: () => {
      refusals.length = 0;
    },
  };
}
