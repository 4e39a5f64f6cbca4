import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { decodeQR } from 'qr/decode.js';
import { texts } from '../../../../src/shell/page/texts.ts';
import { createFrameReader, type ScannedContent } from '../../../support/library.ts';
import { button, choose } from './actions.ts';

/** A picture that is sharp but large deserves more than the library's 16 ms for a frame of a camera. */
const EFFORT = { format: 'RGBA', effort: Number.POSITIVE_INFINITY, timeLimit: 5000 } as const;

/** Reads the code in a picture of the screen; `undefined` while none is drawn. */
export function codeIn(picture: Buffer): string | undefined {
  const { width, height, data } = PNG.sync.read(picture);
  try {
    return decodeQR({ width, height, data: new Uint8ClampedArray(data) }, EFFORT);
  } catch {
    return undefined;
  }
}

const MOST_STEPS = 400;

/** A content, and the texts of the codes that it was read from. */
interface ReadCodes extends ScannedContent {
  readonly frames: readonly string[];
}

/** Chooses a format, and reads the codes that the page shows, from pictures of it, as another device would. */
export async function readCodes(page: Page, format: 'bbqr' | 'ur' | 'plain'): Promise<ReadCodes> {
  await choose(page, texts.codes[format]);
  const pause = button(page, texts.codes.pause);
  if (await pause.isVisible()) await pause.click();
  const code = page.locator('canvas.code');
  const reader = createFrameReader();
  const next = button(page, texts.codes.next);
  const frames: string[] = [];
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const text = codeIn(await code.screenshot());
    if (text !== undefined) frames.push(text);
    const state = text === undefined ? undefined : reader.add(text);
    if (state?.status === 'complete') return { ...state.scanned, frames };
    if (await next.isVisible()) await next.click();
  }
  throw new Error(`The codes were not complete after ${MOST_STEPS} pictures`);
}
