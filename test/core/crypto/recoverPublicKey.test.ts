import * as noble from '@noble/secp256k1';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recoverPublicKey } from '../../../src/core/crypto/recoverPublicKey.ts';
import { campaign } from '../../support/campaign.ts';
import { nobleEcc } from '../../support/library.ts';

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const ORDER = noble.Point.CURVE().n;
const bytesOf = (value: bigint): Uint8Array => noble.etc.numberToBytesBE(value);

test('one recovery id gives the key that signed, and its opposite the same for a high s', () => {
  fc.assert(
    fc.property(bytes32.filter(nobleEcc.isSecretKey), bytes32, fc.boolean(), (secretKey, digest, isCompressed) => {
      const signature = nobleEcc.signEcdsa(digest, secretKey);
      const key = Buffer.from(nobleEcc.publicKey(secretKey, isCompressed));
      const matches = (of: Uint8Array): readonly number[] =>
        [0, 1, 2, 3].filter((recoveryId) =>
          key.equals(recoverPublicKey(of, digest, { recoveryId, isCompressed }) ?? new Uint8Array()),
        );
      const [id = -1, ...others] = matches(signature);
      expect(others).toEqual([]);
      const s = noble.etc.bytesToNumberBE(signature.slice(32));
      expect(matches(Uint8Array.of(...signature.slice(0, 32), ...bytesOf(ORDER - s)))).toEqual([id ^ 1]);
    }),
    campaign(20),
  );
});

test('the keys of any numbers are those of noble', () => {
  fc.assert(
    fc.property(bytes32, bytes32, bytes32, fc.integer({ min: 0, max: 3 }), (r, s, digest, id) => {
      const ours = recoverPublicKey(Uint8Array.of(...r, ...s), digest, { recoveryId: id });
      let theirs: Uint8Array | undefined;
      try {
        theirs = noble.recoverPublicKey(Uint8Array.of(id, ...r, ...s), digest, { prehash: false });
      } catch {
        theirs = undefined;
      }
      expect(ours).toEqual(theirs);
    }),
    campaign(30),
  );
});

test('r and s must be from 1 to the order minus 1', () => {
  const digest = new Uint8Array(32).fill(1);
  const one = bytesOf(1n);
  for (const wrong of [new Uint8Array(32), bytesOf(ORDER), new Uint8Array(32).fill(255)]) {
    for (const recoveryId of [0, 1, 2, 3]) {
      expect(recoverPublicKey(Uint8Array.of(...wrong, ...one), digest, { recoveryId })).toBeUndefined();
      expect(recoverPublicKey(Uint8Array.of(...one, ...wrong), digest, { recoveryId })).toBeUndefined();
    }
  }
});
