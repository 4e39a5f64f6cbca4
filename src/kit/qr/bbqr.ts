import { deflateRaw } from 'pako';
import { assertBytes } from '../../core/bytes/assertBytes.ts';
import { concatBytes } from '../../core/bytes/compare.ts';
import { isHex, parseHex } from '../../core/bytes/hex.ts';
import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { formatBase32, parseBase32 } from '../../core/encoding/base32.ts';
import { inflate } from './inflate.ts';
import { assertSize, refuse } from './qrOptions.ts';

/** @see BBQr specification "File types" */
const FILE_TYPES = { psbt: 'P', transaction: 'T', json: 'J', text: 'U', binary: 'B' } as const;

/** The kind of content. */
export type BbqrType = keyof typeof FILE_TYPES;

type Encoding = 'H' | '2' | 'Z';

/** Options of `encodeBbqr`. */
export interface BbqrOptions {
  /** Default `psbt`. */
  readonly type?: BbqrType;
  /** The most characters of a frame, 24 to 4296. Default 375: a code of 65 modules a side. */
  readonly frameSize?: number;
}

const BBQR_OPTIONS: OptionNames<BbqrOptions> = { type: true, frameSize: true };

const SIZES = { least: 24, most: 4296, usual: 375 } as const;
const HEADER_SIZE = 8;
/** Two digits in base 36 count the frames. */
const MOST_FRAMES = 36 ** 2 - 1;
/** Characters that encode whole bytes, and so must stay in one frame. */
const UNITS: Readonly<Record<Encoding, number>> = { H: 2, '2': 8, Z: 8 };
/** Set by the specification: 1 KB, for readers with little memory. */
const WINDOW_BITS = 10;
const MOST_BYTES = 4_000_000;

const twoDigits = (number: number): string => number.toString(36).toUpperCase().padStart(2, '0');

/**
 * Encodes bytes as texts of QR codes, compressed where that is shorter.
 * @throws `qr/invalid` for a wrong option, or for more than 1295 frames
 * @see BBQr specification
 *
 * @example
 * ```ts
 * import { encodeBbqr } from 'countersign/qr';
 *
 * encodeBbqr(Uint8Array.of(1, 2, 3), { type: 'binary' })[0]; // B$2B0100AEBAG
 * ```
 */
export function encodeBbqr(content: Uint8Array, options: BbqrOptions = {}): readonly string[] {
  assertBytes('content', content);
  assertKnownOptions(options, BBQR_OPTIONS);
  const { type = 'psbt', frameSize = SIZES.usual } = options;
  assertSize('frameSize', frameSize, SIZES);
  const deflated = deflateRaw(content, { level: 9, windowBits: WINDOW_BITS });
  const isShorter = deflated.length < content.length;
  const text = formatBase32(isShorter ? deflated : content);
  const unit = UNITS['2'];
  const most = Math.floor((frameSize - HEADER_SIZE) / unit) * unit;
  const count = Math.max(1, Math.ceil(text.length / most));
  if (count > MOST_FRAMES) refuse('content', `needs more than ${MOST_FRAMES} frames: raise frameSize`);
  const size = Math.ceil(text.length / count / unit) * unit;
  const start = `B$${isShorter ? 'Z' : '2'}${FILE_TYPES[type]}`;
  const pieces = Array.from({ length: Math.max(1, Math.ceil(text.length / Math.max(1, size))) }, (_, i) =>
    text.slice(i * size, (i + 1) * size),
  );
  return pieces.map((piece, i) => `${start}${twoDigits(pieces.length)}${twoDigits(i)}${piece}`);
}

export interface BbqrFrame {
  readonly encoding: Encoding;
  readonly fileType: string;
  readonly count: number;
  readonly index: number;
  readonly data: Uint8Array;
}

const FRAME = /^B\$(?<encoding>[H2Z])(?<fileType>[A-Z])(?<count>[0-9A-Z]{2})(?<index>[0-9A-Z]{2})(?<body>[0-9A-Z]*)$/;

/** Returns `undefined` for a damaged text, or one that is not BBQr. */
export function parseBbqrFrame(text: string): BbqrFrame | undefined {
  const { encoding, fileType = '', body = '', ...numbers } = FRAME.exec(text)?.groups ?? {};
  const [count, index] = [Number.parseInt(numbers['count'] ?? '', 36), Number.parseInt(numbers['index'] ?? '', 36)];
  if (!isEncoding(encoding) || count === 0 || index >= count) return undefined;
  const data = encoding === 'H' ? (isHex(body) ? parseHex(body) : undefined) : parseBase32(body);
  return data && { encoding, fileType, count, index, data };
}

const isEncoding = (text: string | undefined): text is Encoding => text !== undefined && text in UNITS;

export const typeOfLetter = (letter: string): BbqrType | undefined =>
  (Object.keys(FILE_TYPES) as readonly BbqrType[]).find((type) => FILE_TYPES[type] === letter);

/** Returns `undefined` for damaged bytes, or if they inflate to over 4 MB. */
export function joinBbqr(encoding: Encoding, pieces: readonly Uint8Array[]): Uint8Array | undefined {
  const joined = concatBytes(...pieces);
  return encoding === 'Z' ? inflate(joined, { most: MOST_BYTES, raw: true, windowBits: WINDOW_BITS }) : joined;
}
