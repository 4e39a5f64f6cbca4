import { assertBytes } from '../../core/bytes/assertBytes.ts';
import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { formatBytewords, parseBytewords } from './bytewords.ts';
import { type Cbor, decodeCbor, encodeCbor } from './cbor.ts';
import { createFountain, type FountainPart, isPlausible, MOST_FRAGMENTS } from './fountain.ts';
import { assertSize, refuse } from './qrOptions.ts';

/** The types of URs that carry bytes as they are. @see BCR-2020-006 */
export type UrType = 'crypto-psbt' | 'psbt' | 'bytes';

/** A UR (uniform resource) as texts of QR codes. @see BCR-2020-005, BCR-2024-001 */
export interface UrFrames {
  /** The number of fragments, and of frames that a reader needs if it misses none. */
  readonly count: number;
  /**
   * Returns a frame, from 1, in capital letters, which QR codes hold densely. Frames beyond `count`, without end,
   * combine fragments, to make up for missed ones. A single frame is always the same.
   */
  readonly frame: (number: number) => string;
}

/** Options of `encodeUr`. */
export interface UrOptions {
  /** Default `crypto-psbt`, which more devices read than the newer `psbt`. */
  readonly type?: UrType;
  /** The most bytes of a fragment, 10 to 2000. Default 200: a code of 73 modules a side. */
  readonly fragmentSize?: number;
}

const UR_OPTIONS: OptionNames<UrOptions> = { type: true, fragmentSize: true };

const SIZES = { least: 10, most: 2000, usual: 200 } as const;
const MOST_BYTES = 4_000_000;

/**
 * Encodes bytes, such as those of a PSBT, as a UR.
 * @throws `qr/invalid` for a wrong option, more than 4 MB or more than 10 000 fragments
 *
 * @example
 * ```ts
 * import { encodeUr } from 'countersign/qr';
 *
 * const { count, frame } = encodeUr(Uint8Array.of(1, 2, 3), { type: 'bytes' });
 * count; // 1
 * frame(1); // UR:BYTES/FXADAOAXAOCSJSRT
 * ```
 */
export function encodeUr(content: Uint8Array, options: UrOptions = {}): UrFrames {
  assertBytes('content', content);
  assertKnownOptions(options, UR_OPTIONS);
  const { type = 'crypto-psbt', fragmentSize } = options;
  if (content.length > MOST_BYTES) refuse('content', `must have at most ${MOST_BYTES} bytes`);
  return encodeFrames(type, { type: 'bytes', value: content }, fragmentSize);
}

/** Characters before the payload; bytes of five numbers, sizes and a checksum in it. */
const OVERHEAD = { characters: 'UR:OUTPUT-DESCRIPTOR/99999-9999/'.length, bytes: 28 } as const;

/** Returns the `fragmentSize` of codes with at most so many characters. */
export const fragmentFor = (characters: number): number =>
  Math.min(SIZES.most, Math.max(SIZES.least, Math.floor((characters - OVERHEAD.characters) / 2) - OVERHEAD.bytes));

export function encodeFrames(type: string, value: Cbor, fragmentSize: number = SIZES.usual): UrFrames {
  assertSize('fragmentSize', fragmentSize, SIZES);
  const message = encodeCbor(value);
  const { count, part } = createFountain(message, fragmentSize);
  if (count > MOST_FRAGMENTS) {
    refuse('fragmentSize', `must be larger: ${message.length} bytes would take more than ${MOST_FRAGMENTS} fragments`);
  }
  const frame = (number: number): string => {
    if (count === 1) return `ur:${type}/${formatBytewords(message)}`.toUpperCase();
    const cbor = encodeCbor(partCbor(part(number)));
    return `ur:${type}/${number}-${count}/${formatBytewords(cbor)}`.toUpperCase();
  };
  return { count, frame };
}

function partCbor({ number, count, size, checksum, data }: FountainPart): Cbor {
  const uint = (value: number): Cbor => ({ type: 'uint', value });
  return { type: 'array', items: [...[number, count, size, checksum].map(uint), { type: 'bytes', value: data }] };
}

export type UrFrame =
  | { readonly type: string; readonly message: Uint8Array }
  | { readonly type: string; readonly part: FountainPart };

/** Returns `undefined` for a damaged text, or one that is not a UR. */
export function parseUrFrame(text: string): UrFrame | undefined {
  const { type, number, count, words } = FRAME.exec(text.toLowerCase())?.groups ?? {};
  const bytes = parseBytewords(words ?? '');
  if (type === undefined || !bytes) return undefined;
  if (number === undefined) return { type, message: bytes };
  const part = decodePart(decodeCbor(bytes));
  return part?.number === Number(number) && part.count === Number(count) ? { type, part } : undefined;
}

const FRAME = /^ur:(?<type>[a-z0-9-]{1,40})\/(?:(?<number>[0-9]{1,10})-(?<count>[0-9]{1,5})\/)?(?<words>[a-z]+)$/;

function decodePart(cbor: Cbor | undefined): FountainPart | undefined {
  if (cbor?.type !== 'array' || cbor.items.length !== 5) return undefined;
  const [number, count, size, checksum] = cbor.items.map((item) => (item.type === 'uint' ? item.value : -1));
  const last = cbor.items[4];
  if (last?.type !== 'bytes') return undefined;
  const part = { number: number ?? 0, count: count ?? 0, size: size ?? 0, checksum: checksum ?? 0, data: last.value };
  return isPlausible(part) ? part : undefined;
}
