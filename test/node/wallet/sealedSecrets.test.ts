import { describe, expect, test } from 'vitest';
import { openMasterKey, openSecret, sealMasterKey, sealSecret } from '../../../src/node/wallet/keys/sealedSecrets.ts';
import { nodeScrypt } from '../../../src/shell/cli/nodeScrypt.ts';
import { formatHex } from '../../support/library.ts';
import { expectRefusal, refusalOf } from '../../support/refusal.ts';

/** Returns consecutive byte values that begin with `from`. */
const bytes = (size: number, from: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, i) => (from + i) & 0xff);

const masterKey = bytes(32, 0x80);
const passphrase = 'correct horse battery st\u00e4ple';
const cost = { N: 2 ** 15, r: 8, p: 1 };
const sealed = sealMasterKey(masterKey, passphrase, { salt: bytes(16, 1), nonce: bytes(24, 2), cost });

/** Replaces one hex digit of a text. */
const altered = (hex: string, at: number): string =>
  hex.slice(0, at) + (hex[at] === '0' ? '1' : '0') + hex.slice(at + 1);

describe('a master key', () => {
  test('opens with its passphrase, also after a JSON round trip', () => {
    expect(openMasterKey(JSON.parse(JSON.stringify(sealed)), passphrase)).toEqual(masterKey);
    expect(sealed).toMatchObject({ kdf: 'scrypt', cipher: 'xchacha20-poly1305', ...cost });
  });

  test('costs 128 MiB per attempt by default, as OWASP advises', () => {
    const usual = sealMasterKey(masterKey, passphrase, { salt: bytes(32, 1), nonce: bytes(24, 2) });
    expect(usual).toMatchObject({ N: 131072, r: 8, p: 1 });
    expect(openMasterKey(usual, passphrase)).toEqual(masterKey);
  });

  test('opens with any correct scrypt implementation, but not with a wrong one', () => {
    expect(openMasterKey(sealed, passphrase, nodeScrypt)).toEqual(masterKey);
    expect(openMasterKey(sealed, passphrase, () => new Uint8Array(32))).toBeUndefined();
    const short = { what: 'scrypt key', size: 16, expected: 32 };
    expectRefusal(() => openMasterKey(sealed, passphrase, () => new Uint8Array(16)), 'secret/size', short);
  });

  test('opens if sealed at the cost of earlier releases', () => {
    const former = { salt: bytes(16, 1), nonce: bytes(24, 2), cost: { N: 2 ** 16, r: 8, p: 1 } };
    expect(openMasterKey(sealMasterKey(masterKey, passphrase, former), passphrase)).toEqual(masterKey);
  });

  test.each([
    '',
    'correct horse battery staple',
    `${passphrase} `,
    passphrase.normalize('NFD'),
    passphrase.toUpperCase(),
  ])('does not open with %j', (other) => {
    expect(openMasterKey(sealed, other)).toBeUndefined();
  });

  test('does not open if altered, and gives the same result as for a wrong passphrase', () => {
    expect(openMasterKey({ ...sealed, salt: altered(sealed.salt, 31) }, passphrase)).toBeUndefined();
    expect(openMasterKey({ ...sealed, nonce: altered(sealed.nonce, 0) }, passphrase)).toBeUndefined();
    expect(openMasterKey({ ...sealed, box: altered(sealed.box, 5) }, passphrase)).toBeUndefined();
    expect(openMasterKey({ ...sealed, p: 2 }, passphrase)).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ['box', sealed.box.slice(2)],
    ['box', ''],
    ['box', '00'.repeat(1 << 20)],
    ['salt', '00'.repeat(1 << 20)],
    ['salt', '00'.repeat(15)],
    ['nonce', '00'.repeat(12)],
    ['salt', 7],
    ['nonce', null],
  ])('is refused with a %s of the wrong size or type', (what, value) => {
    const refusal = refusalOf(() => openMasterKey({ ...sealed, [what]: value }, passphrase));
    expect(refusal).toMatchObject({ code: 'secret/size', data: { what } });
  });

  test('can be opened again after the opened copy was wiped', () => {
    const opened = openMasterKey(sealed, passphrase);
    opened?.fill(0);
    expect(opened).toEqual(new Uint8Array(32));
    expect(openMasterKey(sealed, passphrase)).toEqual(masterKey);
  });

  test('cannot be sealed with a key, salt or nonce of the wrong size, nor at too low a cost', () => {
    const good = { salt: bytes(16, 1), nonce: bytes(24, 2), cost };
    const make =
      (key: Uint8Array, given: Partial<typeof good>): (() => unknown) =>
      () =>
        sealMasterKey(key, passphrase, { ...good, ...given });
    expectRefusal(make(bytes(31, 0), {}), 'secret/size', { what: 'master key', size: 31, expected: 32 });
    expectRefusal(make(masterKey, { salt: bytes(15, 0) }), 'secret/size', { what: 'salt', size: 15, expected: 16 });
    expectRefusal(make(masterKey, { nonce: bytes(12, 0) }), 'secret/size', { what: 'nonce', size: 12, expected: 24 });
    expectRefusal(make(masterKey, { cost: { N: 2, r: 1, p: 1 } }), 'secret/cost', { N: 2, r: 1, p: 1 });
  });
});

