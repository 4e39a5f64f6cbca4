import { expect, test } from 'vitest';
import { needOf } from './applicability.ts';
import { outcomeOf } from './outcome.ts';

const OUTPUT = `2026-11-26T16:21:12.782416Z TestFramework (ERROR): Unexpected exception:
Traceback (most recent call last):
  File "/core/test/functional/test_framework/test_framework.py", line 138, in main
    self.run_test()
  File "/core/test/functional/wallet_x.py", line 20, in run_test
    self.spend(1)
  File "/core/test/functional/wallet_x.py", line 30, in spend
    assert_equal(a, b)
  File "/core/test/functional/test_framework/util.py", line 77, in assert_equal
    raise AssertionError("not(%s == %s)")
AssertionError: not(1 == 2)
2026-11-26T16:21:12.782416Z TestFramework (INFO): Not stopping nodes as test failed.
`;

test('a script that fails is listed with its own innermost line', () => {
  expect(outcomeOf('wallet_x.py', 1, OUTPUT)).toEqual({
    kind: 'failed',
    line: '30: assert_equal(a, b): AssertionError: not(1 == 2)',
  });
});

test('a fault in the framework is listed with the line of the framework', () => {
  expect(outcomeOf('wallet_y.py', 1, OUTPUT)).toEqual({
    kind: 'failed',
    line: 'util.py 77: raise AssertionError("not(%s == %s)"): AssertionError: not(1 == 2)',
  });
});

test('an error that another one caused is listed with the line of the script', () => {
  const [head = '', rest = ''] = OUTPUT.split('AssertionError: not(1 == 2)\n');
  const inner = head.replaceAll('wallet_x.py', 'test_framework/util.py');
  const chained = `${inner}JSONRPCException: {'code': -8}\n\nDuring handling of the above exception, another exception occurred:\n\n${head.slice(head.indexOf('Traceback'))}AssertionError: not(1 == 2)\n${rest}`;
  expect(outcomeOf('wallet_x.py', 1, chained)).toMatchObject({
    line: '30: assert_equal(a, b): AssertionError: not(1 == 2)',
  });
});

test('what the node does not have is told from what it does wrong', () => {
  const missing = OUTPUT.replace('assert_equal(a, b)', 'node.blocks_path.stat()');
  expect(outcomeOf('wallet_x.py', 1, missing)).toMatchObject({
    kind: 'not applicable',
    reason: expect.stringMatching(/^the files of blocks/),
  });
  const skipped = 'TestFramework (WARNING): Test Skipped: zmq is not there\n';
  expect(outcomeOf('wallet_x.py', 77, skipped)).toEqual({ kind: 'not applicable', reason: 'zmq is not there' });
  expect(needOf('self.nodes[0].add_p2p_connection(P2PInterface())')).toMatch(/^peers/);
  expect(needOf('self.nodes[0].getblockcount()')).toBeUndefined();
});

test('a text that only lacks a private key is missing on purpose', () => {
  const key = 'cPxY1tQwY9jnKEMrbRLtXm3SMmvnadwKCcfGFm9MiqiPhxB4WxpU';
  const xprv = `tprv8ZgxMBicQKsP${'e'.repeat(95)}`;
  const [equal, found] = ['not(1 == 2)', 'Expected substring not found in error message:\n'];
  const because = (text: string): string => OUTPUT.replace(equal, text);
  for (const text of [
    because(`not(Key '...' is invalid == Key '${key}' is invalid)`),
    because(`${found}substring: 'sh(wpkh(${xprv}/0h/*))'\nerror message: 'sh(wpkh(.../0h/*))'.`),
  ]) {
    expect(outcomeOf('wallet_x.py', 1, text)).toMatchObject({
      kind: 'failed',
      line: expect.stringMatching(/^on purpose, .*: 30: /),
    });
  }
  for (const text of [
    because(`not(Key '...' is invalid == Key 'reserveChangeKey' is invalid)`),
    because(`not(Key '...' is wrong == Key '${key}' is invalid)`),
    because(`not(Key '${key}' is invalid == Key '${key}' is wrong)`),
  ]) {
    expect(outcomeOf('wallet_x.py', 1, text)).toMatchObject({ kind: 'failed', line: expect.stringMatching(/^30: /) });
  }
});
