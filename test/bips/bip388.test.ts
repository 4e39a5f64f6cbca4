import { describe, expect, test } from 'vitest';
import { POLICY_KEYS, VALID_TEMPLATES } from '../support/policies.ts';
import { reasonOf } from '../support/walletFileReasons.ts';
import { descriptorsOf } from '../support/walletFiles.ts';

const policy = (template: string, keys: readonly string[]): string =>
  JSON.stringify({ name: 'test', description_template: template, keys_info: keys });

describe('BIP388', () => {
  test.each(VALID_TEMPLATES)('%s', (template, count) => {
    const keys = POLICY_KEYS.slice(0, count);
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
      `sh(multi(1,@0/**,${POLICY_KEYS[1]?.slice(25)}/<0;1>/*))`,
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
    const [format, ...refusal] = reasonOf(policy(template, POLICY_KEYS.slice(0, count))).split(': ');
    expect(format).toBe('BIP388 wallet policy');
    expect(refusal.join(': ')).toMatch(reason);
  });

  test('refuses lists without keys or with the same key twice, and a template that grows too large', () => {
    const [key = ''] = POLICY_KEYS;
    expect(reasonOf(policy('pkh(@0/**)', []))).toMatch(/it has no list of keys/);
    expect(reasonOf(policy('pkh(@0/**)', [`${key}/0`]))).toMatch(/key @0 is not an extended key with its origin$/);
    expect(reasonOf(policy('wsh(multi(1,@0/**,@1/**))', [key, key]))).toMatch(/key @1 is listed twice$/);
    expect(reasonOf(JSON.stringify({ name: 'x', keys_info: [key] }))).toMatch(/it has no descriptor template/);
    const many = Array.from({ length: 9000 }, (_, i) => `@0/<${2 * i};${2 * i + 1}>/*`);
    expect(reasonOf(policy(`wsh(multi(1,${many}))`, [key]))).toMatch(/its template repeats its keys too often$/);
  });
});
