import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { seedWords } from '../../../examples/fixtures.ts';
import { signWith } from '../../../src/kit/account/signWith.ts';
import { texts } from '../../../src/shell/page/texts.ts';
import { encodePsbt } from '../../support/library.ts';
import { paymentOf } from '../../support/pageSessions.ts';
import { button, title } from './support/actions.ts';
import { withPage } from './support/chromium.ts';
import { layoutFindings } from './support/inPage.ts';
import { account } from './support/payments.ts';
import { type Stop, walk } from './support/walk.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Lists what axe finds, each with the elements. */
async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (): Promise<AxeResults> => (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run(),
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

describe.each(['light', 'dark'] as const)('axe and a ruler find nothing on any view, %s', (theme) => {
  test.each([320, 1280])('%d pixels wide', async (width) => {
    const findings: Partial<Record<Stop, readonly string[]>> = {};
    await withPage({ theme, width, height: 800 }, (page) =>
      walk(page, async (stop) => {
        const found = [...(await axeFindings(page)), ...(await page.evaluate(layoutFindings))];
        if (found.length > 0) findings[stop] = found;
      }),
    );
    expect(findings).toEqual({});
  });
});

test('nothing moves on any view where the system asks for that, and codes wait for the button', () =>
  withPage({ reducedMotion: 'reduce' }, (page) =>
    walk(page, async (stop) => {
      const moving = await page.evaluate(() => document.getAnimations().length);
      expect([stop, moving]).toEqual([stop, 0]);
      if (stop === 'result') {
        expect(await button(page, texts.codes.pause).count()).toBe(0);
      }
    }),
  ));

const MOST_TABS = 80;

/** Moves the focus to an element with the Tab key alone. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor({ state: 'attached' });
  for (let i = 0; i < MOST_TABS; i += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key does not lead to ${target}`);
}

test('a transaction is opened, reviewed, signed and saved with the keyboard alone', async () => {
  const psbt = paymentOf(account, 0, 2);
  await withPage({}, async (page) => {
    const press = async (target: Locator, key = 'Enter'): Promise<void> => {
      await tabTo(page, target);
      await page.keyboard.press(key);
    };
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      press(page.locator('input[type=file]').first(), 'Space'),
    ]);
    await chooser.setFiles({ name: 'spend.psbt', mimeType: '', buffer: Buffer.from(encodePsbt(psbt)) });
    await title(page, texts.keys.title);
    await tabTo(page, page.getByRole('textbox', { name: texts.keys.words, exact: true }));
    await page.keyboard.type(seedWords);
    await press(button(page, texts.keys.submit));
    await press(button(page, texts.keys.next));
    await title(page, texts.review.title);
    await press(button(page, texts.review.sign), 'Space');
    await title(page, texts.result.final);
    const [download] = await Promise.all([page.waitForEvent('download'), press(button(page, texts.common.save))]);
    expect(readFileSync(await download.path(), 'utf8')).toBe(signWith(account, psbt).hex);
  });
});
