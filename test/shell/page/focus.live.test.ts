import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { seedWords } from '../../../examples/fixtures.ts';
import { accountFromWords, signWith } from '../../../src/kit/account/index.ts';
import { texts } from '../../../src/shell/page/texts.ts';
import { keyAt } from '../../support/holderPsbts.ts';
import { encodePsbt, formatPsbt } from '../../support/library.ts';
import { paymentOf } from '../../support/pageSessions.ts';
import { button, chooseFile, goTo, title, typeKeys } from './support/actions.ts';
import { withPage } from './support/chromium.ts';
import { layoutFindings, readFocusPlace } from './support/inPage.ts';
import { account, keys, refusedPayment } from './support/payments.ts';

const { addresses, inspect, messages, quorum, register, review } = texts;
const STRANGER = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const P48 = 'm/48h/0h/0h/2h';

const field = (page: Page | Locator, name: string): Locator => page.getByRole('textbox', { name, exact: true });
const alert = (page: Page): Locator => page.locator('.notices.bad [role=alert] p');

/** Tells whether an element begins on the screen. */
const isOnScreen = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => {
    const { top, height } = element.getBoundingClientRect();
    return height > 0 && top >= -1 && top < innerHeight - 10;
  });

/** Presses a key on a control, and expects the answer on the screen, and a focus that is seen. */
async function press(page: Page, control: Locator, answer: Locator, key = 'Enter'): Promise<void> {
  await control.press(key);
  await answer.waitFor();
  const name = `${control}`;
  await expect.poll(() => isOnScreen(answer), { message: `the answer to ${name}` }).toBe(true);
  await expect
    .poll(() => page.evaluate(readFocusPlace), { message: `the focus after ${name}` })
    .toMatchObject({
      element: expect.not.stringMatching(/^BODY$/),
      isInView: true,
    });
}

const SIZES = [
  [390, 844],
  [320, 568],
] as const;

