import { describe, expect, test } from 'vitest';
import { seedWords } from '../../../examples/fixtures.ts';
import { accountFromWords, signWith } from '../../../src/kit/account/index.ts';
import { createPageSession } from '../../../src/shell/page/pageSession.ts';
import { encodePsbt, formatPsbt, type Psbt } from '../../support/library.ts';
import { noise } from '../../support/noise.ts';
import { documentOf, paymentOf } from '../../support/pageSessions.ts';
import { refusalOf } from '../../support/refusal.ts';

const network = 'regtest';
const me = accountFromWords(seedWords, { network });

/** Adds a record of this many bytes that nobody knows. */
const swollen = (psbt: Psbt, size: number): Psbt => ({
  ...psbt,
  global: { ...psbt.global, unknown: [{ key: Uint8Array.of(0xf0), value: noise(size) }] },
});

describe('a session', () => {
  test('signs a PSBT of 1 MB, and shows it as codes', () => {
    const psbt = swollen(paymentOf(me), 1_000_000);
    const session = createPageSession({ network });
    expect(documentOf(session.open({ content: encodePsbt(psbt) })).review.inputs).toHaveLength(1);
    session.addKeys({ text: seedWords, network });
    expect(session.sign([]).final?.hex).toBe(signWith(me, psbt).hex);
    expect(session.codes({ kind: 'psbt', code: 'bbqr', density: 2000, from: 0, count: 2 }).count).toBeGreaterThan(500);
    expect(session.codes({ kind: 'psbt', code: 'ur', density: 2000, from: 0, count: 2 }).count).toBeGreaterThan(500);
    expect(refusalOf(() => session.codes({ kind: 'psbt', code: 'bbqr', density: 500, from: 0, count: 1 })).code).toBe(
      'qr/invalid',
    );
    expect(
      refusalOf(() => session.codes({ kind: 'psbt', code: 'plain', density: 500, from: 0, count: 1 })).message,
    ).toBe('This is too long for one code: choose BBQr or UR, or save a file');
  });

  test('signs 300 inputs, each once', () => {
    const psbt = paymentOf(me, 2, 300);
    const seen: number[] = [];
    const session = createPageSession({ network, onProgress: ({ done }) => seen.push(done) });
    session.addKeys({ text: seedWords, network });
    session.open({ content: formatPsbt(psbt) });
    expect(session.sign([])).toMatchObject({ final: { hex: signWith(me, psbt).hex } });
    expect(seen).toEqual(Array.from({ length: 301 }, (_, i) => i));
  });

  test.each([
    [0, 0],
    [1, 1],
    [20, 4000],
    [640, 480],
  ])('finds no code in a picture of %d by %d pixels', (width, height) => {
    const data = new Uint8ClampedArray(noise(4 * width * height));
    for (const isStill of [true, false]) {
      expect(createPageSession().scan({ width, height, data, isStill })).toEqual({ status: 'none' });
    }
  });

  test.each([
    { width: 10_000, height: 10_000, data: new Uint8ClampedArray(0) },
    { width: -1, height: -1, data: new Uint8ClampedArray(4) },
    { width: 0.5, height: 2, data: new Uint8ClampedArray(4) },
    { width: 100, height: 100, data: new Uint8ClampedArray(100) },
  ])('refuses a damaged picture: %#', (picture) => {
    expect(refusalOf(() => createPageSession().scan(picture)).message).toBe(
      'The picture is damaged: its size and its pixels disagree',
    );
  });

  test('refuses a picture of 100 megapixels', () => {
    const picture = { width: 10_000, height: 10_000, data: { length: 400_000_000 } as Uint8ClampedArray };
    expect(refusalOf(() => createPageSession().scan(picture)).message).toMatch(
      /^The picture has more than 64 million /,
    );
  });

  test.each([
    ['density', { density: 10 }],
    ['density', { density: 5000 }],
    ['from', { from: -1 }],
    ['count', { count: 201 }],
  ])('refuses codes with a wrong %s', (_, wrong) => {
    const session = createPageSession({ network });
    session.open({ content: formatPsbt(paymentOf(me)) });
    const form = { kind: 'psbt', code: 'bbqr', density: 500, from: 0, count: 1, ...wrong } as const;
    expect(refusalOf(() => session.codes(form)).code).toBe('page/refused');
  });
});
