import { decodeQRBatch } from 'qr/decode.js';
import { networks } from '../../../core/network/networks.ts';
import { contentOfCode, textOfCode } from '../../../kit/open/codeContent.ts';
import type { CodeForm } from '../../../kit/qr/codeForm.ts';
import { createFrameReader, type ScannedContent, type ScanState } from '../../../kit/qr/frameReader.ts';
import { type Picture, pngPicture } from '../../../kit/qr/pngPicture.ts';
import { parseUrFrame } from '../../../kit/qr/ur.ts';
import { decodeUtf8 } from '../../terminal/lines.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';

interface CodeFile {
  /** Safe to show. */
  readonly name: string;
  readonly form: CodeForm;
  readonly content: Uint8Array;
}

interface Scanned {
  readonly scanned: ScannedContent;
  /** Index of its first file. */
  readonly first: number;
}

/** Decoding takes more than four bytes a pixel. */
const MOST_PIXELS = 4096 * 4096;

/** Returns PSBTs and transactions as bytes, and wallets and keys as lines of text. */
export async function readCodeFiles(
  files: readonly CodeFile[],
  network: string,
): Promise<readonly { readonly content: Uint8Array; readonly first: number }[]> {
  const scans = await scanFiles(files);
  return scans.map(({ scanned, first }) => {
    const name = files[first]?.name ?? '';
    const { content, networks: fitting } = withUsageErrors(
      () => contentOfCode(scanned),
      (reason) => `${name}: ${reason}`,
    );
    const isKnown = Object.hasOwn(networks, network);
    if (isKnown && fitting && !fitting.some((candidate) => candidate === network)) {
      throw new UsageError(`${name} is for ${fitting.join(' or ')}, not for ${network}: name it with --network`);
    }
    return { content, first };
  });
}

/**
 * Takes the frames of a content in any order and from several files. Once it is complete, further frames begin the
 * next.
 */
async function scanFiles(files: readonly CodeFile[]): Promise<readonly Scanned[]> {
  const scan = createScan(files);
  for (const [index, file] of files.entries()) {
    let hasCode = false;
    for await (const text of textsIn(file)) {
      hasCode = true;
      scan.add(text, index);
    }
    if (!hasCode) throw new UsageError(`${file.name}: no QR code was found in it`);
  }
  return scan.finish();
}

interface Begun {
  readonly state: Extract<ScanState, { status: 'partial' }>;
  readonly first: number;
}

function createScan(files: readonly CodeFile[]): {
  readonly add: (text: string, index: number) => void;
  readonly finish: () => readonly Scanned[];
} {
  const reader = createFrameReader();
  const contents: Scanned[] = [];
  /** Complete contents, whose frames a later file may repeat. */
  const done = new Set<string>();
  let texts: string[] = [];
  let open: Begun | undefined;
  const fileName = (index: number): string => files[index]?.name ?? '';
  return {
    add: (text, index) => {
      if (done.has(frameKey(text))) return;
      texts.push(text);
      const first = open?.first ?? index;
      const state = reader.add(text);
      if (state.status === 'ignored') throw ignored(state.reason, fileName(index), fileName(first));
      open = state.status === 'partial' ? { state, first } : undefined;
      if (state.status === 'partial') return;
      contents.push({ scanned: state.scanned, first });
      for (const read of texts) done.add(frameKey(read));
      texts = [];
    },
    finish: () => {
      if (open) throw missing(open.state, fileName(open.first));
      return contents;
    },
  };
}

/** Gives all frames of a UR the same name, so that a repeated frame does not begin a new content. */
function frameKey(text: string): string {
  const frame = parseUrFrame(text);
  if (!frame || !('part' in frame)) return text;
  const { count, size, checksum } = frame.part;
  return [frame.type, count, size, checksum].join(' ');
}

function ignored(reason: 'damaged' | 'other' | 'unreadable', name: string, first: string): UsageError {
  if (reason === 'damaged') return new UsageError(`${name}: its codes do not fit together: scan them again`);
  if (reason === 'unreadable')
    return new UsageError(`${name}: a code in it cannot be read: it may be cut off; scan it again`);
  const others = first === name ? 'the others in it' : `those in ${first}`;
  return new UsageError(`${name}: it contains a code from a different file than ${others}`);
}

const MOST_LISTED = 20;

function missing(state: Begun['state'], name: string): UsageError {
  const { format, count } = state;
  const numbers = state.missing.map((index) => String(index + 1));
  const listed = numbers.length > MOST_LISTED ? [...numbers.slice(0, MOST_LISTED), '…'] : numbers;
  const [what, read] = [format === 'ur' ? 'parts' : 'codes', count - numbers.length];
  return new UsageError(`${name}: ${read} of ${count} ${what} were read; still missing: ${listed.join(', ')}`);
}

async function* textsIn(file: CodeFile): AsyncGenerator<string> {
  if (file.form === 'frame') {
    for (const line of (decodeUtf8(file.content) ?? '').split(/\r\n|\r|\n/)) if (line.trim() !== '') yield line;
    return;
  }
  if (file.form === 'gif') {
    throw new UsageError(`${file.name}: GIF pictures cannot be read: save it as PNG, an animation as one PNG per code`);
  }
  yield* await codesIn(readPng(file));
}

function readPng({ name, content }: CodeFile): Picture {
  const picture = pngPicture(content, MOST_PIXELS);
  if (picture === 'damaged') throw new UsageError(`${name}: the picture is damaged`);
  if (picture === 'too large') {
    throw new UsageError(
      `${name}: the picture has more than ${MOST_PIXELS} pixels: make it smaller, or crop it to the code`,
    );
  }
  if (picture === 'interlaced')
    throw new UsageError(`${name}: interlaced PNG is not supported: save it non-interlaced`);
  return picture;
}

/** More effort than for a camera, which soon has another picture. */
const EFFORT = { effort: 10, timeLimit: 3000, textDecoder: textOfCode };

async function codesIn({ width, height, data }: Picture): Promise<readonly string[]> {
  const [results = []] = await decodeQRBatch([{ width, height, data }], EFFORT);
  return results.filter((result): result is string => typeof result === 'string');
}
