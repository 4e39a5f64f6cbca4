import { describe, expect, test } from 'vitest';
import { createWorkQueue } from '../../../src/shell/server/workQueue.ts';

/** Creates a queue whose clock and turns the test controls. */
function madeUpQueue(depth: number) {
  let time = 0;
  const turns: (() => void)[] = [];
  const done: number[] = [];
  const queue = createWorkQueue({ depth, workers: 0, now: () => time, nextTurn: (callback) => turns.push(callback) });
  return {
    done,
    /** Submits work that takes this long. */
    offer: (id: number, duration: number): boolean =>
      queue.accept(() => {
        done.push(id);
        time += duration;
        return undefined;
      }),
    turn: (): void => {
      for (const callback of turns.splice(0)) callback();
    },
  };
}

describe('the work queue', () => {
  test('runs work at once while the turn has time left', () => {
    const { offer, done } = madeUpQueue(1);
    for (let id = 0; id < 49; id += 1) expect(offer(id, 1)).toBe(true);
    expect(done).toHaveLength(49);
  });

  test('queues calls after a long one up to its depth, and refuses the rest', () => {
    const { offer, done, turn } = madeUpQueue(2);
    expect([offer(1, 1000), offer(2, 1), offer(3, 1), offer(4, 1)]).toEqual([true, true, true, false]);
    expect(done).toEqual([1]);
    turn();
    expect(done).toEqual([1, 2, 3]);
    expect(offer(5, 1)).toBe(true);
    expect(done).toEqual([1, 2, 3, 5]);
  });

  test('runs one long call per turn, in order of arrival', () => {
    const { offer, done, turn } = madeUpQueue(16);
    for (const id of [1, 2, 3]) offer(id, 1000);
    expect(done).toEqual([1]);
    turn();
    expect(done).toEqual([1, 2]);
    // There is room for another call, but it waits behind the previous one.
    offer(4, 1);
    turn();
    expect(done).toEqual([1, 2, 3]);
    turn();
    expect(done).toEqual([1, 2, 3, 4]);
  });
});
