/** The parts of pngjs that tests use: it has no types of its own. */
declare module 'pngjs' {
  export class PNG {
    constructor(options: { readonly width: number; readonly height: number });
    readonly width: number;
    readonly height: number;
    /** Red, green, blue and alpha. */
    data: Buffer;
    static readonly sync: {
      readonly read: (content: Uint8Array) => PNG;
      readonly write: (png: PNG, options?: object) => Buffer;
    };
  }
}
