import { describe, expect, test } from 'vitest';
import { claimedPlaces } from '../../../src/core/holder/claims.ts';
import { deriveForPsbt, formatHex, formatPath, hash160, type Psbt, parsePath } from '../../support/library.ts';
import {
  ALICE,
  BOB,
  make,
  PAYEE,
  parse,
  payment,
  review,
  WALLETS,
  withInput,
  withOutput,
  without,
} from '../../support/psbts.ts';

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
  // The first hundred indexes are searched for the input, which the descriptor does not derive.
  return paths.filter((steps) => (steps.at(-1) ?? 0) > 99).map((steps) => formatPath(steps.slice(-2)));
}

describe('a claim is searched', () => {
  test.each([
    ['at its place', WALLETS.wpkh, ALICES, `${WPKH}/1/700`, ['/1/700']],
    [
      'under a zero fingerprint, if its whole path is that of a key',
      WALLETS.wpkh,
      new Uint8Array(4),
      `${WPKH}/1/700`,
      ['/1/700'],
    ],
    ['for any key of a multisig', WALLETS.multi, BOB.fingerprint, 'm/48h/1h/0h/0/700', ['/0/700', '/0/700']],
    ['below any path for a key without an origin', `wpkh(${XPUB}/<0;1>/*)`, BOB.fingerprint, 'm/5h/0/700', ['/0/700']],
    ['below the key itself, under its own fingerprint', WALLETS.wpkh, OWN, 'm/0/700', ['/0/700']],
    ['below the key itself, under a zero fingerprint', WALLETS.wpkh, new Uint8Array(4), 'm/0/700', ['/0/700']],
  ])('%s', (_, text, fingerprint, path, places) => {
    expect(placesOf(text, fingerprint, path)).toEqual(places);
  });
});

describe('a claim is not searched', () => {
  test.each([
    ['in another account', `m/84h/1h/1h/1/700`],
    ['at another purpose', 'm/86h/1h/0h/1/700'],
    ['on another chain', `${WPKH}/2/700`],
    ['below a key of another fingerprint', 'm/1/700'],
    ['without a chain', 'm/700'],
    ['deeper below the account', `${WPKH}/9/1/700`],
  ])('%s', (_, path) => {
    expect(placesOf(WALLETS.wpkh, ALICES, path)).toEqual([]);
  });

  test('deeper below the key itself', () => {
    expect(placesOf(WALLETS.wpkh, OWN, 'm/5/1/700')).toEqual([]);
  });
});

