import type { CodeView, Picture } from '../../src/shell/page/protocol.ts';

/** How a camera or a screen shows a code. */
export interface Showing {
  /** Pixels of a module. Default 4. */
  readonly scale?: number;
  /** Modules of the border. Default 4. */
  readonly border?: number;
  /** Whether the code is light on dark. */
  readonly isInverted?: boolean;
  /** Whether it is an image file. */
  readonly isStill?: boolean;
}

/** Draws a code as the pixels of a picture. */
export function pictureOf({ size, modules }: CodeView, showing: Showing = {}): Picture {
  const { scale = 4, border = 4, isInverted = false, isStill } = showing;
  const width = (size + 2 * border) * scale;
  const data = new Uint8ClampedArray(4 * width * width).fill(0xff);
  for (let y = 0; y < width; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [column, row] = [Math.floor(x / scale) - border, Math.floor(y / scale) - border];
      const isInside = column >= 0 && row >= 0 && column < size && row < size;
      const isDark = (isInside && modules[row * size + column] === 1) !== isInverted;
      if (isDark) data.fill(0, 4 * (y * width + x), 4 * (y * width + x) + 3);
    }
  }
  return { width, height: width, data, ...(isStill !== undefined && { isStill }) };
}
