import { createHash } from 'node:crypto';
import { base58, bech32, bech32m } from '@scure/base';
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../src/core/errors.ts';
import {
  BtcError,
  formatAddress,
  formatHex,
  type Network,
  type NetworkName,
  networks,
  parseAddress,
  parseHex,
} from '../../support/library.ts';
import { expectRefusal } from '../../support/refusal.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => Uint8Array.from(createHash('sha256').update(bytes).digest());
/** Encodes any bytes in base58 with a valid checksum. */
const checked = (hex: string): string => {
  const payload = parseHex(hex);
  return base58.encode(Uint8Array.from([...payload, ...sha256(sha256(payload)).slice(0, 4)]));
};
/** Encodes any version and program as an address with a valid checksum. */
const segwit = (hrp: string, version: number, hex: string, code: typeof bech32 = bech32m): string =>
  code.encode(hrp, [version, ...bech32.toWords(parseHex(hex))], 200);

const HASH = '77bff20c60e522dfaa3350c39b030a5d004e839a';
const X_ONLY = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

describe('published addresses', () => {
  test.each<[string, NetworkName, string]>([
    ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'main', `76a914${HASH}88ac`],
    ['1111111111111111111114oLvT2', 'main', `76a914${'00'.repeat(20)}88ac`],
    ['bc1pfeessrawgf', 'main', '51024e73'],
    ['bcrt1pfeesnyr2tx', 'regtest', '51024e73'],
  ])('%s on %s is read and written', (address, name, script) => {
    expect(formatHex(parseAddress(address, networks[name]))).toBe(script);
    expect(formatAddress(parseHex(script), networks[name])).toBe(address);
  });
});

test('parseAddress ignores white space around base58, as Core does', () => {
  const bare = parseAddress('1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', networks.main);
  expect(parseAddress('\t 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2\n', networks.main)).toEqual(bare);
});

