import { describe, expect, test } from 'vitest';
import {
  formatAddress,
  formatDescriptor,
  formatHex,
  hash160,
  inferDescriptor,
  networks,
  parseHex,
  sha256,
} from '../../support/library.ts';

const X_ONLY = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

describe('descriptors inferred from a scriptPubKey alone', () => {
  const LONG = `04${X_ONLY}483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8`;
  const HYBRID = LONG.replace('04', '06');
  const OFF_CURVE = `02${'00'.repeat(31)}05`;
  const infer = (hex: string): string | undefined => {
    return formatDescriptor(inferDescriptor(parseHex(hex)), networks.main).split('#')[0];
  };

  test.each([
    [`21${OFF_CURVE}ac`, `pk(${OFF_CURVE})`],
    [`41${LONG}ac`, `pk(${LONG})`],
    [`41${HYBRID}ac`, `raw(41${HYBRID}ac)`],
    [`5121${OFF_CURVE}41${LONG}52ae`, `multi(1,${OFF_CURVE},${LONG})`],
    [`5141${HYBRID}21${OFF_CURVE}52ae`, `raw(5141${HYBRID}21${OFF_CURVE}52ae)`],
    [`5120${X_ONLY}`, `rawtr(${X_ONLY})`],
    ['51024e73', 'addr(bc1pfeessrawgf)'],
    ['6a', 'raw(6a)'],
    ['', 'raw()'],
    ['0002abcd', 'raw(0002abcd)'],
  ])('%s is inferred as %s', (script, body) => {
    expect(infer(script)).toBe(body);
  });

  test('a witness script that pays to the hash of an uncompressed key is inferred as addr()', () => {
    const witnessScript = parseHex(`76a914${formatHex(hash160(parseHex(LONG)))}88ac`);
    const script = parseHex(`0020${formatHex(sha256(witnessScript))}`);
    const infer = (publicKey: string) =>
      inferDescriptor(script, { script: () => witnessScript, publicKey: () => parseHex(publicKey) }).kind;
    expect(infer(LONG)).toBe('addr');
    expect(infer(`02${X_ONLY}`)).toBe('wsh');
  });

  test('a taproot program that is not an x-only key is inferred as addr()', () => {
    const script = `5120${OFF_CURVE.slice(2)}`;
    expect(infer(script)).toBe(`addr(${formatAddress(parseHex(script), networks.main)})`);
  });
});
