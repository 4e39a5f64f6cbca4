import { decodeQR } from 'qr/decode.js';
import { textOfCode } from '../../../kit/open/codeContent.ts';
import { createFrameReader, type ScannedContent } from '../../../kit/qr/frameReader.ts';
import type { OpenedView, Picture, ScanView } from '../protocol.ts';
import { refuse } from '../refusals.ts';

export interface Scanner {
  readonly scan: (picture: Picture) => ScanView;
  readonly scanText: (text: string) => ScanView;
  readonly reset: () => void;
}

/** A camera frame has 2 million pixels, a photograph 12 to 50 million. */
const MOST_PIXELS = 64_000_000;
/** In modules. */
const LEAST_SIDE = 21;
/** Milliseconds for an image file; a camera frame gets the library's 16. */
const STILL_EFFORT = { effort: Number.POSITIVE_INFINITY, timeLimit: 3000 } as const;

export function createScanner(open: (scanned: ScannedContent) => OpenedView): Scanner {
  const reader = createFrameReader();
  const read = new Set<string>();
  const scanText = (text: string): ScanView => {
    const state = reader.add(text);
    if (state.status === 'ignored') return state;
    const isNew = !read.has(text);
    read.add(text);
    if (state.status === 'partial') return { ...state, isNew };
    read.clear();
    return { status: 'complete', opened: open(state.scanned) };
  };
  return {
    scan: (picture) => {
      const text = textIn(picture);
      return text === undefined ? { status: 'none' } : scanText(text);
    },
    scanText,
    reset: () => {
      read.clear();
      reader.reset();
    },
  };
}

function textIn({ width, height, data, isStill = false }: Picture): string | undefined {
  const isWhole = Number.isInteger(width) && Number.isInteger(height) && width >= 0 && height >= 0;
  if (!isWhole || data.length !== 4 * width * height)
    refuse('The picture is damaged: its size and its pixels disagree');
  if (width * height > MOST_PIXELS) {
    refuse(
      `The picture has more than ${MOST_PIXELS / 1_000_000} million pixels: make it smaller, or crop it to the code`,
    );
  }
  if (width < LEAST_SIDE || height < LEAST_SIDE) return undefined;
  try {
    return decodeQR({ width, height, data }, { format: 'RGBA', textDecoder: textOfCode, ...(isStill && STILL_EFFORT) });
  } catch {
    return undefined;
  }
}
