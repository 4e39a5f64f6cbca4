import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ask } from '../../support/askRpc.ts';
import { formatAddress, networks, validateAddress } from '../../support/library.ts';

const programs = fc.oneof(
  fc.tuple(fc.constant(0), fc.constantFrom(20, 32)),
  fc.tuple(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 2, max: 40 })),
);

const scripts = programs.chain(([version, size]) =>
  fc
    .uint8Array({ minLength: size, maxLength: size })
    .map((program) => Uint8Array.of(version === 0 ? 0 : 0x50 + version, size, ...program)),
);

const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

describe('validateaddress of core-32', () => {
  test('finds one or two wrong characters of a segwit address', () => {
    fc.assert(
      fc.property(
        scripts,
        fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 2 }),
        fc.integer({ min: 1, max: 31 }),
        (script, places, shift) => {
          const address = formatAddress(script, networks.main) ?? '';
          const wrong = [...new Set(places.map((place) => 3 + (place % (address.length - 3))))].sort((a, b) => a - b);
          const text = [...address]
            .map((letter, at) =>
              wrong.includes(at) ? CHARSET.charAt((CHARSET.indexOf(letter) + shift) % CHARSET.length) : letter,
            )
            .join('');
          const answer = validateAddress([text], { dialect: 'core-32' });
          // The other checksum may hold after fewer changes, which is rare.
          if (answer.error_locations?.length !== wrong.length) return;
          expect(answer).toMatchObject({ isvalid: false, error_locations: wrong });
        },
      ),
    );
  });

  test('counts bytes, and lists every one beyond the 90th', () => {
    const at = (text: string): unknown => validateAddress([text], { dialect: 'core-32' }).error_locations;
    expect(at('bc1é')).toEqual([3, 4]);
    expect(at(`bc1${'q'.repeat(90)}`)).toEqual([90, 91, 92]);
    expect(at('bc1Qq')).toEqual([3]);
    expect(at('BC1Qq')).toEqual([4]);
    expect(at('bc1b')).toEqual([2]);
    expect(at(`bc1b${'q'.repeat(8)}`)).toEqual([3]);
    expect(at('bc')).toEqual([]);
  });

  test('tells a payload that is too long for an address from one of another kind', () => {
    expect(validateAddress(['kLU5zuzzMVJLv2bQchE8DEeyqD2xMQ64Nib'], { dialect: 'core-32' }).error).toBe(
      'Invalid checksum or length of Base58 address (P2PKH or P2SH)',
    );
  });
});

test('an address of the extension block is one in the dialect of Litecoin only, and pays to an empty script', () => {
  const address =
    'tmweb1qqt972tzuqpphc9arlyw73kvfdj3c23y0henxxu630yvu7uuy39c9kq59auk487uywl6zphaay0zdg7ux4l2eerfmxk6657kdn6vxp3atzqudrp0c';
  const litecoin = { dialect: 'litecoin-0.21', network: 'litecoin-regtest' } as const;
  expect(ask('validateaddress', [address], litecoin)).toMatchObject({ isvalid: true, scriptPubKey: '', ismweb: true });
  expect(ask('validateaddress', [address], { ...litecoin, dialect: 'core-32' })).toMatchObject({ isvalid: false });
  expect(ask('validateaddress', ['tmweb1gdjlls'], litecoin)).toEqual({ isvalid: false });
  const tx = ask('createrawtransaction', [[], { [address]: 1 }], litecoin);
  expect(tx).toBe('02000000000100e1f5050000000000' + '00000000');
  expect(ask('createrawtransaction', [[], [{ [address]: 1 }, { [address.toUpperCase()]: 1 }]], litecoin)).toMatch(
    /^-8 Invalid parameter, duplicated address: /,
  );
});
