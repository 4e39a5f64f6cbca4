import { equalBytes } from '../../core/bytes/compare.ts';
import { formatHex } from '../../core/bytes/hex.ts';
import { encodeUtf8 } from '../../core/bytes/utf8.ts';
import { parseBase43 } from '../../core/encoding/base43.ts';
import { type BbqrFrame, type BbqrType, joinBbqr, parseBbqrFrame, typeOfLetter } from './bbqr.ts';
import { decodeCbor } from './cbor.ts';
import { createFountainReader, type FountainPart } from './fountain.ts';
import { parseUrFrame } from './ur.ts';
import { joinOldUr, type OldUrPart, parseOldUrPart } from './urVersion1.ts';

/** The way a content is divided; `text`: a single code holds it. */
export type FrameFormat = 'bbqr' | 'ur' | 'numbered' | 'text';

/** The content of QR codes. */
export interface ScannedContent {
  readonly format: FrameFormat;
  /** A `BbqrType`, a UR type such as `crypto-psbt`, or `text`; for Electrum's base43, `psbt` or `transaction`. */
  readonly type: string;
  /** The bytes in the CBOR for `crypto-psbt`, `psbt` and `bytes`; for other URs, the CBOR. */
  readonly content: Uint8Array;
}

/** The state of a reader after a frame. */
export type ScanState =
  | { readonly status: 'complete'; readonly scanned: ScannedContent }
  | {
      readonly status: 'partial';
      readonly format: FrameFormat;
      /** Frames, or fragments of a UR. */
      readonly count: number;
      /** From 0. */
      readonly missing: readonly number[];
    }
  /** `damaged`: the frames do not fit together, and the reader begins anew. `other`: a frame of another content. */
  | { readonly status: 'ignored'; readonly reason: 'damaged' | 'other' | 'unreadable' };

/** Reads QR codes, in any order and repeated, until they give a content. */
export interface FrameReader {
  /** Adds the text of a code. Never throws. */
  readonly add: (text: string) => ScanState;
  readonly reset: () => void;
}

interface Assembly {
  /** Returns false for a frame of another content. */
  readonly add: (frame: Frame) => boolean;
  readonly format: FrameFormat;
  readonly count: number;
  readonly missing: () => readonly number[];
  readonly finish: () => ScannedContent | undefined;
}

type Frame =
  | { readonly format: 'bbqr'; readonly frame: BbqrFrame }
  | { readonly format: 'ur'; readonly type: string; readonly part: FountainPart }
  | ({ readonly format: 'ur' } & OldUrPart)
  | { readonly format: 'numbered'; readonly index: number; readonly count: number; readonly text: string };

const LONGEST = 8000;

/**
 * Creates a reader of BBQr, URs of both versions, numbered frames (Specter's `p1of3 …`) and single codes.
 *
 * @example
 * ```ts
 * import { createFrameReader, encodeBbqr } from 'countersign/qr';
 *
 * const reader = createFrameReader();
 * const [only = ''] = encodeBbqr(Uint8Array.of(1, 2, 3), { type: 'binary' });
 * const state = reader.add(only);
 * state.status === 'complete' && state.scanned.type; // binary
 * ```
 */
export function createFrameReader(): FrameReader {
  let assembly: Assembly | undefined;
  const addFrame = (frame: Frame): ScanState => {
    assembly ??= createAssembly(frame);
    if (!assembly.add(frame)) return { status: 'ignored', reason: 'other' };
    const [{ format, count }, missing] = [assembly, assembly.missing()];
    if (missing.length > 0) return { status: 'partial', format, count, missing };
    const scanned = assembly.finish();
    assembly = undefined;
    return scanned ? { status: 'complete', scanned } : { status: 'ignored', reason: 'damaged' };
  };
  return {
    add: (code) => {
      const text = code.trim();
      if (text === '' || text.length > LONGEST) return { status: 'ignored', reason: 'unreadable' };
      const read = readFrame(text);
      if (!read) return { status: 'ignored', reason: 'unreadable' };
      if (!('content' in read)) return addFrame(read);
      return assembly ? { status: 'ignored', reason: 'other' } : { status: 'complete', scanned: read };
    },
    reset: () => {
      assembly = undefined;
    },
  };
}

