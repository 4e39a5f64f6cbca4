import { describe, expect, test } from 'vitest';
import { claiming, FINDING_ROWS } from '../../support/findingRows.ts';
import { type Psbt, parseHex } from '../../support/library.ts';
import { findingsOf, withInput } from '../../support/psbts.ts';

/** Adds final witnesses to two inputs. */
const withFinals = (psbt: Psbt, ...witnesses: readonly (readonly Uint8Array[])[]): Psbt =>
  witnesses.reduce(
    (at, finalScriptWitness, i) => withInput(at, i, (input) => ({ ...input, finalScriptWitness })),
    psbt,
  );
/** Makes bytes like a Schnorr signature with the nonce 7, and a hash type if there is one. */
const schnorr = (s: number, sighashType?: number): Uint8Array =>
  Uint8Array.of(...new Uint8Array(32).fill(7), ...new Uint8Array(32).fill(s), ...(sighashType ? [sighashType] : []));

describe.each(FINDING_ROWS)('findings about %s say what is wrong', (_, rows) => {
  test.each(rows.map(([what, psbt, texts, options = {}]) => ({ what, psbt, texts, options })))(
    '$what',
    ({ psbt, texts, options }) => {
      expect(findingsOf(psbt, options).map(({ check, text }) => `${check}: ${text}`)).toEqual(texts);
    },
  );
});

test.each<[string, Psbt, boolean]>([
  ['Schnorr signatures', withFinals(claiming('tr', 2), [schnorr(1)], [schnorr(2, 1)]), true],
  ['one Schnorr signature twice', withFinals(claiming('tr', 2), [schnorr(1)], [schnorr(1, 1)]), false],
  ['63 bytes in taproot', withFinals(claiming('tr', 2), [schnorr(1).slice(1)], [schnorr(2).slice(1)]), false],
  [
    'ECDSA signatures',
    withFinals(claiming('wpkh', 2), [parseHex('300602010102010101')], [parseHex('300602010102010201')]),
    true,
  ],
  ['64 bytes beside ECDSA', withFinals(claiming('wpkh', 2), [schnorr(1)], [schnorr(2)]), false],
])('a nonce that two signatures share is found: %s', (_, psbt, isFound) => {
  const texts = findingsOf(psbt).flatMap(({ check, text }) => (check === 'nonce-repeated' ? [text] : []));
  const text = 'Two signatures share a nonce: anyone who sees them can compute the private key.';
  expect(texts).toEqual(isFound ? [text] : []);
});
