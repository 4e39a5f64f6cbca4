import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { seedWords } from '../../../examples/fixtures.ts';
import { accountFromWords, buildPsbt, signWith } from '../../../src/kit/account/index.ts';
import { texts } from '../../../src/shell/page/texts.ts';
import {
  encodePsbt,
  encodeTransaction,
  formatPsbt,
  formatTxid,
  type Psbt,
  type Transaction,
  txid,
} from '../../support/library.ts';
import { noise } from '../../support/noise.ts';
import { fundingOf, paymentOf } from '../../support/pageSessions.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { button, chooseFile, goTo, sign, title, typeKeys } from './support/actions.ts';
import { withPage } from './support/chromium.ts';

const account = accountFromWords(seedWords, { network: 'main' });
const keys = { text: seedWords, network: 'main', purpose: 84 } as const;
const directory = temporaryDirectory();

/** Saves the final transaction by the button. @returns the text of the file */
async function savedFile(page: Page): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, texts.common.save).click()]);
  return readFileSync(await download.path(), 'utf8');
}

/** Makes a PSBT of more than a megabyte: its coin is proven by a transaction with 33 000 outputs. */
function largePayment(): Psbt {
  const funding: Transaction = fundingOf(account, 33_000);
  const coin = { txid: formatTxid(txid(funding)), vout: 7, from: account.receive(3) };
  const previousTransaction = encodeTransaction(funding);
  return buildPsbt({
    inputs: [{ ...coin, previousTransaction }],
    outputs: { [account.receive(7).address]: 60_000n },
    change: account.change(0),
    feeRate: 2,
  });
}

describe('much work leaves the page alive:', () => {
  test('a PSBT of a megabyte is reviewed and signed', async () => {
    const psbt = largePayment();
    const file = encodePsbt(psbt);
    expect(file.length).toBeGreaterThan(1_000_000);
    await withPage({}, async (page) => {
      await chooseFile(page, file);
      await typeKeys(page, keys);
      await button(page, texts.keys.next).click();
      await sign(page);
      await title(page, texts.result.final);
      expect(await savedFile(page)).toBe(signWith(account, psbt).hex);
    });
  });

  test('2000 inputs are signed in the worker, while the page shows progress and goes to other views', async () => {
    const psbt = paymentOf(account, 2, 2000, 100_000_000n);
    await withPage({}, async (page) => {
      page.setDefaultTimeout(60_000);
      await chooseFile(page, encodePsbt(psbt));
      await typeKeys(page, keys);
      await button(page, texts.keys.next).click();
      await button(page, texts.review.sign).click();
      await page.getByText(/^[1-9]\d* of 2,?000 inputs signed$/).waitFor();
      // Both views come and go before the worker has ended.
      await goTo(page, 'about');
      await title(page, texts.about.title);
      await goTo(page, 'keys');
      await title(page, texts.keys.title);
      await title(page, texts.result.final);
      expect(await savedFile(page)).toBe(signWith(account, psbt).hex);
    });
  });

  test('signing that takes too long is stopped, and the keys are gone', async () => {
    await withPage({}, async (page) => {
      page.setDefaultTimeout(60_000);
      await chooseFile(page, encodePsbt(paymentOf(account, 2, 2000, 100_000_000n)));
      await typeKeys(page, keys);
      await button(page, texts.keys.next).click();
      await button(page, texts.review.sign).click();
      await button(page, texts.review.stop).click();
      await page.getByText(texts.session.wiped).waitFor();
      await goTo(page, 'keys');
      await page.getByRole('textbox', { name: texts.keys.words, exact: true }).waitFor();
    });
  });
});

describe('a mistake leads to a clear state:', () => {
  test('words with a typo, and words in a wrong order', () =>
    withPage({}, async (page) => {
      await goTo(page, 'keys');
      const field = page.getByRole('textbox', { name: texts.keys.words, exact: true });
      await field.fill(seedWords.replace('abandon ', 'abandom '));
      await page.getByText(texts.keys.unknownWords([1])).waitFor();
      await page.getByRole('group', { name: texts.keys.near }).waitFor();
      await button(page, texts.keys.nearWord(1, 'abandon')).click();
      expect(await field.inputValue()).toBe(seedWords);
      await page.getByText(texts.keys.checksumRight(12)).waitFor();
      await field.fill(seedWords.replace('about', 'abandon'));
      await page.getByText(texts.keys.checksumWrong(12)).waitFor();
      await button(page, texts.keys.submit).click();
      const alert = page.getByRole('alert').filter({ hasText: /checksum/i });
      await alert.waitFor();
      expect(await alert.innerText()).not.toContain('abandon');
      await field.fill(seedWords);
      await page.getByText(texts.keys.checksumRight(12)).waitFor();
    }));

  test.each([
    ['50 MB of noise', 50_000_000, texts.errors.tooLarge('junk.psbt', 40)],
    ['30 MB of noise', 30_000_000, undefined],
  ])('%s', async (_, size, text) => {
    const file = join(directory, 'junk.psbt');
    const part = Buffer.from(noise(1_000_000));
    writeFileSync(file, Buffer.concat(new Array(size / part.length).fill(part)));
    await withPage({}, async (page) => {
      page.setDefaultTimeout(30_000);
      await page.locator('input[type=file]').first().setInputFiles(file);
      const alert = page.getByRole('alert').filter({ hasText: text ?? /./ });
      await alert.waitFor();
      expect((await alert.innerText()).length).toBeLessThan(300);
      await chooseFile(page, formatPsbt(paymentOf(account)));
      await title(page, texts.keys.title);
    });
  });

  test('a worker that crashes: the page says so, starts another, and has forgotten everything', () =>
    withPage({ expected: /^(?:console|exception|error) .*a crash of the test/ }, async (page) => {
      await chooseFile(page, encodePsbt(paymentOf(account)));
      await typeKeys(page, keys);
      const [worker] = page.workers();
      await worker?.evaluate(() => {
        setTimeout(() => {
          throw new Error('a crash of the test');
        });
      });
      await page.getByText(texts.errors.crashed).waitFor();
      await goTo(page, 'review');
      await page.getByText(texts.review.none).waitFor();
      await goTo(page, 'open');
      await chooseFile(page, encodePsbt(paymentOf(account)));
      await typeKeys(page, keys);
      await button(page, texts.keys.next).click();
      await sign(page);
      await title(page, texts.result.final);
    }));
});

