import { findingText, type PsbtReview } from './library.ts';

/** The sentences of all findings of a review. */
export const textsOf = ({ findings, network }: PsbtReview): readonly string[] =>
  findings.map((finding) => findingText(finding, network));
