import type { Page } from 'playwright-core';
import { texts } from '../../../../src/shell/page/texts.ts';
import { ENGLISH, type PsbtReview, reviewToJson } from '../../../support/library.ts';
import { type ReviewTexts, readReviewTexts } from './inPage.ts';

/** What a review says, as far as a page or the library states it. Amounts in satoshi. */
interface ReviewFacts {
  readonly fee: string;
  readonly feeTrust: string;
  readonly outputs: readonly string[];
  readonly inputs: readonly string[];
  /** The titles of the findings; those that refuse first. */
  readonly findings: readonly string[];
}

const byText = (a: string, b: string): number => a.localeCompare(b);

/** Reads the review that the page shows. */
export const reviewOnScreen = async (page: Page): Promise<ReviewFacts> =>
  factsOfTexts(await page.evaluate(readReviewTexts));

/** States a review on the screen by its texts. */
export function factsOfTexts({ fee, feeTrust, lists, findings }: ReviewTexts): ReviewFacts {
  const items = (list: ReviewTexts['lists'][number] = []): readonly string[] =>
    list
      .map(([number, badge, sats = '', address]) => [number, badge, satoshiOf(sats), address].join(', '))
      .sort(byText);
  const [outputs, inputs] = lists;
  return {
    fee: satoshiOf(fee),
    feeTrust,
    outputs: items(outputs),
    inputs: items(inputs),
    findings: [...findings].sort(byText),
  };
}

const satoshiOf = (text: string): string => text.replace(/\D/g, '');

/** States what the library's review says in the same form. */
export function factsOf(review: PsbtReview): ReviewFacts {
  const { inputs, outputs, fee = '', feeTrust, findings } = reviewToJson(review);
  const { review: words } = texts;
  const titles = findings.map(
    ({ check, action }) => `${action === 'refuse' ? words.refuse : words.warn} ${ENGLISH.checks[check].title}`,
  );
  return {
    fee,
    feeTrust: words.trust[feeTrust],
    outputs: outputs
      .map(({ outputIndex, value, address = '', role }) =>
        [words.output(outputIndex), ENGLISH.kinds[role], value, address].join(', '),
      )
      .sort(byText),
    inputs: inputs
      .map(({ inputIndex, value = '', address = '', amountTrust }) =>
        [words.input(inputIndex), words.trust[amountTrust], value, address].join(', '),
      )
      .sort(byText),
    findings: [...new Set(titles)].sort(byText),
  };
}
