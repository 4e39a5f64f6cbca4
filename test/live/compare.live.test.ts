import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../support/io.ts';
import { hasLitecoind, type Node, startNode } from './litecoind.ts';

/** Compares with a live node by the program's own command. */

const PASSWORD = 'compared';

describe.runIf(hasLitecoind())('countersign compare with Litecoin Core', () => {
  let node: Node;
  beforeAll(async () => {
    node = await startNode(['-rpcuser=user', `-rpcpassword=${PASSWORD}`], { login: `user:${PASSWORD}` });
  });
  afterAll(() => node.stop());

  test('finds every answer alike', async () => {
    const argv = ['--url', `http://127.0.0.1:${node.port}`, '--user', 'user', '--network', 'litecoin-regtest'];
    const { code, out } = await run(['compare', ...argv], { environment: { COUNTERSIGN_RPCPASSWORD: PASSWORD } });
    expect(out).toContain('litecoin-0.21: 26 of 26 alike\n');
    expect(code).toBe(0);
  });
});
