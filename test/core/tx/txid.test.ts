import { expect, test } from 'vitest';
import { scriptKey } from '../../../src/core/script/scriptKey.ts';
import { outpointKey, parseOutpointKey, parseTxid, parseTxKey, txKey } from '../../../src/core/tx/txid.ts';
import { blockKey } from '../../../src/node/chain/blockHeader.ts';

const ID = parseTxid(`${'00ff80'.repeat(10)}0102`);

test('the key of a txid or outpoint gives it back', () => {
  expect(parseTxKey(txKey(ID))).toEqual(ID);
  for (const vout of [0, 1, 0xffff_ffff]) {
    expect(parseOutpointKey(outpointKey({ txid: ID, vout }))).toEqual({ txid: ID, vout });
  }
});

test('the compiler refuses the key of another kind', () => {
  const transactions = new Map([[txKey(ID), 'transaction']]);
  const outpoints = new Set([outpointKey({ txid: ID, vout: 0 })]);
  // @ts-expect-error: the key of a script
  expect(transactions.get(scriptKey(ID))).toBe('transaction');
  // @ts-expect-error: the key of a block
  expect(transactions.get(blockKey(ID))).toBe('transaction');
  // @ts-expect-error: the key of a transaction
  expect(outpoints.has(txKey(ID))).toBe(false);
});
