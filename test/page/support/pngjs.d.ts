declare module 'pngjs' {
  /** A picture with eight bits for each of red, green, blue and opacity. */
  interface Picture {
    readonly width: number;
    readonly height: number;
    readonly data: Uint8Array;
  }

  /** The part of the library that tests use. */
  export const PNG: {
    readonly sync: {
      readonly read: (file: Uint8Array) => Picture;
      readonly write: (
        picture: Picture,
        options: { readonly colorType: 2; readonly deflateLevel: number; readonly filterType: number },
      ) => Buffer;
    };
  };
}
