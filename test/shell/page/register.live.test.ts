import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { texts } from '../../../src/shell/page/texts.ts';
import { keyAt, quorumOf, STRANGER, spend, WORDS } from '../../support/holderPsbts.ts';
import { encodePsbt } from '../../support/library.ts';
import { button, chooseFile, goTo, sign, title, typeKeys } from './support/actions.ts';
import { withPage } from './support/chromium.ts';
import { layoutFindings, readTraces } from './support/inPage.ts';

const FAMILY = quorumOf(2, ['alice', 'bob', 'mallory']);
const P48 = 'm/48h/0h/0h/2h';
const keys = { text: WORDS.alice, network: 'main', purpose: 48 } as const;
const SPEND = encodePsbt(
  spend({
    coins: [{ of: FAMILY }],
    outputs: [
      { of: FAMILY, chain: 1, value: 600_000n },
      { script: STRANGER, value: 390_000n },
    ],
  }),
);
const { register } = texts;

const nameField = (page: Page) => page.getByRole('textbox', { name: register.name, exact: true });

/** Opens a wallet beside the keys of Alice, and the dialog that registers it. */
async function openRegistration(page: Page, content: string, name = 'family.txt'): Promise<void> {
  await goTo(page, 'open');
  await chooseFile(page, content, name);
  await title(page, texts.keys.title);
  await button(page, register.button).click();
  await nameField(page).waitFor();
}

/** Types a name, registers, and saves the file. */
async function save(page: Page, name: string): Promise<{ readonly fileName: string; readonly text: string }> {
  await nameField(page).click();
  await page.keyboard.type(name);
  await button(page, register.submit).click();
  await page.getByRole('img', { name: /QR/ }).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, texts.common.save).click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk));
  await page.getByRole('dialog').getByRole('button', { name: texts.common.close }).click();
  return { fileName: download.suggestedFilename(), text: Buffer.concat(chunks).toString() };
}

describe('a person registers a wallet', () => {
  test('after comparing its keys, by a name that is typed, and signs its change as verified', async () => {
    const file = await withPage({}, async (page) => {
      await chooseFile(page, FAMILY, 'family.txt');
      await typeKeysBeside(page);
      await button(page, register.button).click();
      await nameField(page).waitFor();
      const dialog = page.getByRole('dialog');
      const shown = (await dialog.textContent()) ?? '';
      const places = [register.others, register.alone, register.policy, register.key(1), register.receive];
      expect(places.map((text) => shown.indexOf(text))).toEqual(
        places.map((text) => shown.indexOf(text)).sort(byNumber),
      );
      expect(await dialog.getByText(register.proven, { exact: true }).count()).toBe(1);
      expect(await dialog.getByText(register.named, { exact: true }).count()).toBe(2);
      expect(shown).toContain(keyAt('alice', P48));
      expect(await nameField(page).inputValue()).toBe('');
      expect(await button(page, register.submit).isDisabled()).toBe(true);
      const saved = await save(page, 'Family');
      await page
        .getByText(/^Registered "Family" [0-9a-f]{8}$/)
        .first()
        .waitFor();
      await goTo(page, 'open');
      await chooseFile(page, SPEND);
      await title(page, texts.review.title);
      await page.getByText('Nothing suspicious was found.').waitFor();
      await page.getByText(/^change, verified \("Family" [0-9a-f]{8}, change 0\)$/).waitFor();
      await sign(page);
      expect((await page.evaluate(readTraces)).stored).toEqual([0, 0, 0]);
      return saved;
    });
    expect(file.fileName).toBe('Family.wallet.json');
    await withPage({ width: 360 }, async (page) => {
      await chooseFile(page, file.text, file.fileName);
      await page.getByText(texts.keys.standings.listed).waitFor();
      await typeKeysBeside(page);
      await page
        .getByText(/^Registered "Family" [0-9a-f]{8}$/)
        .first()
        .waitFor();
      expect(await button(page, register.button).count()).toBe(0);
      const stranger = keyAt('bob', 'm/48h/0h/1h/2h');
      await openRegistration(page, FAMILY.replace(keyAt('mallory', P48), stranger), 'changed.txt');
      await page.getByText(register.differs(`"Family"`).slice(0, 15)).waitFor();
      expect(await page.evaluate(layoutFindings)).toEqual([]);
      const word = page.getByRole('textbox', { name: /^Type replace to retire "Family"/ });
      await word.fill('yes');
      await page.getByText(register.replaceWrong).waitFor();
      await word.fill('');
      await nameField(page).fill('Family');
      await button(page, register.submit).click();
      await page.getByText(/has this name: choose another, or replace that wallet/).waitFor();
      await word.fill(register.replaceWord);
      await nameField(page).fill('');
      const { retires } = JSON.parse((await save(page, 'Family')).text);
      expect(retires).toHaveLength(1);
    });
  });

  test('that is another’s is refused in the dialog', async () => {
    await withPage({}, async (page) => {
      await chooseFile(page, quorumOf(2, ['bob', 'mallory']), 'theirs.txt');
      await typeKeysBeside(page);
      await button(page, register.button).click();
      await page
        .getByRole('dialog')
        .getByText(/none of its keys is yours/)
        .waitFor();
      expect(await nameField(page).count()).toBe(0);
    });
  });
});

const byNumber = (a: number, b: number): number => a - b;

/** Types the words of Alice where a wallet is open. */
async function typeKeysBeside(page: Page): Promise<void> {
  await page.getByText(texts.keys.addMore, { exact: true }).click();
  await typeKeys(page, keys);
}
