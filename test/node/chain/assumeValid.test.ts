import { expect, test } from 'vitest';
import type { ConsensusParams } from '../../../src/core/network/networks.ts';
import { blockAfter, blocksAfter, GENESIS, type MadeBlock, spend } from '../../support/blocks.ts';
import { submit } from '../../support/feeding.ts';
import { FUNDS, fund, openMature } from '../../support/funded.ts';
import { type NodeRpc, networks } from '../../support/library.ts';

// A regtest on which a block stands for five days of work, so that three of them bury a block for two weeks.

const DAY = 86_400;
const { consensus, ...regtest } = networks.regtest;
if (!consensus) throw new Error('no rules');
const rules: ConsensusParams = { ...consensus, targetSpacing: 5 * DAY, targetTimespan: 5000 * DAY };

/** The second block spends a coin whose script fails. */
const { block: first, coins } = fund(['00']);
const bad = blockAfter(first, { txs: [spend(coins)] });
const after = blocksAfter(bad, 4);
const at = (index: number): MadeBlock => after[index] ?? GENESIS;

/** Opens a node that knows the header of the bad block and of some that follow it. */
function open(
  assumevalid: string | undefined,
  following: readonly MadeBlock[],
  more: Partial<ConsensusParams> = {},
): NodeRpc {
  const network = { ...regtest, consensus: { ...rules, ...more } };
  const rpc = openMature('core-32', { network, ...(assumevalid !== undefined && { assumevalid }) }, [first]);
  for (const { hex } of [bad, ...following]) expect(rpc.call('submitheader', [hex.slice(0, 160)])).toBeNull();
  return rpc;
}

const outcome = (rpc: NodeRpc): unknown => submit(rpc, [bad])[0];
const REFUSED =
  'block-script-verify-flag-failed (Script evaluated without error but finished with a false/empty top stack element)';

test('ancestors of the named block are assumed to have valid scripts, once two weeks of work are after them', () => {
  for (const named of [bad, at(0), at(2)]) expect(outcome(open(named.hash, after.slice(0, 3)))).toBeNull();
  expect(outcome(open(at(0).hash, after.slice(0, 2)))).toBe(REFUSED);
});

test('the named block has to be known, and on the same branch', () => {
  expect(outcome(open(at(3).hash, after.slice(0, 3)))).toBe(REFUSED);
  expect(outcome(open('11'.repeat(32), after))).toBe(REFUSED);
  expect(outcome(open(first.hash, after))).toBe(REFUSED);
  expect(outcome(open(GENESIS.hash, after))).toBe(REFUSED);
});

test('the best header has to follow the block', () => {
  const beside = blocksAfter(first, 9, '07');
  expect(outcome(open(at(0).hash, [...after, ...beside.slice(0, 4)]))).toBeNull();
  const rpc = open(at(0).hash, [...after.slice(0, 3), ...beside]);
  expect(submit(rpc, [bad])).toEqual([REFUSED]);
});

test('the best header has to have the least work of the network', () => {
  // 108 blocks of two hashes each.
  const minimumWork = 2n * BigInt(at(3).height + 1);
  expect(outcome(open(at(0).hash, after, { minimumWork }))).toBeNull();
  expect(outcome(open(at(0).hash, after, { minimumWork: minimumWork + 1n }))).toBe(REFUSED);
});

test('the network names a block by default, and 0 none', () => {
  const knownBlock = { height: at(0).height, hash: at(0).hash };
  expect(outcome(open(undefined, after, { knownBlock }))).toBeNull();
  expect(outcome(open('0', after, { knownBlock }))).toBe(REFUSED);
  expect(outcome(open(undefined, after))).toBe(REFUSED);
});

test('all blocks may be assumed to have valid scripts, but nothing else', () => {
  const rpc = openMature('core-32', { assumevalid: 'all' }, [first]);
  const greedy = blockAfter(first, { txs: [spend(coins, '51', FUNDS + 1n)] });
  expect(submit(rpc, [greedy, bad])).toEqual(['bad-txns-in-belowout', null]);
});
