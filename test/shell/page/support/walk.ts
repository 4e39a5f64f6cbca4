import type { Page } from 'playwright-core';
import { seedWords } from '../../../../examples/fixtures.ts';
import { texts } from '../../../../src/shell/page/texts.ts';
import { keyAt } from '../../../support/holderPsbts.ts';
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
  | 'addresses-sought'
  | 'messages'
  | 'messages-signed'
  | 'quorum'
  | 'quorum-made'
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
  await goTo(page, 'quorum');
  await makeQuorum(page, visit);
}

const STRANGER_ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

async function walkMessages(page: Page, visit: (stop: Stop) => Promise<void>): Promise<void> {
  const signing = page.getByRole('region', { name: texts.messages.sign });
  await signing.getByLabel(texts.messages.address, { exact: true }).fill(account.receive(0).address);
  await signing.getByLabel(texts.messages.message, { exact: true }).fill('I agree to\u202e all \nof it.');
  await button(signing, texts.messages.show).click();
  await button(signing, texts.messages.signButton).waitFor();
  await visit('messages');
  await button(signing, texts.messages.signButton).click();
  await signing.getByText(texts.result.text).click();
  const field = signing.getByRole('textbox', { name: texts.result.textLabel });
  const block = await field.inputValue();
  const verifying = page.getByRole('region', { name: texts.messages.verify });
  await verifying.getByLabel(texts.messages.block, { exact: true }).fill(block);
  await button(verifying, texts.messages.verifyButton).click();
  await verifying.getByText(texts.messages.verdicts.valid).waitFor();
  await visit('messages-signed');
}

/** Makes a wallet of the keys at hand and of others. */
async function makeQuorum(page: Page, visit: (stop: Stop) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: /^Add my key/ }).click();
  for (const [i, name] of (['bob', 'mallory'] as const).entries()) {
    await page.getByLabel(texts.quorum.key, { exact: true }).fill(keyAt(name, 'm/48h/0h/0h/2h'));
    await button(page, texts.quorum.addKey).click();
    await button(page, texts.quorum.remove(i + 2)).waitFor();
  }
  await visit('quorum');
  await button(page, texts.quorum.make).click();
  await button(page, texts.quorum.register).waitFor();
  await page.getByRole('img', { name: /QR/ }).waitFor();
  await visit('quorum-made');
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
  await page.getByRole('textbox', { name: texts.addresses.findLabel, exact: true }).fill(STRANGER_ADDRESS);
  await button(page, texts.addresses.findButton).click();
  await button(page, texts.addresses.further(2000)).waitFor();
  await visit('addresses-sought');
  await goTo(page, 'messages');
  await walkMessages(page, visit);
  await goTo(page, 'inspect');
  await button(page, texts.inspect.verify).click();
  await page.getByText(texts.inspect.verdicts.valid).waitFor();
  await button(page, texts.inspect.json).click();
  await page.getByRole('textbox', { name: texts.inspect.jsonLabel }).waitFor();
  await visit('inspect');
  await goTo(page, 'open');
  await title(page, texts.open.title);
  await visit('open-busy');
}
