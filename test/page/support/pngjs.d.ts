declare module 'pngjs' {
  /** The part of the library that tests use: pictures with eight bits for each of red, green, blue and opacity. */
  export const PNG: {
    readonly sync: {
      readonly read: (file: Uint8Array) => {
        readonly width: number;
        readonly height: number;
        readonly data: Uint8Array;
      };
    };
  };
}