describe('parseAddress refuses', () => {
  const rows: readonly (readonly [string, string, ErrorCode, string])[] = [
    ['an empty text', '', 'base58/invalid', 'checksum'],
    ['a zero', '0BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'base58/invalid', 'character'],
    ['a space inside', '1BvBMSEYstWetq TFn5Au4m4GFg7xJaNVN2', 'base58/invalid', 'character'],
    ['a character beyond ASCII', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVNé', 'base58/invalid', 'character'],
    ['one character changed', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3', 'base58/invalid', 'checksum'],
    ['one character missing', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN', 'base58/invalid', 'checksum'],
    ['an additional leading 1', '11BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'base58/invalid', 'character'],
    ['only ones', '1'.repeat(25), 'base58/invalid', 'checksum'],
    ['a text longer than any address', '1'.repeat(100), 'base58/invalid', 'character'],
    ['a hash of 19 bytes', checked(`00${HASH.slice(2)}`), 'address/invalid', 'length'],
    ['a version byte alone', checked('00'), 'address/invalid', 'length'],
    ['an empty payload with its checksum', checked(''), 'address/invalid', 'length'],
    ['a private key', '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ', 'base58/invalid', 'character'],
    ["a longer prefix that begins with the network's", segwit('bc1x', 0, HASH, bech32), 'address/invalid', 'prefix'],
    ['a wrong bech32 checksum', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', 'bech32/invalid', 'encoding'],
    ['mixed case', 'bc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'bech32/invalid', 'encoding'],
    ['a prefix in another case', 'BC1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'bech32/invalid', 'encoding'],
    ['a prefix alone', 'bc1', 'bech32/invalid', 'encoding'],
    ['version 31', segwit('bc', 31, HASH), 'address/invalid', 'version'],
    ['a program of no bytes', segwit('bc', 1, ''), 'address/invalid', 'length'],
    ['version 0 of 40 bytes', segwit('bc', 0, '11'.repeat(40), bech32), 'address/invalid', 'length'],
    ['padding bits that are not zero', bech32m.encode('bc', [1, 1, 1, 1, 1]), 'address/invalid', 'padding'],
    ['more than 90 characters', segwit('bc', 1, '11'.repeat(60)), 'bech32/invalid', 'encoding'],
  ];
  test.each(rows)('%s', (_, text, code, reason) => {
    expectRefusal(() => parseAddress(text, networks.main), code, { reason });
  });

  test('very long texts', () => {
    for (const text of ['1'.repeat(1e6), `bc1${'q'.repeat(1e6)}`, 'z'.repeat(1e6), '\ud800'.repeat(1e5)]) {
      expect(() => parseAddress(text, networks.main)).toThrow(BtcError);
    }
  });
});

describe('scripts', () => {
  test.each([
    ['P2PK', `2102${X_ONLY}ac`],
    ['a bare multisig', `512102${X_ONLY}51ae`],
    ['data', '6a0142'],
    ['no opcodes', ''],
    ['a version 0 program of 16 bytes', `0010${HASH.slice(0, 32)}`],
    ['a program of 41 bytes', `5129${'11'.repeat(41)}`],
    ['an invalid opcode', 'ff'],
  ])('of %s have no address', (_, script) => {
    expect(formatAddress(parseHex(script), networks.main)).toBeUndefined();
  });

  test('with the longest witness program have an address on every network', () => {
    const script = parseHex(`6028${'11'.repeat(40)}`);
    for (const network of Object.values(networks)) {
      expect(parseAddress(formatAddress(script, network) ?? '', network)).toEqual(script);
    }
  });
});

describe('Litecoin', () => {
  test('writes P2SH addresses with its own version byte, and also reads the old one', () => {
    const script = parseHex(`a914${HASH}87`);
    const address = formatAddress(script, networks.litecoin) ?? '';
    expect(address.startsWith('M')).toBe(true);
    expect(parseAddress(address, networks.litecoin)).toEqual(script);
    expect(parseAddress(checked(`05${HASH}`), networks.litecoin)).toEqual(script);
    expectRefusal(() => parseAddress(address, networks.main), 'address/network', {
      found: 'litecoin',
      network: 'main',
    });
  });

  test('does the same on testnet and regtest', () => {
    const script = parseHex(`a914${HASH}87`);
    for (const name of ['litecoin-testnet', 'litecoin-regtest'] as const) {
      expect(formatAddress(script, networks[name])).toBe(checked(`3a${HASH}`));
      expect(parseAddress(checked(`c4${HASH}`), networks[name])).toEqual(script);
      expect(() => parseAddress(checked(`05${HASH}`), networks[name])).toThrow(BtcError);
    }
  });
});

describe('a custom network', () => {
  const own = (change: Partial<Network>): Network => ({ ...networks.main, name: 'own', ...change });

  test('uses its own version bytes and prefix', () => {
    const network = own({ pubKeyHash: 30, scriptHash: 22, scriptHashAccepted: [7, 9], hrp: 'doge' });
    const scripts = [`76a914${HASH}88ac`, `a914${HASH}87`, `0014${HASH}`, `5120${X_ONLY}`].map(parseHex);
    for (const script of scripts) expect(parseAddress(formatAddress(script, network) ?? '', network)).toEqual(script);
    for (const version of ['07', '09']) {
      expect(formatHex(parseAddress(checked(version + HASH), network))).toBe(`a914${HASH}87`);
    }
    expectRefusal(() => parseAddress(checked(`05${HASH}`), network), 'address/network', {
      found: 'main or litecoin',
      network: 'own',
    });
  });

  test('reads P2PKH if P2PKH and P2SH share a version byte', () => {
    const network = own({ pubKeyHash: 5 });
    expect(formatHex(parseAddress(checked(`05${HASH}`), network))).toBe(`76a914${HASH}88ac`);
  });

  test.each(['x', '1', 'a1b', 'abc1', '~', 'bcbc'])('may have the prefix %s', (hrp) => {
    const script = parseHex(`0014${HASH}`);
    const address = formatAddress(script, own({ hrp })) ?? '';
    expect(address.startsWith(`${hrp}1q`)).toBe(true);
    expect(parseAddress(address, own({ hrp }))).toEqual(script);
  });

  test('is refused if its prefix leaves no room for the program', () => {
    expect(() => formatAddress(parseHex(`0020${X_ONLY}`), own({ hrp: 'a'.repeat(40) }))).toThrow(
      expect.objectContaining({ code: 'network/invalid', data: expect.objectContaining({ member: 'hrp' }) }),
    );
  });
});
