import { describe, expect, test } from 'vitest';
import { blockAfter, blocksAfter, GENESIS, genesisOf, type MadeBlock } from '../../../support/blocks.ts';
import { change, openNode, openWithWallet, rpcFault, submit } from '../../../support/feeding.ts';
import type { NodeRpc } from '../../../support/library.ts';
import { parseHex } from '../../../support/library.ts';

const headerOf = ({ hex }: MadeBlock): Uint8Array => parseHex(hex.slice(0, 160));

/** Opens a chain that starts above the genesis block, and knows one more block by its header alone. */
function openPartial(blocks: readonly MadeBlock[]): NodeRpc {
  const [first, second] = blocks;
  if (!first || !second) throw new Error('Two blocks are needed');
  const rpc = openNode();
  change(rpc, { type: 'start', header: headerOf(first), height: first.height });
  change(rpc, { type: 'headers', headers: [headerOf(second)] });
  return rpc;
}

describe('getblock', () => {
  test('shows the genesis block of a known network, which holds one transaction', () => {
    const rpc = openNode();
    const block = rpc.call('getblock', [GENESIS.hash]);
    expect(block).toMatchObject({ height: 0, confirmations: 1, nTx: 1, size: 285 });
    expect(block.tx).toEqual([block.merkleroot]);
    expect(rpc.call('getblock', [GENESIS.hash, 0])).toHaveLength(570);
  });

  test('adds the reserved value to a coinbase that was submitted without it', () => {
    const rpc = openNode();
    const block = blockAfter(GENESIS);
    submit(rpc, [block]);
    const shown = rpc.call('getblock', [block.hash, 2]);
    const hex = rpc.call('getblock', [block.hash, 0]);
    expect(hex).toHaveLength(2 * shown.size);
    expect(shown.tx).toMatchObject([{ vin: [{ sequence: 0xffff_ffff }] }]);
  });

  test('says of a block that is known by its header alone that it is not available', () => {
    const blocks = blocksAfter(GENESIS, 2);
    const rpc = openPartial(blocks);
    for (const { hash } of blocks) {
      expect(rpc.call('getblockheader', [hash])).toMatchObject({ hash, nTx: 0 });
      const fault = { code: -1, message: 'Block not available (pruned data)' };
      expect(rpcFault(() => rpc.call('getblock', [hash]))).toMatchObject(fault);
      const found = rpcFault(() => rpc.call('getrawtransaction', ['11'.repeat(32), 0, hash]));
      expect(found).toMatchObject({ code: -1, message: 'Block not available' });
    }
    expect(rpc.call('getblockchaininfo')).toMatchObject({ blocks: 2, pruned: true, pruneheight: 3 });
  });

  test('shows a block that left the chain, and its fees still', () => {
    const rpc = openNode();
    const [first, second] = blocksAfter(GENESIS, 2);
    submit(rpc, [first ?? GENESIS, second ?? GENESIS]);
    rpc.call('invalidateblock', [second?.hash ?? '']);
    expect(rpc.call('getblock', [second?.hash ?? ''])).toMatchObject({ confirmations: -1, height: 2 });
    const [tx] = rpc.call('getblock', [first?.hash ?? '', 2]).tx;
    expect(rpc.call('getrawtransaction', [tx?.txid ?? '', true, first?.hash])).toMatchObject({ in_active_chain: true });
    expect(rpc.call('getchaintips')).toEqual([
      { height: 2, hash: second?.hash, branchlen: 1, status: 'invalid' },
      { height: 1, hash: first?.hash, branchlen: 0, status: 'active' },
    ]);
  });
});

describe.each([
  ['litecoin-0.21', 'litecoin-regtest'],
  ['core-32', 'regtest'],
] as const)('a node without peers, %s', (dialect, network) => {
  const rpc = openWithWallet(dialect, network);

  test('estimates no fee, and checks what is asked', () => {
    const answer = { errors: ['Insufficient data or no feerate found'], blocks: 0 };
    expect(rpc.call('estimatesmartfee', [6, 'ECONOMICAL'])).toEqual(answer);
    const target = { code: -8, message: 'Invalid conf_target, must be between 1 and 1008' };
    expect(rpcFault(() => rpc.call('estimatesmartfee', [1009, 'x']))).toMatchObject(target);
    const mode = 'Invalid estimate_mode parameter, must be one of: "unset", "economical", "conservative"';
    expect(rpcFault(() => rpc.call('estimatesmartfee', [1, 'x']))).toMatchObject({ code: -8, message: mode });
  });

  test('has exchanged nothing', () => {
    expect(rpc.call('getnettotals')).toMatchObject({ totalbytesrecv: 0, timemillis: 1_701_000_000_000 });
    expect(rpc.call('getzmqnotifications')).toEqual([]);
    expect(rpc.call('uptime')).toBe(0);
    expect(rpc.call('getrpcinfo').active_commands).toEqual([{ method: 'getrpcinfo', duration: 0 }]);
    expect(rpc.call('getblockchaininfo')).toMatchObject({ chain: 'regtest', bestblockhash: genesisOf(network).hash });
  });
});
