import { describe, expect, test } from 'vitest';
import { deriveForPsbt, formatHex, formatPath, hash160, type Psbt, parsePath, reviewPsbt } from '../support/library.ts';
import { ALICE, BOB, make, PAYEE, parse, payment, WALLETS, withInput, withOutput, without } from '../support/psbts.ts';

const WPKH = 'm/84h/1h/0h';
const XPUB = ALICE.xpub(WPKH).replace(/^.*\]/, '');
/** The fingerprint of the account's own key, below which wallets without an origin begin their paths. */
const OWN = hash160(ALICE.keyAt(WPKH)).slice(0, 4);
const ALICES = ALICE.fingerprint;

/** Lists the last two steps of each place at which a descriptor is derived for an output that claims one origin. */
function placesOf(text: string, fingerprint: Uint8Array, path: string): readonly string[] {
  const claim = { pubkey: ALICE.keyAt('m/0'), fingerprint, path: parsePath(path) };
  // The input names keys of a multisig alone, at index 0.
  const psbt: Psbt = withOutput(payment(['multi']), 0, (output) => ({ ...output, bip32Derivations: [claim] }));
  const bare = withOutput(psbt, 1, ({ bip32Derivations: _, ...output }) => output);
  const paths = deriveForPsbt(bare, [parse(text)]).flatMap(({ keys }) => keys.map(({ origin }) => origin.path));
  return paths.map((steps) => formatPath(steps.slice(-2))).filter((end) => !end.endsWith('/0'));
}

describe('a claim is searched', () => {
  test.each([
    ['at its place', WALLETS.wpkh, ALICES, `${WPKH}/1/7`, ['/1/7']],
    [
      'under a zero fingerprint, if its whole path is that of a key',
      WALLETS.wpkh,
      new Uint8Array(4),
      `${WPKH}/1/7`,
      ['/1/7'],
    ],
    ['for any key of a multisig', WALLETS.multi, BOB.fingerprint, 'm/48h/1h/0h/0/7', ['/0/7', '/0/7']],
    ['below any path for a key without an origin', `wpkh(${XPUB}/<0;1>/*)`, BOB.fingerprint, 'm/5h/0/7', ['/0/7']],
    ['below the key itself, under its own fingerprint', WALLETS.wpkh, OWN, 'm/0/7', ['/0/7']],
  ])('%s', (_, text, fingerprint, path, places) => {
    expect(placesOf(text, fingerprint, path)).toEqual(places);
  });
});

describe('a claim is not searched', () => {
  test.each([
    ['in another account', `m/84h/1h/1h/1/7`],
    ['at another purpose', 'm/86h/1h/0h/1/7'],
    ['on another chain', `${WPKH}/2/7`],
    ['below a key of another fingerprint', 'm/1/7'],
    ['without a chain', 'm/7'],
  ])('%s', (_, path) => {
    expect(placesOf(WALLETS.wpkh, ALICES, path)).toEqual([]);
  });
});

test('an input without claims is searched at the first hundred indexes', () => {
  const ownerAt = (index: number): number | undefined => {
    const psbt = make({ inputs: [{ of: WALLETS.wpkh, index }], outputs: [{ to: PAYEE, value: 990_000n }] });
    const silent = withInput(psbt, 0, (input) => without(input, 'bip32Derivations'));
    return reviewPsbt(silent, { descriptors: [parse(WALLETS.wpkh)] }).inputs[0]?.verifiedOwner?.index;
  };
  expect([0, 1, 99, 100].map(ownerAt)).toEqual([0, 1, 99, undefined]);
});

test('keys without a wildcard are searched at their only place', () => {
  const psbt = payment(['wpkh']);
  for (const text of [`wpkh(${formatHex(ALICE.keyAt(`${WPKH}/0/0`))})`, `wpkh(${XPUB}/0/0)`]) {
    const descriptors = [parse(text), parse(WALLETS.wpkh)];
    const review = reviewPsbt(psbt, { descriptors });
    expect(review.inputs[0]?.verifiedOwner).toMatchObject({ descriptor: 0, index: 0 });
    expect(review.outputs[1]?.verifiedChange).toMatchObject({ descriptor: 1, index: 0 });
  }
});
