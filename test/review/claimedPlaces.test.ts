import { describe, expect, test } from 'vitest';
import { deriveForPsbt, formatPath, hash160, type Psbt, parsePath } from '../support/library.ts';
import { ALICE, BOB, parse, payment, WALLETS, withOutput } from '../support/psbts.ts';

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