describe('while seed words are typed,', () => {
  const ELEVEN = 'abandon '.repeat(11);

  test.each([360, 1280])('what lies below them moves only for a further row of words, %d pixels wide', (width) =>
    withPage({ width }, async (page) => {
      await goTo(page, 'keys');
      const words = page.getByRole('textbox', { name: texts.keys.words, exact: true });
      const below = page.getByLabel(texts.keys.passphrase, { exact: true });
      const type = async (text: string, answer: string | RegExp): Promise<number | undefined> => {
        await words.fill(text);
        await page.locator('.words-state').filter({ hasText: answer }).waitFor({ state: 'attached' });
        return (await below.boundingBox())?.y;
      };
      const places = [
        await type('ac', texts.keys.wordsState(1)),
        await type('abandon zoo ', texts.keys.wordsState(2)),
        await type('abandn zooo ', texts.keys.unknownWords([1, 2])),
      ];
      const whole = [
        await type(`${ELEVEN}zoo`, texts.keys.checksumWrong(12)),
        await type(`${ELEVEN}about`, texts.keys.checksumRight(12)),
      ];
      for (const same of [places, whole]) expect(new Set(same).size, String(same)).toBe(1);
      const empty = (await type('', /^$/)) ?? 0;
      const { y = 0, height = 0 } = (await words.boundingBox()) ?? {};
      expect(empty - y - height).toBeLessThan(width < 640 ? 190 : 150);
    }),
  );

  test('each is shown with its number and a mark, in no attribute, and a press selects it to correct', () =>
    withPage({}, async (page) => {
      await goTo(page, 'keys');
      const words = page.getByRole('textbox', { name: texts.keys.words, exact: true });
      await words.fill('legal winer aband');
      const chips = page.getByRole('list', { name: texts.keys.wordChips }).getByRole('button');
      const { known, unknown } = texts.keys.wordKinds;
      const named = ['1 legal ✓', '2 winer ✗', '3 abandon ✓'];
      await expect
        .poll(() => chips.allTextContents())
        .toEqual([known, unknown, known].map((kind, i) => `${named[i]}${kind}`));
      const attributes = await page.evaluate(() =>
        [...document.querySelectorAll('*')].flatMap((element) => [...element.attributes].map(({ value }) => value)),
      );
      expect(attributes.filter((value) => /winer|legal/.test(value))).toEqual([]);
      await chips.nth(1).press('Enter');
      await page.keyboard.type('winner');
      expect(await words.inputValue()).toBe('legal winner aband');
      await button(page, texts.keys.hideWords).click();
      await expect.poll(() => chips.first().textContent()).toBe(`1 ••• ✓${known}`);
      const security = await words.evaluate((field) =>
        getComputedStyle(field).getPropertyValue('-webkit-text-security'),
      );
      expect(security).toBe('disc');
    }));

  test('a last word is offered after the one before it, and takes the place of none', () =>
    withPage({}, async (page) => {
      await goTo(page, 'keys');
      const words = page.getByRole('textbox', { name: texts.keys.words, exact: true });
      const last = page.getByRole('group', { name: texts.keys.lastWords });
      await words.fill(`${ELEVEN}a`);
      await page.getByRole('group', { name: texts.keys.completions }).waitFor();
      await words.fill(ELEVEN.trim());
      await page
        .locator('.words-state')
        .filter({ hasText: texts.keys.wordsState(11) })
        .waitFor();
      // A word that may only be itself leaves nothing to choose.
      expect(await page.getByRole('group', { name: texts.keys.completions }).count()).toBe(0);
      expect(await last.count()).toBe(0);
      await words.fill(ELEVEN);
      await last.getByRole('button').first().click();
      await page.getByText(texts.keys.checksumRight(12)).waitFor();
      expect((await words.inputValue()).split(' ').slice(0, 11).join(' ')).toBe(ELEVEN.trim());
    }));
});
