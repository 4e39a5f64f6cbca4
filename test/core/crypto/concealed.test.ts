import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { concealed, withSecretKey } from '../../../src/core/crypto/concealed.ts';

const SECRET = new Uint8Array(32).fill(0xab);

test('concealed bytes are shown as [secret], wherever they are nested', () => {
  const bytes = concealed(new Uint8Array(SECRET));
  expect([String(bytes), `${bytes}`, JSON.stringify([bytes]), inspect({ deep: { bytes } })]).toEqual([
    '[secret]',
    '[secret]',
    '["[secret]"]',
    '{ deep: { bytes: [secret] } }',
  ]);
  expect([bytes.length, bytes[31], String(bytes.slice(30))]).toEqual([32, 0xab, '171,171']);
});

test('an object shows its private key to those who ask for it alone', () => {
  const given = new Uint8Array(SECRET);
  const key = withSecretKey({ name: 'key' }, given);
  expect(key.secretKey).toEqual(SECRET);
  expect([{ ...key }, JSON.parse(JSON.stringify(key)), structuredClone(key)]).toEqual(Array(3).fill({ name: 'key' }));
  expect(inspect(key)).toBe("{ name: 'key' }");
  // The caller's array stays as it is; one that is concealed already is not copied again.
  expect(String(given)).toContain('171');
  expect(withSecretKey({}, key.secretKey).secretKey).toBe(key.secretKey);
});

test('a private key that a spread has copied is hidden again', () => {
  const spread = { name: 'key', secretKey: SECRET };
  expect(Object.keys(withSecretKey({ ...spread }, SECRET))).toEqual(['name']);
});
