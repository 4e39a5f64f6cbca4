import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { seedWords } from '../../../examples/fixtures.ts';
import { accountFromWords, reviewWith, signWith } from '../../../src/kit/account/index.ts';
import { texts } from '../../../src/shell/page/texts.ts';
import { encodeBbqr, encodePsbt, encodeUr, formatHex } from '../../support/library.ts';
import { noise } from '../../support/noise.ts';
import { paymentOf } from '../../support/pageSessions.ts';
import { button, goTo, sign, title, typeKeys } from './support/actions.ts';
import { CAMERA_PATIENCE, withCamera } from './support/cameraVideo.ts';
import { withPage } from './support/chromium.ts';
import { readCodes } from './support/codesOnScreen.ts';
import { factsOf, reviewOnScreen } from './support/reviewOnScreen.ts';

const account = accountFromWords(seedWords, { network: 'main' });
const psbt = paymentOf(account, 0, 3);
const bytes = encodePsbt(psbt);

const startCamera = (page: Page): Promise<void> => button(page, texts.open.camera).click();

/** The fragments of a UR of which every third is lost, and mixtures of fragments. */
function lossyUr(): readonly string[] {
  const { count, frame } = encodeUr(bytes, { type: 'crypto-psbt', fragmentSize: 110 });
  expect(count).toBeGreaterThan(4);
  return Array.from({ length: 2 * count }, (_, i) => frame(i + 1)).filter((_, i) => i % 3 !== 1);
}

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  'BBQr in disorder': [...encodeBbqr(bytes, { type: 'psbt', frameSize: 220 })].reverse(),
  'URs with lost fragments': lossyUr(),
};

describe('a camera that shakes reads a PSBT, and the page signs it', () => {
  test.each(Object.entries(FORMATS))('from %s', async (_, codes) => {
    const expected = signWith(account, psbt);
    await withCamera(codes, (args) =>
      withPage({ args }, async (page) => {
        await startCamera(page);
        await page.getByRole('heading', { level: 1, name: texts.keys.title }).waitFor({ timeout: CAMERA_PATIENCE });
        await typeKeys(page, { text: seedWords, network: 'main', purpose: 84 });
        await button(page, texts.keys.next).click();
        expect(await reviewOnScreen(page)).toEqual(factsOf(reviewWith(account, psbt)));
        await sign(page);
        await title(page, texts.result.final);
        expect(formatHex((await readCodes(page, 'ur')).content)).toBe(expected.hex);
      }),
    );
  });
});

describe('a camera that cannot give the whole content leads to a clear state:', () => {
  test('half of the frames', async () => {
    const frames = encodeBbqr(bytes, { type: 'psbt', frameSize: 120 });
    const half = frames.filter((_, i) => i % 2 === 0);
    await withCamera(half, (args) =>
      withPage({ args }, async (page) => {
        await startCamera(page);
        await page.getByText(texts.camera.cells(half.length, frames.length)).waitFor({ timeout: CAMERA_PATIENCE });
        const missing = frames.flatMap((__, i) => (i % 2 === 1 ? i + 1 : []));
        await page.getByText(texts.camera.missing(missing.join(', '))).waitFor();
        await button(page, texts.camera.stop).click();
        await button(page, texts.open.camera).waitFor();
      }),
    );
  });

  test('a code of another kind', () =>
    withCamera(['WIFI:T:WPA;S:cafe;P:espresso;;'], (args) =>
      withPage({ args }, async (page) => {
        await startCamera(page);
        await page.getByRole('alert').getByText(/./).first().waitFor();
        await title(page, texts.open.title);
        await button(page, texts.open.camera).waitFor();
      }),
    ));

  test('a refused camera', () =>
    withPage({ args: ['--use-fake-device-for-media-stream', '--deny-permission-prompts'] }, async (page) => {
      await startCamera(page);
      await page.getByText(texts.camera.faults['NotAllowedError'] ?? '').waitFor();
    }));

  test('no camera', () =>
    withPage({ args: ['--use-fake-ui-for-media-stream'] }, async (page) => {
      await startCamera(page);
      await page.getByText(texts.camera.faults['NotFoundError'] ?? '').waitFor();
      await button(page, texts.camera.stop).click();
      await title(page, texts.open.title);
    }));
});

test('new codes before the camera count as use of the page; repeated ones do not keep its keys', async () => {
  const frames = encodeBbqr(noise(1300), { type: 'psbt', frameSize: 40 });
  const half = frames.filter((_, i) => i % 2 === 0);
  // The camera takes five seconds for these at least.
  expect(half.length).toBeGreaterThan(25);
  await withCamera(half, (args) =>
    withPage({ args, prepare: (page) => page.clock.install() }, async (page) => {
      await goTo(page, 'keys');
      await typeKeys(page, { text: seedWords, network: 'main', purpose: 84 });
      await goTo(page, 'open');
      await startCamera(page);
      const soon = page.locator('section.session.soon');
      await page.locator('.cell.read').first().waitFor();
      await page.clock.fastForward('09:30');
      await page.getByText(texts.camera.cells(half.length, frames.length)).waitFor({ timeout: CAMERA_PATIENCE });
      expect(await soon.count()).toBe(0);
      await page.clock.fastForward('09:30');
      await soon.waitFor();
      await page.clock.fastForward('00:40');
      await page.getByText(texts.session.wipedIdle(10)).waitFor();
    }),
  );
});
