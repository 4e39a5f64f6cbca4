import { describe, expect, test } from 'vitest';
import { ask, callText } from '../../support/askRpc.ts';
import { createMultisig, formatHex, nobleEcc } from '../../support/library.ts';

const keyOf = (n: number, isCompressed = true): Uint8Array =>
  nobleEcc.publicKey(new Uint8Array(32).fill(n), isCompressed);
const KEYS = Array.from({ length: 21 }, (_, i) => formatHex(keyOf(i + 1)));
const LONG = formatHex(keyOf(1, false));

describe('createmultisig', () => {
  test('takes 20 keys in a witness script, but only as many as fit 520 bytes in P2SH', () => {
    const twenty = KEYS.slice(0, 20);
    expect(createMultisig([20, twenty, 'bech32']).descriptor).toMatch(/^wsh\(multi\(20,/);
    const fifteen = createMultisig([15, KEYS.slice(0, 15)]);
    expect(fifteen.redeemScript).toHaveLength(2 * 513);
    for (const dialect of ['core-32', 'core-0.21'] as const) {
      expect(callText(dialect, 'createmultisig', [1, KEYS.slice(0, 16)])).toBe(
        '-8 redeemScript exceeds size limit: 547 > 520',
      );
    }
    expect(callText('core-0.21', 'createmultisig', [1, KEYS.slice(0, 16), 'bech32'])).toBe(
      '-8 redeemScript exceeds size limit: 547 > 520',
    );
    expect(callText('core-32', 'createmultisig', [1, KEYS])).toBe(
      '-8 Number of keys involved in the multisignature address creation > 20\nReduce the number',
    );
  });

  test('warns that an uncompressed key needs P2SH, unless that was asked for', () => {
    const segwit = createMultisig([1, [LONG], 'bech32'], { dialect: 'core-32' });
    const legacy = createMultisig([1, [LONG], 'legacy'], { dialect: 'core-32' });
    expect(segwit.warnings).toHaveLength(1);
    expect(legacy).toEqual({ ...segwit, warnings: undefined });
    const { warnings: _, ...unwarned } = segwit;
    expect(ask('createmultisig', [1, [LONG], 'bech32'], { dialect: 'core-0.21', network: 'main' })).toEqual(unwarned);
  });

  test('knows the MWEB address type on Litecoin only', () => {
    const fault = (dialect: 'core-0.21' | 'litecoin-0.21'): unknown =>
      callText(dialect, 'createmultisig', [1, KEYS.slice(0, 1), 'mweb']);
    expect(fault('litecoin-0.21')).toBe('-5 MWEB address type not supported for multi-sig');
    expect(fault('core-0.21')).toBe("-5 Unknown address type 'mweb'");
  });

  test('never repeats what may be a private key', () => {
    const secret = 'e3d4817477edf75b343708038c6cf300f43ea2a22973c227a47378a9a60e7883';
    for (const dialect of ['core-32', 'core-0.21'] as const) {
      for (const params of [
        [1, [secret]],
        [1, KEYS.slice(0, 1), secret],
      ]) {
        expect(callText(dialect, 'createmultisig', params)).not.toContain(secret.slice(0, 20));
      }
    }
  });
});