function readFrame(text: string): ScannedContent | Frame | undefined {
  if (text.startsWith('B$')) {
    const frame = parseBbqrFrame(text);
    return frame && { format: 'bbqr', frame };
  }
  if (/^ur:/i.test(text)) {
    const read = parseUrFrame(text);
    const old = read ? undefined : parseOldUrPart(text);
    if (!read) return old && { format: 'ur', ...old };
    return 'part' in read ? { format: 'ur', type: read.type, part: read.part } : scannedUr(read.type, read.message);
  }
  const { number, count, body } = NUMBERED.exec(text)?.groups ?? {};
  if (body === undefined) return electrumCode(text) ?? { format: 'text', type: 'text', content: encodeUtf8(text) };
  const frame = { format: 'numbered', index: Number(number) - 1, count: Number(count), text: body } as const;
  return frame.index >= 0 && frame.index < frame.count ? frame : undefined;
}

const LEAST_BASE43 = 80;
const [PSBT, TRANSACTION] = [/^70736274ff/, /^0[123]000000/] as const;

/** Only a PSBT or transaction in base43 decodes to such first bytes. */
function electrumCode(text: string): ScannedContent | undefined {
  if (text.length < LEAST_BASE43 || /^[0-9A-F]+$/.test(text)) return undefined;
  const content = parseBase43(text);
  const start = content && formatHex(content.subarray(0, 5));
  if (!start || !(PSBT.test(start) || TRANSACTION.test(start))) return undefined;
  return { format: 'text', type: PSBT.test(start) ? 'psbt' : 'transaction', content };
}

const NUMBERED = /^p(?<number>[0-9]{1,4})of(?<count>[0-9]{1,4}) (?<body>.*)$/is;

/** URs that hold a byte string. */
const PLAIN: ReadonlySet<string> = new Set(['bytes', 'crypto-psbt', 'psbt']);

function scannedUr(type: string, message: Uint8Array): ScannedContent | undefined {
  if (!PLAIN.has(type)) return { format: 'ur', type, content: message };
  const cbor = decodeCbor(message);
  return cbor?.type === 'bytes' ? { format: 'ur', type, content: cbor.value } : undefined;
}

function createAssembly(first: Frame): Assembly {
  if ('part' in first) return fountainAssembly(first.type, first.part);
  if (first.format === 'ur') return oldUrAssembly(first);
  if (first.format === 'numbered') return numberedAssembly(first.count);
  return bbqrAssembly(first.frame);
}

function fountainAssembly(type: string, first: FountainPart): Assembly {
  const reader = createFountainReader(first);
  return {
    format: 'ur',
    count: first.count,
    add: (frame) => 'part' in frame && frame.type === type && reader.add(frame.part),
    missing: reader.missing,
    finish: () => {
      const message = reader.message();
      return message && scannedUr(type, message);
    },
  };
}

function createPieces<T>(
  count: number,
  isSame: (a: T, b: T) => boolean,
): {
  add: (index: number, piece: T) => boolean;
  missing: () => readonly number[];
  all: () => readonly T[];
} {
  const pieces = new Map<number, T>();
  const indexes = Array.from({ length: count }, (_, i) => i);
  return {
    add: (index, piece) => {
      const existing = pieces.get(index);
      if (existing !== undefined) return isSame(existing, piece);
      pieces.set(index, piece);
      return true;
    },
    missing: () => indexes.filter((i) => !pieces.has(i)),
    all: () => indexes.flatMap((i) => pieces.get(i) ?? []),
  };
}

function bbqrAssembly({ encoding, fileType, count }: BbqrFrame): Assembly {
  const { add, missing, all } = createPieces(count, equalBytes);
  return {
    format: 'bbqr',
    count,
    add: (candidate) => {
      if (candidate.format !== 'bbqr') return false;
      const { frame } = candidate;
      const isSame = frame.encoding === encoding && frame.fileType === fileType && frame.count === count;
      return isSame && add(frame.index, frame.data);
    },
    missing,
    finish: () => {
      const content = joinBbqr(encoding, all());
      const type: BbqrType = typeOfLetter(fileType) ?? 'binary';
      return content && { format: 'bbqr', type, content };
    },
  };
}

function oldUrAssembly({ type, count, digest }: OldUrPart): Assembly {
  const { add, missing, all } = createPieces(count, (a: string, b: string) => a === b);
  return {
    format: 'ur',
    count,
    add: (frame) =>
      'digest' in frame &&
      frame.type === type &&
      frame.digest === digest &&
      frame.count === count &&
      add(frame.index, frame.text),
    missing,
    finish: () => {
      const message = joinOldUr(all(), digest);
      return message && scannedUr(type, message);
    },
  };
}

function numberedAssembly(count: number): Assembly {
  const { add, missing, all } = createPieces(count, (a: string, b: string) => a === b);
  return {
    format: 'numbered',
    count,
    add: (frame) => frame.format === 'numbered' && frame.count === count && add(frame.index, frame.text),
    missing,
    finish: () => ({ format: 'numbered', type: 'text', content: encodeUtf8(all().join('')) }),
  };
}
