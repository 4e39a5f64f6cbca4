import { describe, expect, test } from 'vitest';
import { reasonOf } from '../support/walletFileReasons.ts';
import { descriptorsOf } from '../support/walletFiles.ts';

const KEYS = [
  "[6738736c/48'/0'/0'/100']xpub6FC1fXFP1GXQpyRFfSE1vzzySqs3Vg63bzimYLeqtNUYbzA87kMNTcuy9ubr7MmavGRjW2FRYHP4WGKjwutbf1ghgkUW9H7e3ceaPLRcVwa",
  "[b2b1f0cf/44'/0'/0'/100']xpub6EYajCJHe2CK53RLVXrN14uWoEttZgrRSaRztujsXg7yRhGtHmLBt9ot9Pd5ugfwWEu6eWyJYKSshyvZFKDXiNbBcoK42KRZbxwjRQpm5Js",
  "[a666a867/44'/0'/0'/100']xpub6Dgsze3ujLi1EiHoCtHFMS9VLS1UheVqxrHGfP7sBJ2DBfChEUHV4MDwmxAXR2ayeytpwm3zJEU3H3pjCR6q6U5sP2p2qzAD71x9z5QShK2",
  "[bb641298/44'/0'/0'/100']xpub6Dz8PHFmXkYkykQ83ySkruky567XtJb9N69uXScJZqweYiQn6FyieajdiyjCvWzRZ2GoLHMRE1cwDfuJZ6461YvNRGVBJNnLA35cZrQKSRJ",
];

const policy = (template: string, keys: readonly string[]): string =>
  JSON.stringify({ name: 'test', description_template: template, keys_info: keys });

/** The templates of BIP388's "Valid policies", with the number of their keys, whose descriptors follow by its rules. */
const VALID: readonly (readonly [template: string, keys: number])[] = [
  ['pkh(@0/**)', 1],
  ['sh(wpkh(@0/**))', 1],
  ['wpkh(@0/**)', 1],
  ['tr(@0/**)', 1],
  ['wsh(sortedmulti(2,@0/**,@1/**))', 2],
  ['wsh(thresh(3,pk(@0/**),s:pk(@1/**),s:pk(@2/**),sln:older(12960)))', 3],
  ['wsh(or_d(pk(@0/**),and_v(v:multi(2,@1/**,@2/**,@3/**),older(65535))))', 4],
  ['tr(@0/**,{sortedmulti_a(1,@0/<2;3>/*,@1/**),or_b(pk(@2/**),s:pk(@3/**))})', 4],
  [
    'tr(musig(@0,@1,@2)/**,{and_v(v:pk(musig(@0,@1)/**),older(12960)),{and_v(v:pk(musig(@0,@2)/**),older(12960)),and_v(v:pk(musig(@1,@2)/**),older(12960))}})',
    3,
  ],
];

describe('BIP388', () => {
  test.each(VALID)('%s', (template, count) => {
    const keys = KEYS.slice(0, count);
    const expected = template.replaceAll('/**', '/<0;1>/*').replace(/@(\d)/g, (_, index) => keys[Number(index)] ?? '');
    const [descriptor, ...others] = descriptorsOf(policy(template, keys));
    expect(others).toEqual([]);
    // Fixed keys of `musig()` have no hardened steps of their own, and print the usual mark.
    expect(descriptor?.replace(/#.*/, '').replaceAll("'", 'h')).toBe(expected.replaceAll("'", 'h'));
  });

  // "Invalid policies".
  test.each([
    ['pkh(@0)', 1, 'its placeholder @0 has no path such as /** or /<0;1>/*'],
    ['pkh(@0/0/**)', 1, 'its placeholder @0 has no path such as /** or /<0;1>/*'],
    ['sh(multi(1,@1/**,@0/**))', 2, 'its template uses @1 before @0'],
    ['sh(multi(1,@0/**,@2/**))', 3, 'its template uses @2 before @1'],
    ['sh(multi(1,@0/**,@0/**))', 1, 'its template uses @0 twice with the same path'],
    ['sh(multi(1,@0/<0;1>/*,@0/<1;2>/*))', 1, 'its template uses @0 twice with the same path'],
    [
      `sh(multi(1,@0/**,${KEYS[1]?.slice(25)}/<0;1>/*))`,
      1,
      'its template has a key in place of a placeholder such as @0',
    ],
    ['pkh(@0/<0;1;2>/*)', 1, 'its placeholder @0 has no path such as /** or /<0;1>/*'],
    ['tr(musig(@0/**,@1/**))', 2, 'its musig() has more than placeholders such as @0; the path must follow it'],
    ['pkh(@1/**)', 1, 'its template uses @1, but it lists 1 keys'],
    ['pkh(@00/**)', 1, '@00 begins with a zero'],
    ['pkh(@0/**)', 2, 'its template does not use @1'],
    ['pkh(@/**)', 1, 'its template has an @ without a key number'],
    ['pkh(@0/**', 1, /^its descriptor template: /],
  ])('refuses %s', (template, count, reason) => {
    const [format, ...refusal] = reasonOf(policy(template, KEYS.slice(0, count))).split(': ');
    expect(format).toBe('BIP388 wallet policy');
    expect(refusal.join(': ')).toMatch(reason);
  });

  test('refuses lists without keys or with the same key twice, and a template that grows too large', () => {
    const [key = ''] = KEYS;
    expect(reasonOf(policy('pkh(@0/**)', []))).toMatch(/it has no list of keys/);
    expect(reasonOf(policy('pkh(@0/**)', [`${key}/0`]))).toMatch(/key @0 is not an extended key with its origin$/);
    expect(reasonOf(policy('wsh(multi(1,@0/**,@1/**))', [key, key]))).toMatch(/key @1 is listed twice$/);
    expect(reasonOf(JSON.stringify({ name: 'x', keys_info: [key] }))).toMatch(/it has no descriptor template/);
    const many = Array.from({ length: 9000 }, (_, i) => `@0/<${2 * i};${2 * i + 1}>/*`);
    expect(reasonOf(policy(`wsh(multi(1,${many}))`, [key]))).toMatch(/its template repeats its keys too often$/);
  });
});
