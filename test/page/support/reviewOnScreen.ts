import type { Locator, Page } from 'playwright-core';
import { checkTexts, texts } from '../../../src/page/texts.ts';
import { type PsbtReview, reviewToJson } from '../../support/library.ts';

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
export async function reviewOnScreen(page: Page): Promise<ReviewFacts> {
  const fee = page.locator('.sums > div').nth(1);
  const lists = page.locator('ul.money-list');
  return {
    fee: satoshiOf(await fee.locator('.sats').innerText()),
    feeTrust: await fee.locator('strong').innerText(),
    outputs: await itemsOf(lists.nth(0)),
    inputs: await itemsOf(lists.nth(1)),
    findings: (await page.locator('article.finding h3').allInnerTexts()).map((text) => text.trim()).sort(byText),
  };
}

const satoshiOf = (text: string): string => text.replace(/\D/g, '');

/** Reads a list of coins: `Output 0, Payment, 60000, bc1q…`. */
async function itemsOf(list: Locator): Promise<readonly string[]> {
  const items = await list.locator('li.money').all();
  const rows = items.map(async (item) => {
    const [number = ''] = await item.locator('.money-head .help').allInnerTexts();
    const [badge = ''] = await item.locator('.badge').allInnerTexts();
    const [address = ''] = await item.locator('code.grouped').allTextContents();
    return [number, badge, satoshiOf(await item.locator('.sats').innerText()), address].join(', ');
  });
  return (await Promise.all(rows)).sort(byText);
}

/** States what the library's review says in the same form. */
export function factsOf(review: PsbtReview): ReviewFacts {
  const { inputs, outputs, fee = '', feeTrust, findings } = reviewToJson(review);
  const { review: words } = texts;
  const titles = findings.map(
    ({ check, action }) => `${action === 'refuse' ? words.refuse : words.warn} ${checkTexts[check].title}`,
  );
  return {
    fee,
    feeTrust: words.trust[feeTrust],
    outputs: outputs
      .map(({ outputIndex, value, address = '', verifiedChange }) =>
        [words.output(outputIndex), verifiedChange ? words.change : words.payment, value, address].join(', '),
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
