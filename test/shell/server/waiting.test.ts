import { afterEach, describe, expect, test } from 'vitest';
import type { BlockTemplateJson } from '../../../src/rpc.ts';
import { createClient } from '../../../src/shell/client/createClient.ts';
import { blocksAfter, GENESIS } from '../../support/blocks.ts';
import { type RunningServe, startServe } from '../../support/server.ts';

let server: RunningServe | undefined;
afterEach(() => server?.close());

const [first = GENESIS, second = GENESIS] = blocksAfter(GENESIS, 2);

async function open() {
  server = await startServe(['--network', 'regtest', '--dialect', 'core-31']);
  const { port, cookieFile } = server;
  return createClient({ url: `http://127.0.0.1:${port}`, version: '31', cookieFile });
}

describe('a call that waits for a block', () => {
  test('is answered when the block comes, and other calls meanwhile', async () => {
    const node = await open();
    const waiting = [
      node.waitfornewblock(),
      node.waitforblock(second.hash),
      node.waitforblockheight(2),
      node.call('waitforblockheight', { height: 1, timeout: 60_000 }),
    ];
    expect(await node.getblockcount()).toBe(0);
    await node.submitblock(first.hex);
    expect(await waiting[0]).toEqual({ hash: first.hash, height: 1 });
    expect(await waiting[3]).toEqual({ hash: first.hash, height: 1 });
    await node.submitblock(second.hex);
    expect(await Promise.all([waiting[1], waiting[2]])).toEqual(new Array(2).fill({ hash: second.hash, height: 2 }));
  });

  test('is answered at once if the block is there, when its time is over, and when the server stops', async () => {
    const node = await open();
    const tip = { hash: GENESIS.hash, height: 0 };
    expect(await node.waitforblock(GENESIS.hash)).toEqual(tip);
    expect(await node.waitfornewblock(60_000, second.hash)).toEqual(tip);
    expect(await node.waitforblockheight(5, 20)).toEqual(tip);
    await expect(node.waitfornewblock(-1)).rejects.toThrow('Negative timeout');
    const endless = node.waitforblockheight(5);
    await node.getblockcount();
    await node.stop();
    expect(await endless).toEqual(tip);
  });
});

test("a miner's call for another template is answered when a block comes", async () => {
  const node = await open();
  const { longpollid } = (await node.getblocktemplate({ rules: ['segwit'] })) as BlockTemplateJson;
  let isAnswered = false;
  const waiting = node.getblocktemplate({ rules: ['segwit'], longpollid }).then((template) => {
    isAnswered = true;
    return template;
  });
  await node.getblockcount();
  expect(isAnswered).toBe(false);
  await node.submitblock(first.hex);
  expect(await waiting).toMatchObject({ previousblockhash: first.hash, height: 2 });
  // That of another block, or of none, is not waited for.
  expect(await node.getblocktemplate({ rules: ['segwit'], longpollid })).toMatchObject({ height: 2 });
  const wrong = node.getblocktemplate({ rules: ['segwit'], longpollid: 'ab' });
  await expect(wrong).rejects.toThrow('longpollid must be of length 64');
});

test("a miner's call that waits when the server stops fails as at a node", async () => {
  const node = await open();
  const { longpollid } = (await node.getblocktemplate({ rules: ['segwit'] })) as BlockTemplateJson;
  const waiting = node.getblocktemplate({ rules: ['segwit'], longpollid }).catch((error: unknown) => error);
  await node.getblockcount();
  await node.stop();
  expect(await waiting).toMatchObject({ code: -9, message: 'Shutting down' });
});
