import type { Regtest, Snapshot } from '../startRegtest.ts';

/** Lets each test begin where the set-up left the chain. */
export interface Isolation {
  /** Called before a test, once the `beforeAll` of its block have run. `isPart`: of a test that runs, such as a subtest. */
  readonly begin: (isPart?: boolean) => void;
  /** Called after a test, also after one that `begin` refused. */
  readonly end: () => void;
}

export function isolateTests(chain: Regtest): Isolation {
  let start: Snapshot | undefined;
  let running = 0;
  return {
    begin: (isPart = false) => {
      running += 1;
      if (running === 1) start = chain.snapshot();
      else if (!isPart) {
        throw new Error(
          'Tests that run at the same time cannot share a chain: let them follow each other, or start one in each with startRegtest',
        );
      }
    },
    end: () => {
      running = Math.max(0, running - 1);
      if (running > 0 || !start) return;
      chain.rewind(start);
      start = undefined;
    },
  };
}
