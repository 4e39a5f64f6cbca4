import { deflateSync } from 'node:zlib';
import { cosigners } from '../../../examples/fixtures.ts';
import { formatBytewords, parseBytewords } from '../../../src/kit/qr/bytewords.ts';
import { decodeCbor, encodeCbor } from '../../../src/kit/qr/cbor.ts';
import { crc32 } from '../../../src/kit/qr/crc32.ts';
import { inflate } from '../../../src/kit/qr/inflate.ts';
import { pngPicture } from '../../../src/kit/qr/pngPicture.ts';
import {
  createFrameReader,
  decodeWalletUr,
  encodeAccountUr,
  encodeBbqr,
  encodeDescriptorUr,
  encodeUr,
} from '../../support/library.ts';
import { noisePng } from '../../support/pngs.ts';
import { mutateBytes, mutateText } from '../mutate.ts';
import { OWN_PSBTS } from '../psbtSeeds.ts';
import { joined } from '../shapes.ts';
import type { Source } from '../source.ts';
import {
  attempt,
  bytesTarget,
  formedTarget,
  holds,
  type Json,
  jsonTarget,
  same,
  sameBytes,
  type Target,
  textOf,
} from '../target.ts';

const MULTISIG = `wsh(sortedmulti(2,${cosigners[0].xpub},${cosigners[1].xpub}))`;
const framesOf = ({ count, frame }: ReturnType<typeof encodeUr>): readonly string[] =>
  Array.from({ length: count + 3 }, (_, i) => frame(i + 1));
const [FIRST = new Uint8Array(0), SECOND = new Uint8Array(0)] = OWN_PSBTS;

const STREAMS: readonly (readonly string[])[] = [
  encodeBbqr(FIRST, { frameSize: 120 }),
  encodeBbqr(SECOND, { type: 'transaction', frameSize: 200 }),
  framesOf(encodeUr(FIRST, { fragmentSize: 80 })),
  framesOf(encodeUr(SECOND, { type: 'bytes', fragmentSize: 200 })),
  framesOf(encodeDescriptorUr(MULTISIG, { fragmentSize: 300 })),
  framesOf(encodeAccountUr([`wpkh(${cosigners[0].xpub})`])),
  ['p1of2 cHNidP8BAAoCAAAAAAAAAAA', 'p2of2 AAA=='],
];
const CODES = STREAMS.flat();

/** Shows the frames of a stream in any order, some of them changed or of another stream. */
function anyStream(source: Source): Json {
  const stream = source.pick(STREAMS);
  return Array.from({ length: 1 + source.next(stream.length + 4) }, (_, i) => {
    const frame = stream[source.once(3) ? source.next(stream.length) : i % stream.length] ?? '';
    if (source.once(12)) return source.pick(CODES);
    return source.once(6) ? mutateText(source, frame, CODES) : frame;
  });
}

/** Requires a reader to say what it lacks, and to read the same content once it lacks nothing. */
function runFrames(input: Json): void {
  if (!Array.isArray(input)) return;
  const reader = createFrameReader();
  for (const frame of input) {
    if (typeof frame !== 'string') return;
    const state = reader.add(frame);
    if (state.status === 'partial') {
      holds(state.missing.length > 0 && state.missing.length <= state.count, 'something is missing');
      holds(
        state.missing.every((at) => at >= 0 && at < state.count),
        'what is missing is one of the frames',
      );
    } else if (state.status === 'complete') {
      holds(state.scanned.content instanceof Uint8Array, 'a content is bytes');
      attempt(['qr/invalid'], () => decodeWalletUr(state.scanned.type, state.scanned.content));
    }
  }
  reader.reset();
}

const WALLET_URS = STREAMS.slice(4, 6).flatMap((frames) => {
  const reader = createFrameReader();
  return frames.flatMap((frame) => {
    const state = reader.add(frame);
    return state.status === 'complete' ? [state.scanned] : [];
  });
});
const UR_CONTENTS = WALLET_URS.map(({ content }) => content);
const UR_TYPES = [
  'crypto-output',
  'output-descriptor',
  'crypto-account',
  'account-descriptor',
  'crypto-hdkey',
  'hdkey',
];

