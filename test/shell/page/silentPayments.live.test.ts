import { expect, test } from 'vitest';
import { linePlace } from '../../../src/core/report/findingText.ts';
import { texts } from '../../../src/shell/page/texts.ts';
import { computedPayment, hiding, PAYER_WORDS, payee, uriOf } from '../../support/hiddenPayment.ts';
import { ENGLISH, encodePsbt, networks } from '../../support/library.ts';
import { button, chooseFile, goTo, typeKeys } from './support/actions.ts';
import { withPage } from './support/chromium.ts';

const keys = { text: PAYER_WORDS, network: 'regtest', purpose: 84 } as const;
const { title, risk, remedy } = ENGLISH.checks['silent-payment-conditional'];
const { lines } = ENGLISH;
const said = (key: 'silent-proven' | 'silent-conditional'): string => lines[key]({}, linePlace({}, networks.regtest));

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
    expect(await shown(said('silent-proven'))).toBe(isProven);
    expect(await shown(said('silent-conditional'))).toBe(!isProven);
    const finding = page.getByRole('article', { name: title });
    expect(await finding.count()).toBe(isProven ? 0 : 1);
    if (!isProven) expect(await finding.textContent()).toEqual(expect.stringContaining(remedy));
    if (!isProven) expect(await finding.textContent()).toEqual(expect.stringContaining(risk));
    await goTo(page, 'open');
    await chooseFile(page, uriOf(payee.address()), 'request.txt');
    const { paid, conditional } = texts.payment;
    await page.getByText(isProven ? paid(0) : conditional(0), { exact: true }).waitFor();
    expect(await shown(isProven ? conditional(0) : paid(0))).toBe(false);
  });
});
