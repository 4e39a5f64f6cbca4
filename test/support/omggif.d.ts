/** The parts of omggif that tests use: it has no types of its own. */
declare module 'omggif' {
  export class GifWriter {
    constructor(
      buffer: Uint8Array,
      width: number,
      height: number,
      options: { readonly palette: readonly number[]; readonly loop?: number },
    );
    addFrame(
      x: number,
      y: number,
      width: number,
      height: number,
      indexes: ArrayLike<number>,
      options: { readonly delay?: number; readonly disposal?: number; readonly transparent?: number },
    ): number;
    /** Returns the size of the file. */
    end(): number;
  }
  export class GifReader {
    constructor(buffer: Uint8Array);
    decodeAndBlitFrameRGBA(frame: number, pixels: Uint8Array): void;
  }
}
