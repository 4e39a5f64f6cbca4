// The half of lzma1 that unpacks: its entry point would bring the other half along, three times as large. The types that it
// publishes are its sources, which our settings of TypeScript refuse.

declare module 'lzma1/lib/decoder.js' {
  import type { InputBuffer, OutputBuffer } from 'lzma1/lib/streams.js';

  export class Decoder {
    decompress(packed: InputBuffer, into: OutputBuffer): void;
  }
}

declare module 'lzma1/lib/streams.js' {
  export class InputBuffer {
    constructor(bytes: Uint8Array);
  }

  export class OutputBuffer {
    /** `capacity`: the expected size; it grows. */
    constructor(capacity: number);
    toArray(): Uint8Array;
  }
}
