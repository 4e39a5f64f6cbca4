import { expect, test } from 'vitest';
import { said } from '../../../support/blockLife.ts';
import { blockAfter, blocksAfter, GENESIS } from '../../../support/blocks.ts';
import { openNode, rpcFault } from '../../../support/feeding.ts';

// test/node/chain/acceptBlock.test.ts has the reasons for which headers are refused.

const [FIRST = GENESIS, SECOND = GENESIS] = blocksAfter(GENESIS, 2);
const headerOf = (hex: string): string => hex.slice(0, 160);

test('submitheader takes the header of a whole block, or of one that is known', () => {
  const rpc = openNode();
  for (const hex of [FIRST.hex, headerOf(FIRST.hex), `${headerOf(SECOND.hex)}ff`, headerOf(FIRST.hex)])
    expect(rpc.call('submitheader', [hex])).toBeNull();
  expect(rpc.call('getblockchaininfo')).toMatchObject({ blocks: 0, headers: 2 });
  expect(rpc.call('getblockheader', [SECOND.hash])).toMatchObject({ height: 2, confirmations: -1, nTx: 0 });
  expect(said(() => rpc.call('getblock', [SECOND.hash]))).toMatch(/^Block not (?:available|found)/);
});

test('submitheader refuses what is not a header, and one whose parent is unknown before anything else', () => {
  const rpc = openNode();
  const decodeFault = { code: -22, message: 'Block header decode failed' };
  for (const hex of ['', 'zz', headerOf(FIRST.hex).slice(2), `${headerOf(FIRST.hex)}f`])
    expect(rpcFault(() => rpc.call('submitheader', [hex]))).toMatchObject(decodeFault);
  const weak = `${headerOf(SECOND.hex).slice(0, 144)}ffff001d00000000`;
  const message = `Must submit previous header (${FIRST.hash}) first`;
  expect(rpcFault(() => rpc.call('submitheader', [weak]))).toMatchObject({ code: -25, message });
  rpc.call('submitheader', [headerOf(FIRST.hex)]);
  expect(rpcFault(() => rpc.call('submitheader', [weak]))).toMatchObject({ code: -25, message: 'high-hash' });
});

test('submitheader says of an invalid header that it is known, in 0.21 in fewer words', () => {
  for (const [dialect, message] of [
    ['core-0.21', 'duplicate'],
    ['core-29', 'duplicate-invalid'],
  ] as const) {
    const rpc = openNode(undefined, dialect);
    rpc.call('submitheader', [headerOf(FIRST.hex)]);
    rpc.call('invalidateblock', [FIRST.hash]);
    for (const block of [FIRST, blockAfter(FIRST)]) {
      const expected = block === FIRST ? message : 'bad-prevblk';
      expect(rpcFault(() => rpc.call('submitheader', [headerOf(block.hex)]))).toMatchObject({
        code: -25,
        message: expected,
      });
    }
  }
});
