import { expect } from 'vitest';
import type { Recorded } from './corpus.ts';
import type { NodeRpc } from './library.ts';
import { answerOf } from './recordedAnswers.ts';

interface Reopening {
  /** The lines from one opening to the next. */
  readonly step: number;
  readonly reopen: (last?: NodeRpc) => NodeRpc;
  readonly lasting: NodeRpc;
}

/** The calls whose effects do not outlast a node: the mock time, and those that unlocked wallets. */
interface Passing {
  readonly note: (call: Recorded, answer: unknown) => void;
  /** Calls them again. */
  readonly restore: (rpc: NodeRpc) => void;
}

/** The calls that lock a wallet again. */
const LOCKING: ReadonlySet<string> = new Set(['walletlock', 'encryptwallet', 'unloadwallet']);

function createPassing(): Passing {
  let times: readonly Recorded[] = [];
  const unlocked = new Map<string, readonly Recorded[]>();
  const noteDone = (call: Recorded): void => {
    const { method, params, wallet = '' } = call;
    const last = unlocked.get(wallet)?.at(-1);
    // The time of the call decides when the wallet locks itself.
    if (method === 'setmocktime') times = [call];
    else if (method === 'walletpassphrase') unlocked.set(wallet, [...times, call]);
    else if (method === 'walletpassphrasechange' && last) {
      const before = unlocked.get(wallet)?.slice(0, -1) ?? [];
      unlocked.set(wallet, [...before, { ...last, params: [params[1], last.params[1]] }]);
    } else if (LOCKING.has(method)) for (const name of [wallet, '', String(params[0])]) unlocked.delete(name);
  };
  return {
    note: (call, answer) => {
      if (typeof answer === 'object' && answer !== null && 'result' in answer) noteDone(call);
    },
    restore: (rpc) => {
      for (const call of [...[...unlocked.values()].flat(), ...times]) answerOf(rpc, call);
    },
  };
}

/** Replays a history on a node that is opened anew again and again, beside one that lasts. @returns the openings */
export function countReopened(calls: readonly Recorded[], { step, reopen, lasting }: Reopening): number {
  let rpc = reopen();
  let count = 0;
  const passing = createPassing();
  for (const [i, call] of calls.entries()) {
    if (i % step === 0) {
      rpc = reopen(rpc);
      passing.restore(rpc);
      count += 1;
    }
    const answer = answerOf(lasting, call);
    expect([call, answerOf(rpc, call)]).toEqual([call, answer]);
    passing.note(call, answer);
  }
  rpc.close();
  return count;
}
