import { expect } from 'vitest';
import { POLICY_DEFAULTS, type PolicyAction, type PolicyCheck, type Psbt, signPsbt } from './library.ts';
import { findingsOf, reviewOptions, type SignerFacts, verdictsOf, type WordedFinding } from './psbts.ts';
import { refusalOf } from './refusal.ts';

/**
 * Expects a check to find something with its default action, or the one that the facts call for; the signer to refuse and
 * name the check if the action is refuse, and to sign if it is warn; and the policy to override the action by the check's
 * name.
 */
export function expectFinding(
  psbt: Psbt,
  check: PolicyCheck,
  facts: SignerFacts = {},
  action: PolicyAction = POLICY_DEFAULTS[check],
): WordedFinding {
  const found = findingsOf(psbt, facts).find((finding) => finding.check === check);
  expect(found, `${check} is found among ${verdictsOf(psbt, facts).join(', ')}`).toMatchObject({ check, action });
  const checksRefused = (other?: PolicyAction): string => {
    const policy = { ...facts.policy, ...(other && { [check]: other }) };
    const options = reviewOptions({ ...facts, policy });
    if (!findingsOf(psbt, { ...facts, policy }).some((finding) => finding.action === 'refuse')) {
      signPsbt(psbt, () => undefined, options);
      return '';
    }
    const refusal = refusalOf(() => signPsbt(psbt, () => undefined, options));
    expect(refusal.code).toBe('policy/refused');
    return (refusal.data as { checks: string }).checks;
  };
  const named = (checks: string): boolean => checks.split(', ').includes(check);
  expect(named(checksRefused())).toBe(action === 'refuse');
  expect(named(checksRefused('warn'))).toBe(false);
  expect(named(checksRefused('refuse'))).toBe(true);
  expect(findingsOf(psbt, { ...facts, policy: { [check]: 'warn' } })).toContainEqual({ ...found, action: 'warn' });
  expect(findingsOf(psbt, { ...facts, policy: { [check]: 'allow' } }).map((other) => other.check)).not.toContain(check);
  return found as WordedFinding;
}