describe.each(SIZES)(
  'whatever is pressed by the keyboard, its answer and the focus are in view, %d by %d pixels:',
  (...[width, height]) => {
    const withSigner = (use: (page: Page) => Promise<void>): Promise<void> =>
      withPage({ width, height, reducedMotion: 'reduce' }, async (page) => {
        await goTo(page, 'keys');
        await typeKeys(page, keys);
        await use(page);
      });

    test('keys', () =>
      withPage({ width, height }, async (page) => {
        await goTo(page, 'keys');
        await field(page, texts.keys.words).fill(seedWords.replace(/about$/, 'abandon'));
        await press(page, button(page, texts.keys.submit), alert(page));
        await press(page, button(page, texts.common.dismiss), button(page, texts.keys.submit));
        await press(page, button(page, texts.keys.submit), alert(page));
        await field(page, texts.keys.words).fill(seedWords);
        await press(page, button(page, texts.keys.submit), page.getByRole('status').filter({ hasText: 'was added' }));
        expect(await alert(page).count()).toBe(0);
      }));

    test('messages', () =>
      withSigner(async (page) => {
        await goTo(page, 'messages');
        const signing = page.getByRole('region', { name: messages.sign });
        await field(signing, messages.address).fill(STRANGER);
        await press(page, button(signing, messages.show), alert(page).filter({ hasText: 'it may not be yours' }));
        await field(signing, messages.address).fill(account.receive(0).address);
        await press(page, field(signing, messages.address), signing.getByText(messages.prepared));
        expect(await alert(page).count()).toBe(0);
        await press(
          page,
          button(signing, messages.signButton),
          signing.getByRole('heading', { name: messages.signature }),
        );
        await press(
          page,
          button(signing, texts.common.save),
          signing.getByText(texts.common.saved('signed-message.txt')),
        );
        await press(page, button(signing, texts.codes.larger), page.getByRole('dialog'));
        await page.keyboard.press('Escape');
        await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(texts.codes.larger);
        const verifying = page.getByRole('region', { name: messages.verify });
        await field(verifying, messages.block).fill('nonsense');
        await press(page, button(verifying, messages.verifyButton), alert(page));
      }));

    test('addresses', () =>
      withSigner(async (page) => {
        await goTo(page, 'addresses');
        const sought = field(page, addresses.findLabel);
        await sought.fill(STRANGER);
        await press(page, sought, page.getByText(/^Not found: /));
        await press(page, button(page, addresses.further(2000)), button(page, addresses.further(3000)));
        await sought.fill('');
        expect(await page.getByText(/^Not found: /).count()).toBe(0);
        await sought.fill(account.receive(3).address);
        await press(page, sought, page.getByText(/^Yes: receive address 3 /));
        await press(page, button(page, addresses.later), button(page, addresses.qr(19)).locator('xpath=ancestor::li'));
        await button(page, addresses.earlier).press('Enter');
        await expect.poll(() => page.evaluate(readFocusPlace)).toEqual({ element: 'H2', isInView: true });
      }));

    test('a multisig, which asks before it is wiped unsaved', () =>
      withSigner(async (page) => {
        await goTo(page, 'quorum');
        await press(page, page.getByRole('button', { name: /^Add my key/ }), page.getByText(quorum.own));
        const key = field(page, quorum.key);
        await key.fill(keyAt('bob', P48).replace(/^\[.*\]/, ''));
        await press(page, button(page, quorum.addKey), alert(page).filter({ hasText: 'a key without its origin' }));
        for (const [i, name] of (['bob', 'mallory'] as const).entries()) {
          await key.fill(keyAt(name, P48));
          await press(page, button(page, quorum.addKey), button(page, quorum.remove(i + 2)));
        }
        expect(await alert(page).count()).toBe(0);
        const made = page.getByRole('group', { name: quorum.wallet });
        await press(page, button(page, quorum.make), made.getByRole('heading', { level: 2 }));
        const dialog = page.getByRole('dialog');
        await button(page, quorum.register).press('Enter');
        await field(dialog, register.name).fill('Family');
        await press(page, button(dialog, register.submit), made.getByText(/^Registered "Family" /));
        await press(page, button(page, texts.session.wipe), dialog.getByText(texts.session.unsaved(['“Family”'])));
        await page.keyboard.press('Escape');
        await button(page, texts.common.save).press('Enter');
        await button(page, texts.session.wipe).press('Enter');
        await page.getByText(texts.session.wiped).waitFor();
      }));

    test('what is inspected', () =>
      withPage({ width, height }, async (page) => {
        await goTo(page, 'inspect');
        const text = field(page, inspect.whatLabel);
        const submit = page.locator('main').getByRole('button', { name: inspect.whatButton, exact: true });
        await text.fill(STRANGER.replace('w508', 'w580'));
        await press(page, submit, page.getByText(/^This is what looks like an address, but mistyped/));
        await text.fill(STRANGER);
        await press(
          page,
          submit,
          page.getByText(inspect.address(inspect.addressKinds['witness_v0_keyhash'] ?? '', ['Bitcoin'])),
        );
        await text.fill(Buffer.from(encodePsbt(paymentOf(account))).toString('base64'));
        await press(page, submit, page.getByRole('heading', { name: inspect.verifyTitle }));
        await press(page, button(page, inspect.verify), page.getByText(inspect.verdicts.incomplete));
        await press(page, button(page, inspect.trace), page.getByText('it is still empty'));
        await press(page, button(page, inspect.json), page.getByRole('heading', { name: inspect.jsonTitle }));
      }));

    test('the steps of a script', () =>
      withPage({ width, height, reducedMotion: 'reduce' }, async (page) => {
        await goTo(page, 'inspect');
        await field(page, inspect.whatLabel).fill(formatPsbt(signWith(account, paymentOf(account, 2, 2)).psbt));
        await page.locator('main').getByRole('button', { name: inspect.whatButton, exact: true }).press('Enter');
        const steps = field(page, inspect.traceLabel);
        const input = page.getByRole('spinbutton', { name: inspect.traceInput });
        await input.fill('1');
        await press(page, input, page.getByText(/^Valid\b|signature/).first());
        expect(await steps.inputValue()).toContain('OP_CHECKSIG');
        expect(await page.evaluate(layoutFindings)).toEqual([]);
        await input.fill('7');
        expect(await steps.count()).toBe(0);
        await press(page, input, alert(page).filter({ hasText: 'There is no input 7: the last one is 1' }));
      }));

    test('a review, whose first screen has what refuses', () =>
      withPage({ width, height }, async (page) => {
        await chooseFile(page, encodePsbt(refusedPayment()));
        await title(page, texts.keys.title);
        await typeKeys(page, keys);
        await button(page, texts.keys.next).press('Enter');
        await title(page, review.title);
        const verdict = page.getByRole('status', { name: review.verdict });
        const end = await verdict.evaluate((element) => element.getBoundingClientRect().bottom);
        expect(end).toBeLessThanOrEqual(height);
        expect(await verdict.getByText(`${review.refuse}:`).count()).toBe(2);
        for (const box of await page.getByRole('checkbox').all()) await box.check();
        await page.getByText(review.accepted(2)).waitFor();
        await press(
          page,
          button(page, review.signAnyway),
          page.getByRole('heading', { level: 1, name: texts.result.open }),
        );
      }));
  },
);

describe('the Tab key', () => {
  test('leads past the typed words, which the arrow keys walk through, in one step', () =>
    withPage({}, async (page) => {
      await goTo(page, 'keys');
      await field(page, texts.keys.words).fill(seedWords);
      await page.getByText(texts.keys.checksumRight(12)).waitFor();
      await button(page, texts.keys.hideWords).focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^3 abandon/);
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe(
        await page.getByLabel(texts.keys.passphrase, { exact: true }).getAttribute('id'),
      );
      expect(await page.getByRole('group', { name: texts.keys.completions }).count()).toBe(0);
    }));

  test('leads to the question of an address before the list of addresses', () =>
    withPage({}, async (page) => {
      await goTo(page, 'keys');
      await typeKeys(page, keys);
      await goTo(page, 'addresses');
      await button(page, addresses.qr(0)).waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.insertText(accountFromWords(seedWords).change(2).address);
      await page.keyboard.press('Enter');
      await page.getByText(/^Yes: change address 2 /).waitFor();
    }));
});
