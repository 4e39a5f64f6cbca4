import type { Page } from 'playwright-core';
import { seedWords } from '../../../../examples/fixtures.ts';
import { texts } from '../../../../src/shell/page/texts.ts';
import { encodePsbt } from '../../../support/library.ts';
import { paymentOf } from '../../../support/pageSessions.ts';
import { button, chooseFile, goTo, sign, title, typeKeys } from './actions.ts';
import { account, keys, refusedPayment } from './payments.ts';

/** The views at which a walk stops. */
export type Stop =
  | 'open'
  | 'open-busy'
  | 'keys'
  | 'keys-words'
  | 'keys-added'
  | 'review'
  | 'review-refused'
  | 'address'
  | 'result'
  | 'result-partial'
  | 'addresses'
  | 'addresses-code'
  | 'inspect'
  | 'about';

const close = (page: Page): Promise<void> => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

/** Uses the page from the first step to the last, and calls `visit` at each view. */
export async function walk(page: Page, visit: (stop: Stop) => Promise<void>): Promise<void> {
  await visit('open');
  await goTo(page, 'about');
  await page.locator('code.grouped').waitFor();
  await visit('about');
  await goTo(page, 'open');
  await walkToSigning(page, visit);
  await walkTools(page, visit);
  await button(page, texts.open.closeDocument).click();
  await chooseFile(page, encodePsbt(refusedPayment()));
  await title(page, texts.review.title);
  await visit('review-refused');
}

async function walkToSigning(page: Page, visit: (stop: Stop) => Promise<void>): Promise<void> {
  await chooseFile(page, encodePsbt(paymentOf(account, 2, 3)));
  await title(page, texts.keys.title);
  await visit('keys');
  const words = page.getByRole('textbox', { name: texts.keys.words, exact: true });
  await words.fill(`${seedWords.replace(/about$/, '')}zo`);
  await page.getByRole('group', { name: texts.keys.completions }).waitFor();
  await visit('keys-words');
  await words.fill('');
  await typeKeys(page, keys);
  await visit('keys-added');
  await button(page, texts.keys.next).click();
  await title(page, texts.review.title);
  await visit('review');
  await page
    .getByRole('button', { name: new RegExp(`^${texts.review.compare}: `) })
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
  await visit('address');
  await close(page);
  await goTo(page, 'result');
  await title(page, texts.result.partialNone);
  await visit('result-partial');
  await goTo(page, 'review');
  await sign(page);
  await page.getByRole('img', { name: /QR/ }).waitFor();
  await visit('result');
}

async function walkTools(page: Page, visit: (stop: Stop) => Promise<void>): Promise<void> {
  await goTo(page, 'addresses');
  await page.getByRole('button', { name: texts.addresses.qr(0) }).waitFor();
  await visit('addresses');
  await page.getByRole('button', { name: texts.addresses.qr(0) }).click();
  await page.getByRole('dialog').getByRole('img').waitFor();
  await visit('addresses-code');
  await close(page);
  await goTo(page, 'inspect');
  await button(page, texts.inspect.verify).click();
  await page.getByText(texts.inspect.valid).waitFor();
  await button(page, texts.inspect.json).click();
  await page.getByRole('textbox', { name: texts.inspect.jsonLabel }).waitFor();
  await visit('inspect');
  await goTo(page, 'open');
  await title(page, texts.open.title);
  await visit('open-busy');
}
