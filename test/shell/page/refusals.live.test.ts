import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { reviewWith, signWith } from '../../../src/kit/account/signWith.ts';
import { texts } from '../../../src/shell/page/texts.ts';
import { ENGLISH, encodePsbt, formatHex, type PolicyCheck } from '../../support/library.ts';
import { button, chooseFile, sign, title, typeKeys } from './support/actions.ts';
import { withPage } from './support/chromium.ts';
import { readCodes } from './support/codesOnScreen.ts';
import { account, keys, refusedPayment } from './support/payments.ts';
import { factsOf, reviewOnScreen } from './support/reviewOnScreen.ts';

const override = (page: Page, check: PolicyCheck) =>
  page.getByRole('checkbox', { name: texts.review.override(ENGLISH.checks[check].title) });

describe('a PSBT that the policy refuses', () => {
  test('is signed only once each refusal was accepted by name', async () => {
    const psbt = refusedPayment();
    const review = reviewWith(account, psbt);
    const refused = [...new Set(review.findings.flatMap(({ check, action }) => (action === 'refuse' ? check : [])))];
    expect(refused.length).toBeGreaterThan(1);
    await withPage({}, async (page) => {
      await chooseFile(page, encodePsbt(psbt));
      await typeKeys(page, keys);
      await button(page, texts.keys.next).click();
      expect(await reviewOnScreen(page)).toEqual(factsOf(review));
      const signButton = button(page, texts.review.signAnyway);
      for (const [i, check] of refused.entries()) {
        expect(await signButton.isDisabled()).toBe(true);
        await page.getByText(texts.review.needsOverride(refused.length - i)).waitFor();
        await override(page, check).check();
      }
      const [first] = refused;
      if (first) await override(page, first).uncheck();
      expect(await signButton.isDisabled()).toBe(true);
      if (first) await override(page, first).check();
      await page.getByText(texts.review.accepted(refused.length)).waitFor();
      await sign(page, texts.review.signAnyway);
      await title(page, texts.result.open);
      const policy = Object.fromEntries(refused.map((check) => [check, 'warn'] as const));
      expect(formatHex((await readCodes(page, 'bbqr')).content)).toBe(
        formatHex(encodePsbt(signWith(account, psbt, { policy, sighashType: 2 }).psbt)),
      );
    });
  });
});
