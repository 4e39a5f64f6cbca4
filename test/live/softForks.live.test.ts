import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerText, createNodeRpc } from '../support/library.ts';
import { hasLitecoind, type Node, startNode } from './litecoind.ts';

const [BEFORE_MWEB, AFTER_MWEB] = [1_500_000_000, 1_700_000_000];
const rpc = createNodeRpc({
  network: 'litecoin-regtest',
  dialect: 'litecoin-0.21',
  clock: () => AFTER_MWEB,
  random: (size) => new Uint8Array(size),
});

/** The script `51`, which needs no wallet. */
const DESCRIPTOR = 'raw(51)#8lvh9jxk';

describe.skipIf(!hasLitecoind())('getblockchaininfo, beside litecoind', { timeout: 300_000 }, () => {
  let node: Node;
  beforeAll(async () => {
    node = await startNode();
  });
  afterAll(() => node.stop());

  const ask = async (method: string, ...params: readonly unknown[]) => {
    const reply = (await node.post(JSON.stringify({ method, params, id: 0 }))) ?? '';
    return (JSON.parse(reply) as { result: unknown }).result;
  };
  const mine = async (count: number): Promise<void> => {
    for (const hash of (await ask('generatetodescriptor', count, DESCRIPTOR)) as readonly string[]) {
      expect(rpc.call('submitblock', [(await ask('getblock', hash, 0)) as string])).toBe(null);
    }
  };
  /** The members that do not depend on the time at which the node runs. */
  const chainPart = (answer: string): string =>
    answer.slice(answer.indexOf('"size_on_disk"'), answer.indexOf('"warnings"'));
  const compare = async (): Promise<string> => {
    const request = JSON.stringify({ method: 'getblockchaininfo', params: [], id: 0 });
    const ours = chainPart(answerText(rpc, request));
    expect(ours).toBe(chainPart((await node.post(request)) ?? ''));
    return ours;
  };

  test('tells how far the vote on each soft fork has come', async () => {
    const seen = new Set<string>();
    await ask('setmocktime', BEFORE_MWEB);
    // testdummy: defined, started at 144, locked in at 288, active at 432; then mweb: started at 576, locked in at 720.
    for (const count of [0, 142, 1, 1, 50, 93, 1, 142, 1, 1, 143]) {
      await mine(count);
      seen.add((await compare()).match(/"testdummy":.*?"status":"(\w+)"/)?.[1] ?? '');
    }
    await ask('setmocktime', AFTER_MWEB);
    for (const count of [100, 42, 1, 70, 73, 1, 1]) {
      await mine(count);
      seen.add(`mweb ${(await compare()).match(/"mweb":.*?"status":"(\w+)"/)?.[1]}`);
    }
    expect([...seen]).toEqual([
      'defined',
      'started',
      'locked_in',
      'active',
      'mweb defined',
      'mweb started',
      'mweb locked_in',
    ]);
  });
});