function runCbor(bytes: Uint8Array): void {
  const value = decodeCbor(bytes);
  if (value) {
    const encoded = encodeCbor(value);
    same(textOf(decodeCbor(encoded)), textOf(value), 'encoded CBOR is the same value');
    sameBytes(encodeCbor(decodeCbor(encoded) ?? value), encoded, 'encoding CBOR is a fixed point');
  }
  for (const type of UR_TYPES) attempt(['qr/invalid'], () => decodeWalletUr(type, bytes));
}

function runBytewords(bytes: Uint8Array): void {
  const text = formatBytewords(bytes);
  const parsed = parseBytewords(text);
  holds(parsed !== undefined, 'words of bytes are read');
  sameBytes(parsed, bytes, 'and are those bytes');
}

const LIMIT = 1_000_000;

function runInflate(bytes: Uint8Array): void {
  for (const raw of [true, false]) {
    const inflated = inflate(bytes, { most: LIMIT, raw, windowBits: 15 });
    holds(inflated === undefined || inflated.length <= LIMIT, 'no more is inflated than wanted');
  }
}

const PNGS = [
  [8, 6],
  [8, 2],
  [1, 0],
  [4, 3],
  [16, 0],
].map(([depth = 8, colours = 6]) => noisePng({ width: 9, height: 7, depth, colours }));

/** Changes a chunk of a PNG and makes its checksum right. */
function anyPng(source: Source): Uint8Array {
  const png = source.pick(PNGS);
  if (source.once(4)) return mutateBytes(source, png, PNGS);
  const view = new DataView(png.buffer, png.byteOffset, png.length);
  const chunks: Uint8Array[] = [png.slice(0, 8)];
  for (let at = 8; at + 12 <= png.length; ) {
    const end = at + 8 + view.getUint32(at);
    const [type, old] = [png.subarray(at + 4, at + 8), png.subarray(at + 8, end)];
    const isChanged = source.once(2);
    const isPixels = type[0] === 0x49 && type[1] === 0x44;
    const data = !isChanged
      ? old
      : isPixels && source.once(2)
        ? deflateSync(source.bytes(source.next(200)))
        : mutateBytes(source, old, [old]);
    const body = Buffer.concat([type, data]);
    const [head, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    head.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    if (!source.once(20)) chunks.push(head, body, sum);
    at = end + 4;
  }
  return joined(...chunks);
}

const PIXELS = 100_000;

function runPng(bytes: Uint8Array): void {
  const picture = pngPicture(bytes, PIXELS);
  if (typeof picture === 'string') return;
  holds(picture.width * picture.height <= PIXELS, 'no more pixels than allowed');
  holds(picture.data.length === 4 * picture.width * picture.height, 'four bytes for each pixel');
}

/** Makes a generator of bytes: good ones, most of them changed. */
const changed =
  (good: readonly Uint8Array[]) =>
  (source: Source): Uint8Array =>
    source.once(9) ? source.pick(good) : mutateBytes(source, source.pick(good), good);

const DEFLATED = [FIRST, new Uint8Array(3000)].flatMap((bytes) => [deflateSync(bytes), deflateSync(bytes).subarray(2)]);

export const CODE_TARGETS: readonly Target[] = [
  jsonTarget('qr-frames', { generate: anyStream, run: runFrames }),
  bytesTarget('qr-cbor', { generate: changed(UR_CONTENTS), run: runCbor }),
  bytesTarget('bytewords', { generate: (source) => source.bytes(source.next(60)), run: runBytewords }),
  bytesTarget('inflate', { generate: changed(DEFLATED), run: runInflate }),
  formedTarget('png', { generate: anyPng, run: runPng }),
];
