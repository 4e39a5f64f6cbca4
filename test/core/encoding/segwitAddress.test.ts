import { bech32, bech32m } from '@scure/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatSegwitAddress, parseSegwitAddress } from '../../../src/core/encoding/segwitAddress.ts';
import { campaign } from '../../support/campaign.ts';

const program = fc.uint8Array({ minLength: 2, maxLength: 40 });
const prefix = fc.constantFrom('bc', 'tb', 'bcrt', 'ltc', '!"#@[`{~');

test('addresses are those that @scure/base encodes', () => {
  fc.assert(
    fc.property(prefix, fc.nat(16), program, (hrp, version, bytes) => {
      const { encode, toWords } = version === 0 ? bech32 : bech32m;
      expect(formatSegwitAddress(hrp, { version, program: bytes })).toBe(encode(hrp, [version, ...toWords(bytes)]));
    }),
    campaign(500),
  );
});

test('addresses give back the version and program', () => {
  fc.assert(
    fc.property(prefix, fc.nat({ max: 15 }), program, (hrp, version, bytes) => {
      const witness = { version: version + 1, program: bytes };
      expect(parseSegwitAddress(hrp, formatSegwitAddress(hrp, witness))).toEqual(witness);
    }),
  );
});
