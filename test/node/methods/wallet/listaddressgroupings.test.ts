import { expect, test } from 'vitest';
import { blockAfter } from '../../../support/blocks.ts';
import { stringifyRpc, txid } from '../../../support/library.ts';
import { ask, LEGACY, makeWorld, payment } from '../../../support/walletWorld.ts';

test('listaddressgroupings joins the addresses that a transaction spends from together', () => {
  const { rpc, coins, scripts, base } = makeWorld(LEGACY, { assumevalid: 'all' });
  const [own = '', other = '', watched = '', foreign = ''] = scripts;
  const [first] = coins;
  if (!first) throw new Error('no coins');
  const received = payment(first, [own, other]);
  const lone = payment(coins[1] ?? first, [watched, foreign]);
  const block = blockAfter(base, { txs: [received, lone] });
  ask(rpc, 'submitblock', [block.hex]);
  const groups = (): string => stringifyRpc(rpc.call('listaddressgroupings', [], 'w'));
  const apart = groups();
  expect(apart.match(/\["rltc/g)).toHaveLength(3);
  expect(apart).toContain(',0.00045000,"key 0"]]');
  const [input] = payment({ txid: txid(received), vout: 0 }, [foreign, foreign]).inputs;
  const spendsBoth = payment({ txid: txid(received), vout: 1 }, [foreign, foreign]);
  const joint = { ...spendsBoth, inputs: [...spendsBoth.inputs, ...(input ? [input] : [])] };
  ask(rpc, 'submitblock', [blockAfter(block, { txs: [joint] }).hex]);
  expect(
    JSON.parse(groups())
      .map((group: readonly unknown[]) => group.length)
      .sort(),
  ).toEqual([1, 2]);
});