describe('a secret', () => {
  const context = bytes(33, 2);
  const secret = bytes(32, 0x40);
  const box = sealSecret(masterKey, secret, { context, nonce: bytes(24, 9) });

  test('opens with its master key and context', () => {
    expect(openSecret(masterKey, JSON.parse(JSON.stringify(box)), context)).toEqual(secret);
    const nothing = sealSecret(masterKey, new Uint8Array(), { context, nonce: bytes(24, 10) });
    expect(openSecret(masterKey, nothing, context)).toEqual(new Uint8Array());
  });

  test('does not open with another key or context, nor if altered', () => {
    expect(openSecret(bytes(32, 0x81), box, context)).toBeUndefined();
    expect(openSecret(masterKey, box, bytes(33, 3))).toBeUndefined();
    expect(openSecret(masterKey, box, context.subarray(0, 32))).toBeUndefined();
    expect(openSecret(masterKey, { ...box, nonce: altered(box.nonce, 47) }, context)).toBeUndefined();
    expect(openSecret(masterKey, { ...box, box: altered(box.box, 0) }, context)).toBeUndefined();
  });

  test('does not open as a master key, nor a master key as a secret', () => {
    const asMaster = { ...sealed, nonce: box.nonce, box: box.box };
    expect(openMasterKey(asMaster, passphrase)).toBeUndefined();
    expect(openSecret(masterKey, { nonce: sealed.nonce, box: sealed.box }, new Uint8Array())).toBeUndefined();
  });

  test('does not appear in sealed data or error texts', () => {
    const shown = JSON.stringify([sealed, box]);
    const refused = [
      refusalOf(() => sealSecret(masterKey.subarray(1), secret, { context, nonce: bytes(24, 9) })),
      refusalOf(() => openSecret(masterKey, { nonce: box.nonce, box: 'zz' }, context)),
      refusalOf(() => openMasterKey({ ...sealed, N: 5 }, passphrase)),
    ].map((error) => `${error.message} ${JSON.stringify(error.data)}`);
    for (const text of [shown, ...refused]) {
      for (const hidden of [formatHex(masterKey), formatHex(secret), 'horse']) expect(text).not.toContain(hidden);
    }
  });
});

test('a passphrase differs from the same one with NULs at its end', () => {
  const sealedUnder = (text: string) =>
    sealMasterKey(masterKey, text, { salt: bytes(16, 1), nonce: bytes(24, 2), cost, scrypt: nodeScrypt });
  const passphrases = ['word', 'word\0', 'word\0\0', 'word\0\u0001'];
  for (const made of passphrases) {
    const openers = passphrases.filter((text) => openMasterKey(sealedUnder(made), text, nodeScrypt) !== undefined);
    expect(openers).toEqual([made]);
  }
});
