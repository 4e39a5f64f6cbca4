import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../src/answers/json/jsonValue.ts';
import { parseJson } from '../../src/answers/json/parseJson.ts';
import { createRpc, formatAddress, networks } from '../support/library.ts';

const json = (text: string): JsonValue => {
  const value = parseJson(text);
  if (!value) throw new Error(`invalid JSON: ${text}`);
  return value;
};

// Comparing each element with all before it would take minutes, and end in the general time-out.
describe('lists as long as a request are processed:', () => {
  const rpc = createRpc({ network: 'main' });

  test('outputs', () => {
    const addresses = Array.from({ length: 160_000 }, (_, i) =>
      formatAddress(Uint8Array.of(0, 20, i & 0xff, (i >> 8) & 0xff, i >> 16, ...new Uint8Array(17)), networks.main),
    );
    const outputs = addresses.map((address) => `"${address}":0`);
    expect(rpc.callJson('createpsbt', json(`[[],{${outputs.join(',')}}]`))).toMatch(/^cHNid/);
  });

  test('descriptors', () => {
    const psbt = rpc.call('createpsbt', [[], [{ data: '00' }]]);
    const descriptors = Array<string>(24_000).fill(
      'pk(0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798)',
    );
    expect(rpc.call('utxoupdatepsbt', [psbt, descriptors])).toBe(psbt);
  });
});
