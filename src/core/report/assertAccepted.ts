import { assertShape, isObject } from '../bytes/knownOptions.ts';
import { BtcError, shortened } from '../errors.ts';
import { refusalsIn } from '../review/policy.ts';
import type { PsbtReview } from '../review/reviewPsbt.ts';
import { findingText, worstFirst } from './findingText.ts';

/**
 * Throws if the policy refuses any finding of a review. The message says the worst one.
 * @throws `policy/refused` with the checks and findings
 */
export function assertAccepted(review: Pick<PsbtReview, 'findings' | 'network'>): void {
  assertShape('review', isObject(review) && Array.isArray(review.findings), 'a review, as reviewPsbt returns it');
  const refused = worstFirst(refusalsIn(review.findings));
  if (refused.length === 0) return;
  const checks = [...new Set(refused.map(({ check }) => check))].join(', ');
  const [first = '', ...more] = refused.map((finding) => findingText(finding, review.network));
  const others = more.length > 0 ? `, and ${more.length} more` : '';
  const message = `The review refuses the PSBT (${checks}): ${first.replace(/\.$/, '')}${others}`;
  throw new BtcError('policy/refused', { checks, findings: [first, ...more].join('; ') }, shortened(message));
}
