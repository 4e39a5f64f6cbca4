import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { campaign } from '../../support/campaign.ts';
import { createFrameReader, encodeBbqr, encodeUr } from '../../support/library.ts';
import { noise } from '../../support/noise.ts';

const NOISE = noise(400);
const OTHER = NOISE.map((byte) => byte ^ 1);

describe('a reader of frames', () => {
  test('says which frames are missing', () => {
    const reader = createFrameReader();
    const frames = encodeBbqr(NOISE, { frameSize: 200 });
    expect(frames).toHaveLength(4);
    expect(reader.add(frames[2] ?? '')).toEqual({ status: 'partial', format: 'bbqr', count: 4, missing: [0, 1, 3] });
    expect(reader.add(frames[0] ?? '')).toEqual({ status: 'partial', format: 'bbqr', count: 4, missing: [1, 3] });
  });

  test.each([
    ['BBQr', (content: Uint8Array) => encodeBbqr(content, { frameSize: 200 })],
    ['a UR', (content: Uint8Array) => [1, 2, 3, 4, 5].map(encodeUr(content, { fragmentSize: 100 }).frame)],
  ])('keeps to the content that it began with: %s', (_name, framesOf) => {
    const reader = createFrameReader();
    const [frames, others] = [framesOf(NOISE), framesOf(OTHER)];
    reader.add(frames[0] ?? '');
    reader.add(frames[1] ?? '');
    expect(reader.add(others[1] ?? '')).toEqual({ status: 'ignored', reason: 'other' });
    expect(reader.add('some text')).toEqual({ status: 'ignored', reason: 'other' });
    const states = frames.map((frame) => reader.add(frame).status);
    expect(states).toContain('complete');
  });

  test('reads another content once it is reset, or has read one', () => {
    const reader = createFrameReader();
    reader.add(encodeBbqr(NOISE, { frameSize: 200 })[0] ?? '');
    reader.reset();
    for (const content of [OTHER, NOISE]) {
      const states = encodeBbqr(content, { frameSize: 200 }).map((frame) => reader.add(frame));
      expect(states.at(-1)).toMatchObject({ status: 'complete', scanned: { content } });
    }
  });

  test('reads numbered frames, as Specter shows them, and single codes', () => {
    const reader = createFrameReader();
    expect(reader.add('p2of2 ZXC')).toEqual({ status: 'partial', format: 'numbered', count: 2, missing: [0] });
    expect(reader.add('p1of2 QWE')).toEqual({
      status: 'complete',
      scanned: { format: 'numbered', type: 'text', content: new TextEncoder().encode('QWEZXC') },
    });
    expect(reader.add(' cHNidP8= ')).toMatchObject({ status: 'complete', scanned: { format: 'text', type: 'text' } });
  });

  test('keeps the CBOR of a type that is not bytes', () => {
    const state = createFrameReader().add('ur:x-example/fxadaoaxaocsjsrt');
    expect(state).toEqual({
      status: 'complete',
      scanned: { format: 'ur', type: 'x-example', content: Uint8Array.of(0x43, 1, 2, 3) },
    });
  });

  test.each([
    '',
    'B$',
    'B$2P0000',
    'B$2P0101AA',
    'B$ZP0100AEBAG1',
    'ur:bytes',
    'ur:bytes/fxadaoaxaocsjsrk',
    'ur:bytes/1-0/fxadaoaxaocsjsrt',
    'ur:bytes/99999-99999/fxadaoaxaocsjsrt',
    'p0of2 a',
    'p3of2 a',
    'a'.repeat(8001),
  ])('ignores %j', (text) => {
    expect(createFrameReader().add(text)).toEqual({ status: 'ignored', reason: 'unreadable' });
  });

  test('never throws, whatever codes it is shown, and then reads on', () => {
    const good = [
      ...encodeBbqr(NOISE, { frameSize: 200 }),
      ...[1, 2, 3, 4, 5, 9].map(encodeUr(NOISE, { fragmentSize: 100 }).frame),
    ];
    const shown = fc.array(
      fc.oneof(
        fc.constantFrom(...good),
        fc.string(),
        fc.tuple(fc.constantFrom(...good), fc.nat(), fc.string({ maxLength: 3 })).map(([frame, place, piece]) => {
          const at = place % frame.length;
          return frame.slice(0, at) + piece + frame.slice(at + 1);
        }),
      ),
    );
    fc.assert(
      fc.property(shown, (texts) => {
        const reader = createFrameReader();
        for (const text of texts) reader.add(text);
        reader.reset();
        const states = encodeBbqr(OTHER, { frameSize: 200 }).map((frame) => reader.add(frame));
        expect(states.at(-1)).toMatchObject({ status: 'complete', scanned: { content: OTHER } });
      }),
      campaign(300),
    );
  });
});