describe('the places of many claims', () => {
  const single = parse(`wpkh(${XPUB}/0/*)`);
  /** Makes a map that names keys at these indexes. */
  const claiming = (...indexes: readonly number[]) => claimingAt(...indexes.map((index) => [0, index]));
  const claimingAt = (...paths: readonly (readonly number[])[]) => ({
    bip32Derivations: paths.map((path) => ({ pubkey: OWN, fingerprint: ALICES, path })),
  });
  const placesOfMaps = (inputs: Psbt['inputs'], outputs: Psbt['outputs']) =>
    claimedPlaces({ global: { txVersion: 2, version: 2, fallbackLocktime: 0 }, inputs, outputs }, [single]);

  test('are one of each map, and 200 more in the order of the claims', () => {
    const maps = Array.from({ length: 300 }, (_, map) => claiming(1000 + map, 2000 + map));
    // Map 5 makes three claims. The first claim of the last map is of another chain, and needs no search.
    maps[5] = claiming(1005, 2005, 3005);
    maps[299] = claimingAt([1, 8000], [0, 9000]);
    // A claim at an index that is searched anyway costs nothing.
    maps[10] = claiming(1010, 2009);
    maps[298] = claiming(1298, 2000);
    const { indexes, cutMaps } = placesOfMaps([], maps);
    const [found] = indexes;
    expect(found).toContain(9000);
    for (let map = 0; map < 299; map += 1) expect(found).toContain(1000 + map);
    expect(found?.filter((index) => index >= 2000 && index < 3000)).toHaveLength(200);
    const cut = Array.from({ length: 97 }, (_, i) => 201 + i);
    expect(cutMaps).toEqual([5, ...cut]);
  });

  test('are eight indexes of one map at most', () => {
    expect(placesOfMaps([claiming(...Array(9).keys())], []).indexes).toEqual([[0, 1, 2, 3, 4, 5, 6, 7]]);
  });

  test('are bounded for any number of descriptors that a claim without a fingerprint may name', () => {
    const count = 600;
    const alike = Array.from({ length: count }, (_, i) => parse(`wpkh(${ALICE.xpub(`m/${i}h`)}/0/*)`));
    const maps = Array.from({ length: count }, (_, i) => ({
      bip32Derivations: [{ pubkey: OWN, fingerprint: new Uint8Array(4), path: [0, 1000 + i] }],
    }));
    // A claim of one descriptor is searched, though others were cut before it.
    const named = {
      bip32Derivations: [{ pubkey: OWN, fingerprint: hash160(ALICE.keyAt('m/7h')).slice(0, 4), path: [0, 9000] }],
    };
    const { indexes, cutMaps } = claimedPlaces(
      { global: { txVersion: 2, version: 2, fallbackLocktime: 0 }, inputs: [], outputs: [...maps, named] },
      alike,
    );
    const places = indexes.reduce((sum, of) => sum + of.length, 0);
    expect([places, cutMaps.length, indexes[7]?.includes(9000)]).toEqual([24_601, count - 41, true]);
  });

  test('are those of each ranged key: of a participant, and of the aggregate', () => {
    const others = (text: string, path: readonly number[]) =>
      claimedPlaces(
        {
          global: { txVersion: 2, version: 2, fallbackLocktime: 0 },
          inputs: [{ bip32Derivations: [{ pubkey: OWN, fingerprint: ALICES, path }] }],
          outputs: [],
        },
        [parse(text)],
      ).indexes;
    expect(others(`tr(musig(${XPUB}/3/*,${BOB.xpub('m/5h')}/4/*))`, [3, 9])).toEqual([[9]]);
    expect(others(`tr(musig(${XPUB},${BOB.xpub('m/5h')})/6/*)`, [6, 9])).toEqual([[9]]);
    expect(others(`tr(musig(${XPUB},${BOB.xpub('m/5h')})/6/*)`, [3, 9])).toEqual([[]]);
    expect(others(`wsh(multi(1,${formatHex(ALICE.keyAt(WPKH))},${XPUB}/2/*))`, [2, 9])).toEqual([[9]]);
    expect(others(`wsh(multi(1,${XPUB}/0/5,${XPUB}/2/*))`, [0, 5])).toEqual([[]]);
    expect(others(`wpkh(${XPUB}/2/*)`, [9])).toEqual([[]]);
    expect(others(`wpkh(${XPUB}/3/4/*)`, [3, 4, 9])).toEqual([[9]]);
    expect(others(`wpkh(${XPUB}/*)`, [])).toEqual([[]]);
  });
});

test.each([
  ['without claims', []],
  ['with false claims', [{ pubkey: BOB.keyAt('m/0'), fingerprint: BOB.fingerprint, path: parsePath('m/0') }]],
])('an input %s is searched at the first hundred indexes', (_, bip32Derivations) => {
  const xpubs = [parse(`wpkh(${ALICE.xpub(WPKH)}/<0;1>/*)`)];
  const ownerAt = (index: number): number | undefined => {
    const psbt = make({ inputs: [{ of: WALLETS.wpkh, index }], outputs: [{ to: PAYEE, value: 990_000n }] });
    const hidden = withInput(psbt, 0, (input) => ({ ...without(input, 'bip32Derivations'), bip32Derivations }));
    const [owner, listed] = [[parse(WALLETS.wpkh)], xpubs].map(
      (descriptors) => review(hidden, { descriptors }).inputs[0]?.owner,
    );
    const found = owner?.kind === 'account' ? owner.place.index : undefined;
    expect(listed?.kind === 'account' ? listed.place.index : undefined).toBe(found);
    return found;
  };
  expect([0, 1, 99, 100].map(ownerAt)).toEqual([0, 1, 99, undefined]);
});

test('keys without a wildcard are searched at their only place', () => {
  const psbt = payment(['wpkh']);
  for (const text of [`wpkh(${formatHex(ALICE.keyAt(`${WPKH}/0/0`))})`, `wpkh(${XPUB}/0/0)`]) {
    const { inputs } = review(psbt, { descriptors: [parse(text)] });
    expect(inputs[0]?.owner).not.toMatchObject({ kind: 'none' });
    // The key at hand says more of the coin than the first file that derives it.
    const both = review(psbt, { descriptors: [parse(text), parse(WALLETS.wpkh)] });
    expect(both.inputs[0]?.owner).toMatchObject({ kind: 'account', place: { number: 0, chain: 0, index: 0 } });
    expect(both.outputs[1]).toMatchObject({ owner: { title: 'descriptor 2' }, role: 'change', stays: true });
  }
});
