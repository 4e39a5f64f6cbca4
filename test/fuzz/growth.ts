import { performance } from 'node:perf_hooks';
import type { Source } from './source.ts';
import { type Input, type Target, Violation } from './target.ts';

// Compares the time that inputs of one size take with that of inputs four times as large.

const SIZE = 8192;
/** Four times the input may take this many times as long; a square would take sixteen times. */
const MOST_GROWTH = 11;
/** Times below this are too short to compare, in milliseconds: collecting garbage takes tens. */
const SHORTEST = 100;
const REPEATS = 3;

/** Repeats a piece of an input, in its place, until it has a size. */
function stretched(input: Uint8Array | string, start: number, end: number, size: number): Uint8Array | string {
  const times = Math.max(1, Math.ceil((size - input.length) / (end - start)) + 1);
  if (typeof input === 'string') {
    return (input.slice(0, start) + input.slice(start, end).repeat(times) + input.slice(end)).slice(0, 2 * size);
  }
  const [piece, rest] = [input.subarray(start, end), input.subarray(end)];
  const result = new Uint8Array(start + piece.length * times + rest.length);
  result.set(input.subarray(0, start));
  for (let i = 0; i < times; i += 1) result.set(piece, start + i * piece.length);
  result.set(rest, start + piece.length * times);
  return result;
}

async function timeOf(target: Target, input: Input): Promise<number> {
  const start = performance.now();
  await target.run(input);
  return performance.now() - start;
}

/**
 * Takes a case of a target and stretches it.
 *
 * - `onRun`: is called with each stretched case before it runs
 *
 * @throws Violation if the time grows faster than the input, three times in a row
 */
export async function measureGrowth(target: Target, source: Source, onRun: (input: Input) => void): Promise<void> {
  const input = target.generate(source);
  if ((typeof input !== 'string' && !(input instanceof Uint8Array)) || input.length === 0) return;
  const start = source.next(input.length);
  const end = Math.min(input.length, start + 1 + source.next(source.once(2) ? 4 : 120));
  const [small, large] = [SIZE, 4 * SIZE].map((size) => stretched(input, start, end, size));
  if (small === undefined || large === undefined) return;
  onRun(small);
  await target.run(small);
  onRun(large);
  for (let i = 0; i < REPEATS; i += 1) {
    const [short, long] = [await timeOf(target, small), await timeOf(target, large)];
    if (long < SHORTEST || long < MOST_GROWTH * Math.max(short, 1)) return;
    if (i === REPEATS - 1) {
      const message = `${short.toFixed(0)} ms for ${small.length}, ${long.toFixed(0)} ms for ${large.length}`;
      throw new Violation(`The time grows faster than the input: ${message}`);
    }
  }
}
