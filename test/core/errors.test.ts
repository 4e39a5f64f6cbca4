import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { BtcError, isBtcError } from '../../src/core/errors.ts';
import { accountFromWords, buildPsbt } from '../../src/kit/account/index.ts';
import { refusalOf } from '../support/refusal.ts';

const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
const payments = { [me.receive(1).address]: 200_000n };
const poor = refusalOf(() => buildPsbt({ inputs: [coin], outputs: payments, feeRate: 2 }));

/** Sends a value to a thread, which sends it back. */
async function throughWorker(value: unknown): Promise<unknown> {
  const worker = new Worker(
    "const { parentPort } = require('node:worker_threads'); parentPort.on('message', (v) => parentPort.postMessage(v));",
    {
      eval: true,
    },
  );
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
      worker.postMessage(value);
    });
  } finally {
    await worker.terminate();
  }
}

test.each([
  ['a Worker', throughWorker],
  ['structuredClone', async (error: unknown) => structuredClone(error)],
  ['JSON', async (error: unknown) => JSON.parse(JSON.stringify(error))],
  ['nothing', async (error: unknown) => error],
])('an error keeps its code and data through %s', async (_, pass) => {
  const crossed = BtcError.from(await pass(poor));
  expect(crossed).toBeInstanceOf(BtcError);
  expect(crossed).toMatchObject({ message: poor.message, code: poor.code, data: poor.data });
  expect(isBtcError(crossed, 'build/insufficient-funds') && crossed.data.needed).toBe(200_220n);
});

test.each([
  undefined,
  null,
  1,
  'text',
  {},
  new Error('x'),
  { code: 'x', data: {} },
  { message: 'x', code: 1, data: {} },
])('anything else is not an error of the library: %j', (value) => {
  expect(BtcError.from(value)).toBe(undefined);
});
