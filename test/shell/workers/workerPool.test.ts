import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { networks } from '../../../src/core/network/networks.ts';
import { openWorkerPool } from '../../../src/shell/workers/workerPool.ts';

const program = new URL('../../support/failingWorker.mjs', import.meta.url).pathname;
const settings = { network: networks.main, dialect: 'core-32', arithmetic: undefined } as const;
const pool = openWorkerPool(program, 2, settings);
afterAll(() => pool.close());

const OUT_OF_MEMORY =
  '{"result":null,"error":{"code":-7,"message":"Out of memory: this call needs more than a worker thread has"},"id":null}';
const ENDED =
  '{"result":null,"error":{"code":-32603,"message":"Internal error: the worker thread of this call has ended"},"id":null}';
const request = (method: string): string => JSON.stringify({ id: null, method });

describe('a worker thread that ends', () => {
  test.each([
    ['exit', ENDED],
    ['memory', OUT_OF_MEMORY],
  ])('during "%s" costs the answer to that line only', async (method, answer) => {
    const lines = ['a', 'b', request(method), 'c', request(method), 'd'];
    const answers = await pool.answerLines(lines, false);
    expect(answers.map((given) => given?.answer)).toEqual(['a', 'b', answer, 'c', answer, 'd']);
  });

  test('costs one HTTP request, and the next gets a new thread', async () => {
    const asked = { user: 'u', wallet: undefined };
    const bodies = [request('exit'), 'x', request('memory'), 'y'];
    const answers = await Promise.all(bodies.map((body) => pool.answerBody(body, asked, false)));
    expect(answers.map((given) => given?.answer.body)).toEqual([`${ENDED}\n`, 'x', `${OUT_OF_MEMORY}\n`, 'y']);
  });
});

test('a pool closed during work drops it, and starts no more threads, which would keep the process alive', async () => {
  const starts = new Int32Array(new SharedArrayBuffer(4));
  const closing = openWorkerPool(program, 1, Object.assign({}, settings, { starts }));
  const given = closing.answerBody(request('busy'), { user: 'u', wallet: undefined }, false);
  await expect.poll(() => starts[0], { timeout: 10_000 }).toBe(1);
  await closing.close();
  const later = closing.answerLines(['a'], false);
  expect(await Promise.race([given, later, sleep(500, 'nothing')])).toBe('nothing');
  expect(starts[0]).toBe(1);
});
