import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../support/temporary.ts';

const module = (path: string): string => new URL(`../../../../dist/shell/regtest/${path}`, import.meta.url).href;

/** Runs a suite of node:test on the built package. @returns what it prints */
function runSuite(text: string): string {
  const imports = `import assert from 'node:assert/strict';
import { afterEach, before, describe, test } from 'node:test';
import * as harness from '${module('harness/nodeTest.js')}';
const { assertConfirmed, assertPays, assertSpends, useRegtest } = harness;
const heightOf = (chain) => chain.rpc.call('getblockcount');
`;
  const path = join(temporaryDirectory(), 'suite.test.mjs');
  writeFileSync(path, imports + text);
  return spawnSync(process.execPath, ['--test-reporter=tap', path], { encoding: 'utf8' }).stdout;
}

test('each test of node:test begins where the file and before left the chain, a subtest where its test stands', () => {
  const printed = runSuite(`
const chain = useRegtest();
before(() => void chain.mine(2));
test('one', async (t) => {
  assert.equal(heightOf(chain), 2);
  chain.mine();
  await t.test('part', () => void chain.mine());
  assert.equal(heightOf(chain), 4);
});
test('two', () => assert.equal(heightOf(chain), 2));
describe('block', () => {
  before(() => void chain.mine(10));
  test('three', () => { chain.mine(); assert.equal(heightOf(chain), 13); });
  test('four', () => assert.equal(heightOf(chain), 12));
});
describe('own', () => {
  const own = useRegtest({ seed: 'own' });
  test('five', () => assert.equal(heightOf(own), 0));
});`);
  expect(printed).toMatch(/^# pass 6\n# fail 0$/m);
});

test('tests of node:test that run at the same time are refused, and those after them are not', () => {
  const printed = runSuite(`
const chain = useRegtest();
describe('block', { concurrency: true }, () => {
  for (const name of ['one', 'two', 'three']) {
    test(name, async () => {
      chain.mine();
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(heightOf(chain), 1);
    });
  }
});
test('four', () => assert.equal(heightOf(chain), 0));`);
  // node:test may report a failing hook for all that wait for it.
  expect(printed).toMatch(
    /^ +not ok 2 - two\n(?:.*\n){1,5} +error: 'Tests that run at the same time cannot share a chain/m,
  );
  expect(printed).toMatch(/^ +not ok 3 - three$/m);
  expect(printed).toMatch(/^ok 2 - four$/m);
});

test('assertions of node:test say what the chain holds', () => {
  const printed = runSuite(`
const chain = useRegtest();
const address = chain.wallet('alice').address();
const coin = chain.fund(address, 5000n);
test('hold', () => {
  assertConfirmed(chain, coin.txid);
  assertPays(chain, coin.txid, address, 5000n);
});
test('confirmed', () => assertConfirmed(chain, coin.txid, 9));
test('spends', () => assertSpends(chain, coin.txid, coin));
test('pays', () => assertPays(chain, coin.txid, address, 1n));`);
  expect(printed).toMatch(/^# pass 1\n# fail 3$/m);
  expect(printed.match(/ERR_ASSERTION/g)).toHaveLength(3);
  for (const found of [
    'to have 9 confirmations or more, but it has 1',
    'but it spends',
    'but it pays 5000 sat to bcrt1',
  ]) {
    expect(printed).toContain(found);
  }
});
