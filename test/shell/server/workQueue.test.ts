import { describe, expect, test } from 'vitest';
import { createWorkQueue } from '../../../src/shell/server/workQueue.ts';

/** Creates a queue whose clock and turns the test controls. */
function madeUpQueue(depth: number, threads = 1) {
  let time = 0;
  const turns: (() => void)[] = [];
  const done: number[] = [];
  const processorTime = (): number => time;
  const queue = createWorkQueue({ depth, threads, processorTime, nextTurn: (callback) => turns.push(callback) });
  return {
    done,
    /** Submits work that takes this long, once it has been read. */
    offer: (id: number, duration: number, reading = 0): boolean => {
      time += reading;
      return queue.accept(() => {
        done.push(id);
        time += duration;
        return undefined;
      });
    },
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

  test('runs any number of calls at once that take less time than reading them', () => {
    const { offer, done } = madeUpQueue(1);
    for (let id = 0; id < 1000; id += 1) expect(offer(id, 1, 1)).toBe(true);
    expect(done).toHaveLength(1000);
  });

  test('queues calls that take more time than reading them, and refuses those beyond its depth', () => {
    const { offer, done } = madeUpQueue(10);
    const accepted = Array.from({ length: 100 }, (_, id) => offer(id, 2, 1));
    expect(done).toHaveLength(50);
    expect(accepted.indexOf(false)).toBe(60);
  });

  test('queues calls after a long one up to its depth, and refuses the rest', () => {
    const { offer, done, turn } = madeUpQueue(2);
    expect([offer(1, 1000), offer(2, 1), offer(3, 1), offer(4, 1)]).toEqual([true, true, true, false]);
    expect(done).toEqual([1]);
    turn();
    expect(done).toEqual([1, 2, 3]);
  });

  test('counts what it reads in the next turn as come during the long call', () => {
    const { offer, done, turn } = madeUpQueue(2);
    offer(1, 1000);
    turn();
    expect([offer(2, 1), offer(3, 1), offer(4, 1)]).toEqual([true, true, false]);
    turn();
    expect([5, 6, 7].map((id) => offer(id, 1))).toEqual([true, true, true]);
    expect(done).toEqual([1, 2, 3, 5, 6, 7]);
  });

  test('counts the threads of a node, one of which the long call has', () => {
    const { offer } = madeUpQueue(64, 16);
    offer(1, 1000);
    expect(Array.from({ length: 100 }, (_, id) => offer(id, 1)).indexOf(false)).toBe(79);
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
