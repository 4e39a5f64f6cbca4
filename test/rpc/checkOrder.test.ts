import { describe, expect, test } from 'vitest';
import { openWithWallet, rpcFault } from '../support/feeding.ts';
import { createRpc, type DialectName, RpcError, withChecksum } from '../support/library.ts';

/** A call with several faults fails with the error that the node's code finds first. */

function ask(dialect: DialectName, method: string, params: readonly unknown[]): unknown {
  try {
    return createRpc({ network: 'regtest', dialect }).call(method, params);
  } catch (error) {
    if (error instanceof RpcError) return `${error.code} ${error.message}`;
    throw error;
  }
}

const OUT_OF_RANGE = '-1 JSON integer out of range';
const NO_OUTPUTS = '-8 Invalid parameter, output argument must be non-null';
const NO_VERSION = '-8 Invalid parameter, version out of range(1~3)';
const NO_PSBT_VERSION = '-8 The PSBT version can only be 2 or 0';

describe('createpsbt of core-31 checks', () => {
  const input = { txid: '11'.repeat(32) };
  test.each<[what: string, params: readonly unknown[], answer: string]>([
    ['inputs before absent outputs', [[input], null], '-8 Invalid parameter, missing vout key'],
    ['that there are outputs', [[], null], NO_OUTPUTS],
    ['the locktime before inputs', [[input], null, -1], '-8 Invalid parameter, locktime out of range'],
    ['an unknown version before inputs', [[input], null, 0, true, 4], NO_VERSION],
    ['an unknown version after the locktime', [[], [], -1, true, 4], '-8 Invalid parameter, locktime out of range'],
    ['that the version is a uint32 before the locktime', [[], [], -1, true, -1], OUT_OF_RANGE],
    ['a version of 32 bits, which is unknown', [[], [], 0, true, 4294967295], NO_VERSION],
    ['a version beyond 32 bits', [[], [], 0, true, 4294967296], OUT_OF_RANGE],
    ['a version with a fraction', [[], [], 0, true, 1.5], OUT_OF_RANGE],
    ['a PSBT version of 32 bits, which is unknown', [[], [], 0, true, 2, 4294967295], NO_PSBT_VERSION],
    ['a PSBT version below zero', [[], [], 0, true, 2, -1], OUT_OF_RANGE],
    ['a PSBT version last', [[], null, 0, true, 2, -1], NO_OUTPUTS],
  ])('%s', (_, params, answer) => {
    expect(ask('core-31', 'createpsbt', params)).toBe(answer);
  });

  test('that there are outputs first, in 0.21', () => {
    for (const inputs of [[input], [5], null]) expect(ask('core-0.21', 'createpsbt', [inputs, null])).toBe(NO_OUTPUTS);
    expect(ask('core-0.21', 'createpsbt', [[input], 5, -1])).toBe('-1 JSON value is not an array as expected');
  });
});

test('converttopsbt refuses a negative PSBT version as out of range, others as unknown', () => {
  const tx = '02000000000000000000';
  expect(ask('core-31', 'converttopsbt', [tx, false, false, -1])).toBe(OUT_OF_RANGE);
  expect(ask('core-31', 'converttopsbt', [tx, false, false, 4294967295])).toBe(NO_PSBT_VERSION);
});

describe('deriveaddresses takes null', () => {
  const key = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
  const xpub =
    'tpubD6NzVbkrYhZ4WaWSyoBvQwbpLkojyoTZPRsgXELWz3Popb3qkjcJyJUGLnL4qHHoQvao8ESaAstxYSnhyswJ76uZPStJRJCTKvosUCJZL5B';
  const [fixed, ranged] = [withChecksum(`wpkh(${key})`), withChecksum(`wpkh(${xpub}/*)`)];

  test.each(['core-31', 'documented'] as const)('for an absent range, in %s', (dialect) => {
    expect(ask(dialect, 'deriveaddresses', [fixed, null])).toEqual(ask(dialect, 'deriveaddresses', [fixed]));
    expect(ask(dialect, 'deriveaddresses', [ranged, null])).toBe('-8 Range must be specified for a ranged descriptor');
  });

  test('for a range of the first index, in 0.21', () => {
    const [refused, first] = [fixed, ranged].map((text) => ask('core-0.21', 'deriveaddresses', [text, null]));
    expect(refused).toBe('-8 Range should not be specified for an un-ranged descriptor');
    expect(first).toEqual(ask('core-0.21', 'deriveaddresses', [ranged, 0]));
  });
});

