import { expect, test } from 'vitest';
import { checkTexts, texts } from '../../../src/shell/page/texts.ts';
import { computedPayment, hiding, PAYER_WORDS, payee, uriOf } from '../../support/hiddenPayment.ts';
import { encodePsbt } from '../../support/library.ts';
import { button, chooseFile, goTo, typeKeys } from './support/actions.ts';
import { withPage } from './support/chromium.ts';

const keys = { text: PAYER_WORDS, network: 'regtest', purpose: 84 } as const;
const { title, meaning, risk = '' } = checkTexts['silent-payment-conditional'];

test.each([
  ['alone is proven', [payee.address()], true],
  ['that a stranger’s spend key may hide is not', [payee.address(), hiding], false],
])('a silent payment %s', async (_, to, isProven) => {
  await withPage({}, async (page) => {
    await chooseFile(page, encodePsbt(computedPayment(...to)));
    await typeKeys(page, keys);
    await button(page, texts.keys.next).click();
    await page.getByText(texts.review.outputs(to.length + 1)).waitFor();
    const shown = async (text: string): Promise<boolean> => (await page.getByText(text, { exact: true }).count()) > 0;
    expect(await shown(texts.review.silentPaymentHelp)).toBe(isProven);
    expect(await shown(texts.review.silentPaymentConditionalHelp)).toBe(!isProven);
    const finding = page.getByRole('article', { name: title });
    expect(await finding.count()).toBe(isProven ? 0 : 1);
    if (!isProven) expect(await finding.textContent()).toEqual(expect.stringContaining(meaning));
    if (!isProven) expect(await finding.textContent()).toEqual(expect.stringContaining(risk));
    await goTo(page, 'open');
    await chooseFile(page, uriOf(payee.address()), 'request.txt');
    const { paid, conditional } = texts.payment;
    await page.getByText(isProven ? paid(0) : conditional(0), { exact: true }).waitFor();
    expect(await shown(isProven ? conditional(0) : paid(0))).toBe(false);
  });
});
