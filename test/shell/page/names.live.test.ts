import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type BuildOutput, buildPsbt } from '../../../src/kit/account/index.ts';
import { proveName } from '../../../src/kit/names/index.ts';
import { texts } from '../../../src/shell/page/texts.ts';
import proofs from '../../../vectors/bip353.json' with { type: 'json' };
import { encodePsbt, type Psbt } from '../../support/library.ts';
import { chooseFile, title, typeKeys } from './support/actions.ts';
import { withPage } from './support/chromium.ts';
import { layoutFindings } from './support/inPage.ts';
import { account, keys } from './support/payments.ts';

const [published] = proofs;
if (!published) throw new Error('the vectors lack proofs');
const { name, from, until } = published;
const proof = new Uint8Array(Buffer.from(published.proof, 'base64'));
const DAY = 24 * 60 * 60;

const paying = (output: BuildOutput): Psbt =>
  buildPsbt({
    inputs: [{ txid: '11'.repeat(32), vout: 0, value: 100_000n, from: account.receive(3) }],
    outputs: [output],
    change: account.change(0),
    feeRate: 2,
  });

/** A payment to a published name, made while its proof was valid. */
const payment = paying({ to: proveName({ name, proof }, { network: 'main', now: from }), value: 60_000n });

/** A payment to another address than the name asks for, which claims the name. */
function forged(): Psbt {
  const psbt = paying({ to: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', value: 60_000n });
  const [first, ...others] = psbt.outputs;
  const record = { name: new Uint8Array(Buffer.from(name)), proof };
  return { ...psbt, outputs: [{ ...first, dnssecProof: record }, ...others] };
}

/** Makes the workers of a page begin with a clock that stands at a Unix time. */
const stopClock = (page: Page, unixTime: number): Promise<unknown> =>
  page.addInitScript((seconds) => {
    const address = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (object: Blob) =>
      address(
        object.type === 'text/javascript'
          ? new Blob([`Date.now = () => ${seconds * 1000};`, object], { type: object.type })
          : object,
      );
  }, unixTime);

/** Opens the review of a payment with the keys that spend, at a time. */
const atTime = (
  { unixTime, width = 1280 }: { readonly unixTime: number; readonly width?: number },
  use: (page: Page) => Promise<void>,
  psbt: Psbt = payment,
): Promise<void> =>
  withPage({ width, height: 640, prepare: (page) => stopClock(page, unixTime) }, async (page) => {
    await chooseFile(page, encodePsbt(psbt));
    await title(page, texts.keys.title);
    await typeKeys(page, keys);
    await page.getByRole('button', { name: texts.keys.next, exact: true }).press('Enter');
    await title(page, texts.review.title);
    await use(page);
  });

const findings = (page: Page): Promise<readonly string[]> => page.locator('article.finding h3').allTextContents();
const payee = (page: Page) =>
  page
    .locator('li.money')
    .filter({ hasText: /60 ?000|0\.000\s?60/ })
    .first();

describe('the page shows', () => {
  test.each([1280, 320])('a name that DNSSEC proves in the place of its address, %d pixels wide', (width) =>
    atTime({ unixTime: from, width }, async (page) => {
      const text = await payee(page).textContent();
      expect(text).toContain(`₿${name}`);
      expect(text?.replaceAll(/\s/g, '')).toContain(published.pays);
      expect((await findings(page)).filter((each) => /name/i.test(each))).toEqual([]);
      expect(await page.evaluate(layoutFindings)).toEqual([]);
    }),
  );

  test('no name whose proof has expired, but a doubt', () =>
    atTime({ unixTime: until + 30 * DAY }, async (page) => {
      expect(await findings(page)).toContainEqual(expect.stringMatching(/name/i));
      expect(await payee(page).textContent()).not.toContain(`₿${name}`);
    }));

  test('a refusal of a name that asks for another address', () =>
    atTime(
      { unixTime: from },
      async (page) => {
        expect(await page.getByRole('status', { name: texts.review.verdict }).textContent()).toMatch(/name/i);
        expect(await page.getByRole('button', { name: texts.review.signAnyway }).isDisabled()).toBe(true);
        expect(await payee(page).textContent()).not.toContain(`₿${name}`);
      },
      forged(),
    ));
});