describe('PSBTs and descriptors', () => {
  const [old, newer] = [0, 2].map((version) =>
    ask('core-31', 'createpsbt', [[{ txid: '11'.repeat(32), vout: 0 }], [], 0, true, 2, version]),
  );

  test('joinpsbts checks the version of each PSBT before it reads the next', () => {
    const refused = '-8 joinpsbts only operates on version 0 PSBTs';
    for (const next of ['x', 5, old]) expect(ask('core-31', 'joinpsbts', [[newer, next]])).toBe(refused);
    expect(ask('core-31', 'joinpsbts', [[old, 'x', newer]])).toMatch('-22 TX decode failed');
  });

  test('utxoupdatepsbt reads the descriptors before the PSBT, in 0.21 after it', () => {
    for (const method of ['utxoupdatepsbt', 'descriptorprocesspsbt']) {
      expect(ask('core-31', method, ['x', [{ desc: 5 }]])).toBe(
        '-3 JSON value of type number is not of expected type string',
      );
    }
    expect(ask('core-31', 'utxoupdatepsbt', ['x', []])).toMatch('-22 TX decode failed');
    expect(ask('core-0.21', 'utxoupdatepsbt', ['x', [{ desc: 5 }]])).toMatch('-22 TX decode failed');
    const inner = '-1 JSON value is not a string as expected';
    expect(ask('core-0.21', 'utxoupdatepsbt', [old, [{ desc: 5 }]])).toBe(inner);
  });
});

test('createwallet refuses an external signer after all other checks', () => {
  const rpc = openWithWallet('core-31', 'regtest');
  const refusal = (name: string, ...options: readonly unknown[]): unknown => {
    const [disables, passphrase] = options;
    const params = [name, disables, false, passphrase, false, true, false, true];
    return rpcFault(() => rpc.call('createwallet', params));
  };
  const keysEnabled = { code: -4, message: 'Private keys must be disabled when using an external signer' };
  expect(refusal('', false)).toMatchObject({ code: -8, message: 'Wallet name cannot be empty' });
  expect(refusal('w', false)).toMatchObject(keysEnabled);
  expect(refusal('w', true, 'p')).toMatchObject({ code: -4, message: expect.stringMatching(/^Passphrase provided/) });
  expect(refusal('w', true)).toMatchObject({ code: -4, message: expect.stringContaining('already exists') });
  expect(refusal('v', true)).toMatchObject({ code: -1, message: 'restart bitcoind with -signer=<cmd>' });
  expect(rpc.call('listwallets')).toEqual(['w']);
});

test('importdescriptors refuses the last possible index, on which Core crashes', () => {
  const rpc = openWithWallet('core-31', 'regtest');
  rpc.call('createwallet', ['watching', true]);
  const xpub =
    'tpubD6NzVbkrYhZ4WaWSyoBvQwbpLkojyoTZPRsgXELWz3Popb3qkjcJyJUGLnL4qHHoQvao8ESaAstxYSnhyswJ76uZPStJRJCTKvosUCJZL5B';
  const last = 2 ** 31 - 1;
  const error = { code: -8, message: 'End of range is too high' };
  for (const range of [
    [last, last],
    [last - 5, last],
    [last, last + 1],
  ]) {
    const request = { desc: withChecksum(`wpkh(${xpub}/*)`), timestamp: 'now', range };
    expect(rpc.call('importdescriptors', [[request]], 'watching')).toEqual([{ success: false, error }]);
  }
});
