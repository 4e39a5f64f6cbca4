import { expect, test } from 'vitest';
import { blocksAfter, coinbaseOf, genesisOf, type MadeBlock, quickNetwork, spend } from '../../support/blocks.ts';
import { rpcFault, submit } from '../../support/feeding.ts';
import { createNodeRpc, encodeTransaction, formatHex, type NodeRpc, txid } from '../../support/library.ts';

const STANDARD = `0014${'ab'.repeat(20)}`;
const COUNT = 101;
const START = 1_700_100_000;

function spendCoin(block: MadeBlock | undefined, fee: bigint): string {
  if (!block) throw new Error('A block is needed');
  const coinbase = coinbaseOf(block);
  const value = coinbase.outputs[0]?.value ?? 0n;
  return formatHex(encodeTransaction(spend([{ txid: txid(coinbase), vout: 0 }], STANDARD, value - fee)));
}

function open(dialect: 'core-30' | 'core-31', blocks: readonly MadeBlock[]) {
  let now = START;
  const rpc: NodeRpc = createNodeRpc({
    ...{ network: quickNetwork('regtest'), dialect, clock: () => now, acceptnonstdtxn: true, maxmempool: 0 },
    random: (size) => new Uint8Array(size),
  });
  submit(rpc, blocks.slice(0, COUNT));
  const wait = (seconds: number): void => {
    now += seconds;
  };
  return { rpc, wait, floor: () => rpc.call('getmempoolinfo').mempoolminfee };
}

test.each(['core-30', 'core-31'] as const)(
  'a full mempool of %s asks for more than what it evicted, for a time',
  (dialect) => {
    const blocks = blocksAfter(genesisOf('regtest'), COUNT + 1);
    const { rpc, wait, floor } = open(dialect, blocks);
    const [first] = blocks;
    expect(rpc.call('getmempoolinfo')).toMatchObject({ maxmempool: 0, mempoolminfee: 0.000001 });
    const full = rpcFault(() => rpc.call('sendrawtransaction', [spendCoin(first, 10_000n)]));
    expect(full).toMatchObject({ code: -26, message: 'mempool full' });
    expect(rpc.call('getrawmempool')).toEqual([]);
    const asked = floor();
    expect(asked).toBeGreaterThan(0.001);
    const [tested] = rpc.call('testmempoolaccept', [[spendCoin(first, 10_000n)]]);
    expect(tested?.['reject-reason']).toBe('mempool min fee not met');
    // Without a block, it stays.
    wait(86_400);
    expect(floor()).toBe(asked);
    submit(rpc, blocks.slice(COUNT));
    wait(43_200);
    expect(floor()).toBeCloseTo(asked / 2, 7);
    for (let days = 0; days < 20; days += 1) wait(86_400);
    expect(floor()).toBe(0.000001);
  },
);
