import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { withPage } from './support/chromium.ts';
import { type Stop, walk } from './support/walk.ts';

// `npm run screenshots` writes the pictures of docs/page.md.
const folder = process.env['COUNTERSIGN_SCREENSHOTS'];
/** Whether every view is pictured, in full, to look at. */
const isAll = process.env['COUNTERSIGN_SCREENSHOTS_OF'] === 'all';

const MOST_BYTES = 64_000;

const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 760 } } as const;

/** The pictures of the guide: the view, and where it looks different, the theme and size. */
const SHOWN: Readonly<Record<string, readonly Stop[]>> = {
  'wide light': ['open', 'keys-added', 'review', 'review-refused', 'messages'],
  'wide dark': ['review'],
  'narrow light': ['review', 'result', 'quorum'],
  'narrow dark': ['review'],
};

/** Writes a picture without opacity, with 32 shades of each colour: it takes half the bytes. */
function smaller(file: Buffer): Buffer {
  const picture = PNG.sync.read(file);
  for (let i = 0; i < picture.data.length; i += 1) picture.data[i] = (picture.data[i] ?? 0) & 0xf8;
  return PNG.sync.write(picture, {
    colorType: 2,
    inputHasAlpha: true,
    deflateLevel: 9,
    deflateStrategy: 0,
    filterType: 0,
  });
}

/** Where a view is more than its beginning, in pixels from the top of the page. */
const SCROLLED: Readonly<Partial<Record<Stop, number>>> = { messages: 460 };

async function photograph(page: Page, stop: Stop): Promise<Buffer> {
  await page.mouse.move(0, 0);
  await page.evaluate(
    (top) => {
      (document.activeElement as HTMLElement | null)?.blur();
      scrollTo(0, top);
    },
    isAll ? 0 : (SCROLLED[stop] ?? 0),
  );
  return page.screenshot({ fullPage: isAll, animations: 'disabled' });
}

describe.runIf(folder)('pictures of the views', () => {
  test.each(['light', 'dark'] as const)('%s', async (theme) => {
    const into = folder ?? '';
    mkdirSync(into, { recursive: true });
    for (const [size, viewport] of Object.entries(SIZES)) {
      await withPage({ theme, ...viewport, reducedMotion: 'reduce' }, (page) =>
        walk(page, async (stop) => {
          if (!isAll && !SHOWN[`${size} ${theme}`]?.includes(stop)) return;
          const picture = smaller(await photograph(page, stop));
          if (!isAll) expect(picture.length).toBeLessThanOrEqual(MOST_BYTES);
          writeFileSync(join(into, `${stop}-${size}-${theme}.png`), picture);
        }),
      );
    }
  });
});
