import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/core/errors.ts';
import { formatAddress, formatHex, type NetworkName, networks, parseAddress, parseHex } from '../support/library.ts';
import { expectRefusal } from '../support/refusal.ts';

const X_ONLY = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

describe("BIP350's valid addresses, which include BIP173's of version 0", () => {
  test.each<[string, NetworkName, string]>([
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'main', '0014751e76e8199196d454941c45d1b3a323f1433bd6'],
    [
      'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
      'testnet3',
      '00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
    ],
    ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', 'main', `5120${X_ONLY}`],
    ['bc1sw50qgdz25j', 'main', '6002751e'],
    ['bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', 'main', '5210751e76e8199196d454941c45d1b3a323'],
  ])('%s on %s is read and written', (address, name, script) => {
    expect(formatHex(parseAddress(address, networks[name]))).toBe(script);
    expect(formatAddress(parseHex(script), networks[name])).toBe(address);
    expect(formatHex(parseAddress(address.toUpperCase(), networks[name]))).toBe(script);
  });
});

describe("BIP350's invalid addresses are refused", () => {
  test.each<[string, string, ErrorCode, string]>([
    [
      'bech32 for version 1',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
      'address/invalid',
      'checksum',
    ],
    [
      'bech32 for version 16',
      'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL',
      'address/invalid',
      'checksum',
    ],
    ['bech32m for version 0', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', 'address/invalid', 'checksum'],
    [
      'a bad bech32 character',
      'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4',
      'bech32/invalid',
      'encoding',
    ],
    ['version 17', 'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R', 'address/invalid', 'version'],
    ['no version', 'bc1gmk9yu', 'address/invalid', 'version'],
    ['a program of 1 byte', 'bc1pw5dgrnzv', 'address/invalid', 'length'],
    [
      'a program of 41 bytes',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
      'address/invalid',
      'length',
    ],
    ['version 0 of 16 bytes', 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P', 'address/invalid', 'length'],
    [
      'too many padding bits',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf',
      'address/invalid',
      'padding',
    ],
  ])('%s', (_, text, code, reason) => {
    expectRefusal(() => parseAddress(text, networks.main), code, { reason });
  });
});
