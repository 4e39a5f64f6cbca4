import type { Locator, Page } from 'playwright-core';
import type { KeysForm } from '../../../../src/shell/page/protocol.ts';
import { texts } from '../../../../src/shell/page/texts.ts';

/** The keys of a signer as a person enters them. */
export type TypedKeys = Pick<KeysForm, 'network' | 'purpose' | 'passphrase'> & { readonly text: string };

export const button = (page: Page | Locator, name: string): Locator => page.getByRole('button', { name, exact: true });

/** Chooses one of a row of buttons. */
export const choose = (page: Page, name: string): Promise<void> =>
  page.getByRole('radio', { name, exact: true }).check();

type Step = 'open' | 'keys' | 'review' | 'result';
type Tool = Exclude<keyof typeof texts.tools, 'label'>;

const isTool = (view: Step | Tool): view is Tool => view in texts.tools;

/** Goes to a step or a tool by its button. */
export const goTo = (page: Page, view: Step | Tool): Promise<void> =>
  isTool(view)
    ? button(page.getByRole('navigation', { name: texts.tools.label }), texts.tools[view]).click()
    : page
        .getByRole('navigation', { name: texts.steps.label })
        .getByRole('button', { name: texts.steps[view] })
        .click();

/** Waits for a heading of the first level. */
export const title = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

/** Chooses a file in the open view. */
export const chooseFile = (page: Page, content: Uint8Array | string, name = 'spend.psbt'): Promise<void> =>
  page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });

/** Types keys into the form, one key of the keyboard after the other, and adds them. */
export async function typeKeys(page: Page, { text, network, purpose, passphrase }: TypedKeys): Promise<void> {
  const isWords = text.includes(' ');
  if (!isWords) await choose(page, texts.keys.kindText);
  const field = page.getByRole('textbox', { name: isWords ? texts.keys.words : texts.keys.text, exact: true });
  await field.click();
  await page.keyboard.type(text);
  if (passphrase) {
    await page.getByLabel(texts.keys.passphrase, { exact: true }).click();
    await page.keyboard.type(passphrase);
  }
  await page.getByLabel(texts.keys.network, { exact: true }).selectOption(network);
  if (purpose) await page.getByLabel(texts.keys.purpose, { exact: true }).selectOption(`${purpose}`);
  await button(page, texts.keys.submit).click();
  await page.getByRole('button', { name: texts.keys.addressesShort }).nth(1).waitFor();
}

/** Signs in the review, and waits for the result. `name` is that of the button. */
export async function sign(page: Page, name = texts.review.sign): Promise<void> {
  await button(page, name).click();
  await page.getByRole('heading', { name: texts.result.what }).waitFor();
}
