import { assertShape, isObject } from '../bytes/knownOptions.ts';
import type { PsbtReview } from '../review/reviewPsbt.ts';

/** Refuses what is not a review, such as the PSBT itself. @throws `argument/invalid` */
export function assertReview(review: Pick<PsbtReview, 'outputs'>): void {
  const isShaped = isObject(review) && Array.isArray(review.outputs) && review.outputs.every(isObject);
  assertShape('review', isShaped, 'a review, as reviewPsbt returns it');
}
