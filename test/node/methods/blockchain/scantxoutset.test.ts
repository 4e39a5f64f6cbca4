import { expect, test } from 'vitest';
import { startRegtest } from '../../../../src/shell/regtest/index.ts';
import { blockAfter, blocksAfter, GENESIS } from '../../../support/blocks.ts';
import { change, openNode, rpcFault, submit } from '../../../support/feeding.ts';
import { parseHex } from '../../../support/library.ts';

test('scantxoutset finds coins of the chain, each once, however many objects name its script', () => {
  const rpc = openNode();
  submit(rpc, blocksAfter(GENESIS, 3));
  const all = rpc.call('scantxoutset', ['start', ['raw(51)', { desc: 'raw(51)', range: [0, 5] }, 'raw(52)']]);
  expect(all).toMatchObject({ success: true, txouts: 3, height: 3 });
  const { unspents } = all as { unspents: readonly { height: number; desc: string; confirmations: number }[] };
  expect(unspents.map(({ height }) => height).sort()).toEqual([1, 2, 3]);
  expect(unspents.every(({ height, confirmations }) => height + confirmations === 4)).toBe(true);
  expect(rpc.call('scantxoutset', ['start', []])).toMatchObject({ unspents: [], total_amount: 0 });
});

test('scantxoutset does not take a chain without its first blocks for one without coins', () => {
  const rpc = openNode();
  const first = blockAfter(GENESIS);
  change(rpc, { type: 'start', header: parseHex(first.hex.slice(0, 160)), height: 1 });
  const fault = rpcFault(() => rpc.call('scantxoutset', ['start', ['raw(51)']]));
  expect(fault.message).toMatch(/^The unspent outputs are not all known/);
});

test.each([
  ['core-31', -3, 'JSON value of type null is not of expected type array'],
  ['core-32', -1, 'scanobjects argument is required for the start action'],
] as const)('scans of %s refuse null scan objects', (dialect, code, message) => {
  const { rpc } = startRegtest({ dialect, blockfilterindex: true });
  for (const method of ['scantxoutset', 'scanblocks']) {
    const items = [{ type: 'string', value: 'start' }, { type: 'null' }] as const;
    expect(rpcFault(() => rpc.callJson(method, { type: 'array', items }, undefined))).toMatchObject({
      code,
      message,
    });
  }
});
