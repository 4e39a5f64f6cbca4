import { describe, expect, test } from 'vitest';
import { callText } from '../../support/askRpc.ts';

describe('PSBTs and descriptors', () => {
  const [old, newer] = [0, 2].map((version) =>
    callText('core-32', 'createpsbt', [[{ txid: '11'.repeat(32), vout: 0 }], [], 0, true, 2, version]),
  );

  test('joinpsbts checks the version of each PSBT before it reads the next', () => {
    const refused = '-8 joinpsbts only operates on version 0 PSBTs';
    for (const next of ['x', 5, old]) expect(callText('core-32', 'joinpsbts', [[newer, next]])).toBe(refused);
    expect(callText('core-32', 'joinpsbts', [[old, 'x', newer]])).toMatch('-22 TX decode failed');
  });

  test('utxoupdatepsbt reads the descriptors before the PSBT, in 0.21 after it', () => {
    for (const method of ['utxoupdatepsbt', 'descriptorprocesspsbt']) {
      expect(callText('core-32', method, ['x', [{ desc: 5 }]])).toBe(
        '-3 JSON value of type number is not of expected type string',
      );
    }
    expect(callText('core-32', 'utxoupdatepsbt', ['x', []])).toMatch('-22 TX decode failed');
    expect(callText('core-0.21', 'utxoupdatepsbt', ['x', [{ desc: 5 }]])).toMatch('-22 TX decode failed');
    const inner = '-1 JSON value is not a string as expected';
    expect(callText('core-0.21', 'utxoupdatepsbt', [old, [{ desc: 5 }]])).toBe(inner);
  });
});
