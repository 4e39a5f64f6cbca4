import { describe, expect, test } from 'vitest';
import { blockAfter, GENESIS, type MadeBlock } from '../../../support/blocks.ts';
import { openNode, submit } from '../../../support/feeding.ts';
import { createMemoryStore, type NodeRpc, networks } from '../../../support/library.ts';

/** A version that votes for testdummy, by bit 28, and one that does not. */
const [YES, NO] = [0x3000_0000, 0x2000_0000];

function vote(rpc: NodeRpc, parent: MadeBlock, versions: readonly number[]): MadeBlock {
  return versions.reduce((tip, version) => {
    const block = blockAfter(tip, { version });
    submit(rpc, [block]);
    return block;
  }, parent);
}
const times = (version: number, count: number): readonly number[] => new Array<number>(count).fill(version);

const open = (): NodeRpc => openNode(createMemoryStore(), 'core-31');
const testdummy = (rpc: NodeRpc, hash?: string) =>
  rpc.call('getdeploymentinfo', hash === undefined ? [] : [hash]).deployments['testdummy'];

describe('getdeploymentinfo', () => {
  test('shows the state of the block, and that of the next one', () => {
    const rpc = open();
    const first = vote(rpc, GENESIS, times(NO, 143));
    expect(testdummy(rpc)).toMatchObject({
      active: false,
      bip9: { status: 'defined', since: 0, status_next: 'started' },
    });
    const second = vote(rpc, first, [YES, NO, YES]);
    expect(testdummy(rpc)).toMatchObject({
      bip9: {
        bit: 28,
        status: 'started',
        since: 144,
        status_next: 'started',
        statistics: { period: 144, threshold: 108, elapsed: 3, count: 2, possible: true },
        signalling: '#-#',
      },
    });
    const third = vote(rpc, second, times(YES, 141));
    expect(testdummy(rpc)).toMatchObject({ bip9: { status: 'started', status_next: 'locked_in' } });
    vote(rpc, third, [YES]);
    expect(testdummy(rpc)?.type === 'bip9' && testdummy(rpc)).toEqual({
      type: 'bip9',
      active: false,
      bip9: {
        bit: 28,
        start_time: 0,
        timeout: Number(2n ** 63n - 1n),
        min_activation_height: 0,
        status: 'locked_in',
        since: 288,
        status_next: 'locked_in',
        statistics: { period: 144, elapsed: 1, count: 1 },
        signalling: '#',
      },
    });
    vote(rpc, blockAfter(third), []);
    const chain = rpc.call('getblockcount');
    expect(chain).toBe(288);
    expect(testdummy(rpc, first.hash)).toMatchObject({ bip9: { status: 'defined' } });
  });

  test('activates from the block before the first that obeys', () => {
    const rpc = open();
    vote(rpc, GENESIS, [...times(NO, 143), ...times(YES, 288)]);
    expect(rpc.call('getblockcount')).toBe(431);
    expect(testdummy(rpc)).toMatchObject({
      height: 432,
      active: true,
      bip9: { status: 'locked_in', status_next: 'active' },
    });
  });

  test('lists taproot until 31, and the rules for scripts from then on', () => {
    const [r30, r31, r32] = (['core-30', 'core-31', 'core-32'] as const).map((dialect) =>
      openNode(createMemoryStore(), dialect).call('getdeploymentinfo'),
    );
    expect(Object.keys(r30?.deployments ?? {})).toEqual([
      'bip34',
      'bip66',
      'bip65',
      'csv',
      'segwit',
      'testdummy',
      'taproot',
    ]);
    expect(r31?.deployments['taproot']).toMatchObject({ height: 0, active: true, bip9: { start_time: -1, since: 0 } });
    expect(r32?.deployments['taproot']).toBeUndefined();
    expect(r30?.script_flags).toBeUndefined();
    // In the genesis block, only what was always active.
    expect(r31?.script_flags).toEqual(['NULLDUMMY', 'P2SH', 'TAPROOT', 'WITNESS']);
    const rpc = open();
    submit(rpc, [blockAfter(GENESIS)]);
    expect(rpc.call('getdeploymentinfo').script_flags).toEqual([
      'CHECKLOCKTIMEVERIFY',
      'CHECKSEQUENCEVERIFY',
      'DERSIG',
      'NULLDUMMY',
      'P2SH',
      'TAPROOT',
      'WITNESS',
    ]);
  });

  test('refuses an unknown block', () => {
    expect(() => open().call('getdeploymentinfo', ['00'.repeat(32)])).toThrow('Block not found');
  });

  test('knows how the vote on taproot went on the main chain', () => {
    const [vote] = networks.main.consensus?.deployments ?? [];
    expect(vote?.history?.map(([height]) => height % vote.period)).toEqual([0, 0, 0]);
    expect(vote?.history?.at(-1)).toEqual([vote?.minHeight, 'active']);
  });
});
