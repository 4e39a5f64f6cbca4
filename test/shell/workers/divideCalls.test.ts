import { describe, expect, onTestFinished, test } from 'vitest';
import { validAnswer } from '../../../src/shell/workers/divideCalls.ts';
import { blocksAfter, GENESIS } from '../../support/blocks.ts';
import { openNode, submit } from '../../support/feeding.ts';
import { BUILT_PROGRAM } from '../../support/io.ts';
import { BtcError, descriptorChecksum, formatXpub, masterKey, networks, neuter } from '../../support/library.ts';
import { exchange, rawRequest } from '../../support/rawHttp.ts';
import { type RunningServe, startServe } from '../../support/server.ts';
import { createSharedRecords } from '../../support/sharedRecords.ts';

const LOGIN = 'alice:secret';
const XPUB = formatXpub(neuter(masterKey(new Uint8Array(32).fill(3))), networks.regtest);

/** Serves with two worker threads. */
async function serve(...options: readonly string[]): Promise<RunningServe> {
  const server = await startServe(
    ['--network', 'regtest', '--dialect', 'core-32', '--workers', '2', '--rpcuser', 'alice', ...options],
    { environment: { COUNTERSIGN_RPCPASSWORD: 'secret' }, program: BUILT_PROGRAM },
  );
  onTestFinished(server.close);
  return server;
}

const call = (id: number, method: string, params: readonly unknown[] = []): string =>
  rawRequest({ login: LOGIN, body: JSON.stringify({ id, method, params }) });
/** A call that takes a while. */
const costly = (id: number, count = 3000): string => {
  const text = `wpkh(${XPUB}/*)`;
  return call(id, 'deriveaddresses', [`${text}#${descriptorChecksum(text)}`, [0, count]]);
};
const answersOf = async (
  port: number,
  sent: string,
  least: number,
): Promise<readonly { id: number; result: unknown }[]> =>
  (await exchange(port, sent, { least })).replies.map(({ body }) => JSON.parse(body));

describe('serve with worker threads', () => {
  test('answers other clients while a costly call runs', async () => {
    const { port } = await serve();
    const order: string[] = [];
    const slow = exchange(port, costly(1)).then(() => order.push('costly'));
    const quick = exchange(port, call(2, 'getblockcount')).then(() => order.push('quick'));
    await Promise.all([slow, quick]);
    expect(order).toEqual(['quick', 'costly']);
  });

  test('carries out the calls of a connection one after the other', async () => {
    const { port } = await serve();
    const text = `wpkh(${XPUB}/7/*)`;
    const desc = `${text}#${descriptorChecksum(text)}`;
    const calls = [
      costly(1, 500),
      call(2, 'createwallet', ['w', true]),
      call(3, 'importdescriptors', [[{ desc, range: [0, 500], timestamp: 1, label: '' }]]),
      call(4, 'importdescriptors', [[{ desc, range: [0, 500], timestamp: 1 }]]),
      call(5, 'listdescriptors'),
      call(6, 'decodescript', ['51']),
    ];
    const answers = await answersOf(port, calls.join(''), calls.length);
    expect(answers.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(answers[0]?.result).toHaveLength(501);
    expect(answers[3]?.result).toEqual([{ success: true }]);
    expect(answers[4]?.result).toMatchObject({ descriptors: [{ desc, range: [0, 999] }] });
  });

  test('keeps to --rpcwhitelist', async () => {
    const { port } = await serve('--rpcwhitelist', 'alice:deriveaddresses');
    const statusOf = async (sent: string): Promise<unknown> => (await exchange(port, sent)).replies[0]?.status;
    expect(await statusOf(costly(1, 10))).toBe(200);
    expect(await statusOf(call(2, 'analyzepsbt', ['']))).toBe(403);
    expect(await statusOf(call(3, 'importdescriptors', [[]]))).toBe(403);
    expect(await statusOf(call(4, 'decodepsbt', ['00'.repeat(5000)]))).toBe(403);
  });

  test('answers what it has accepted before it stops', async () => {
    const server = await serve();
    const slow = answersOf(server.port, costly(1), 1);
    await exchange(server.port, call(2, 'getblockcount'));
    server.requestStop();
    const [answer] = await slow;
    expect(answer?.result).toHaveLength(3001);
    expect(await server.ended).toBe(0);
  });

  test('refuses calls beyond the queue', async () => {
    const { port } = await serve('--rpcworkqueue', '1');
    const all = await Promise.all(Array.from({ length: 6 }, (_, id) => exchange(port, costly(id))));
    const statuses = all.map(({ replies }) => replies[0]?.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 503)).toHaveLength(3);
  });
});

describe('an answer that assumes that no chain is known', () => {
  const given = { answer: 'without coins', assumesNoChain: true };

  test('is void once any process on the store knows a chain', () => {
    const records = createSharedRecords();
    const [first, second] = [1, 2].map(() => openNode(records.open()));
    if (!first || !second) throw new Error('no node');
    expect(validAnswer(given, first)).toBe(given.answer);
    submit(second, blocksAfter(GENESIS, 1));
    expect(validAnswer(given, first)).toBeUndefined();
    expect(validAnswer({ ...given, assumesNoChain: false }, first)).toBe(given.answer);
  });

  test('is void if the store cannot say', () => {
    const store = createSharedRecords().open();
    let isLost = false;
    const begin: typeof store.begin = () => {
      if (isLost) throw new BtcError('store/failed', { path: '', reason: '' }, 'lost');
      return store.begin();
    };
    const rpc = openNode({ ...store, begin });
    expect(validAnswer(given, rpc)).toBe(given.answer);
    isLost = true;
    expect(validAnswer(given, rpc)).toBeUndefined();
  });
});
