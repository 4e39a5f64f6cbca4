import { expect } from 'vitest';
import {
  type Finding,
  POLICY_DEFAULTS,
  type PolicyAction,
  type PolicyCheck,
  type Psbt,
  type ReviewOptions,
  signPsbt,
} from './library.ts';
import { findingsOf, verdictsOf } from './psbts.ts';
import { refusalOf } from './refusal.ts';

/**
 * Expects a check to find something with its default action; the signer to refuse and name the check if the action is
 * refuse, and to sign if it is warn; and the policy to override the action by the check's name.
 */
export function expectFinding(psbt: Psbt, check: PolicyCheck, options: Partial<ReviewOptions> = {}): Finding {
  const action = POLICY_DEFAULTS[check];
  const found = findingsOf(psbt, options).find((finding) => finding.check === check);
  expect(found, `${check} is found among ${verdictsOf(psbt, options).join(', ')}`).toMatchObject({ check, action });
  const checksRefused = (other?: PolicyAction): string => {
    const policy = { ...options.policy, ...(other && { [check]: other }) };
    const refusing = findingsOf(psbt, { ...options, policy }).some((finding) => finding.action === 'refuse');
    if (!refusing) {
      signPsbt(psbt, () => undefined, { ...options, policy });
      return '';
    }
    const refusal = refusalOf(() => signPsbt(psbt, () => undefined, { ...options, policy }));
    expect(refusal.code).toBe('policy/refused');
    return (refusal.data as { checks: string }).checks;
  };
  const named = (checks: string): boolean => checks.split(', ').includes(check);
  expect(named(checksRefused())).toBe(action === 'refuse');
  expect(named(checksRefused('warn'))).toBe(false);
  expect(named(checksRefused('refuse'))).toBe(true);
  expect(findingsOf(psbt, { ...options, policy: { [check]: 'warn' } })).toContainEqual({ ...found, action: 'warn' });
  expect(findingsOf(psbt, { ...options, policy: { [check]: 'allow' } }).map((other) => other.check)).not.toContain(
    check,
  );
  return found as Finding;
}
