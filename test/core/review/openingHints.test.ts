import { describe, expect, test } from 'vitest';
import { coinName } from '../../../src/core/report/findingParts.ts';
import { otherMastersText } from '../../../src/core/report/openingHints.ts';
import { findOtherNetwork } from '../../../src/core/review/otherNetwork.ts';
import {
  type ExtendedKey,
  formatHex,
  HARDENED,
  heldKeyOf,
  keyFingerprint,
  masterKey,
  type NetworkName,
  networks,
  type Psbt,
} from '../../support/library.ts';
import { filled } from '../../support/musig2.ts';

/** Makes a PSBT whose first input and only output name keys at these paths. */
function psbtOf(paths: readonly (readonly number[])[], fingerprints: readonly Uint8Array[] = [filled(1, 4)]): Psbt {
  const named = paths.flatMap((path) =>
    fingerprints.map((fingerprint) => ({ pubkey: filled(2, 33), fingerprint, path })),
  );
  return {
    global: { txVersion: 2, version: 2, fallbackLocktime: 0 },
    inputs: [{ bip32Derivations: named.slice(0, fingerprints.length) }],
    outputs: [{ tapBip32Derivations: named.slice(fingerprints.length).map((key) => ({ ...key, leafHashes: [] })) }],
  };
}
const account = (purpose: number, coin: number): readonly number[] => [purpose + HARDENED, coin + HARDENED, HARDENED];
const [MAIN, TEST, LITECOIN] = [0, 1, 2];

describe('the key paths of a PSBT', () => {
  test.each<[readonly number[], NetworkName, string | undefined]>([
    [[MAIN], 'main', undefined],
    [[MAIN], 'signet', 'the main network'],
    // Regtest has no coins to lose, and its wallets often have the paths of the main network.
    [[MAIN], 'regtest', undefined],
    [[TEST], 'main', 'a test network'],
    [[TEST], 'regtest', undefined],
    [[LITECOIN], 'litecoin', undefined],
    [[LITECOIN], 'main', 'Litecoin'],
    [[LITECOIN], 'litecoin-testnet', 'Litecoin'],
    [[MAIN], 'litecoin', 'Bitcoin'],
    [[TEST], 'testnet4', undefined],
    // One path of another network is enough.
    [[TEST, MAIN], 'main', 'a test network'],
    [[MAIN, TEST], 'main', 'a test network'],
    [[TEST, MAIN], 'signet', 'the main network'],
    [[LITECOIN, MAIN], 'main', 'Litecoin'],
    [[LITECOIN, LITECOIN], 'main', 'Litecoin'],
    [[TEST, TEST], 'main', 'a test network'],
    [[], 'main', undefined],
    [[], 'signet', undefined],
  ])('with the coins %j, looked at on %s, are for %s', (coins, on, expected) => {
    const psbt = psbtOf(coins.map((coin) => account(84, coin)));
    const found = findOtherNetwork(psbt, networks[on]);
    expect(found && coinName(found.coinType, networks[on])).toBe(expected);
  });

  test('count if they begin with a purpose that has coins', () => {
    const found = (purpose: number) => findOtherNetwork(psbtOf([account(purpose, TEST)]), networks.main);
    expect([44, 48, 49, 84, 86, 87, 352].map(found)).toEqual(Array(7).fill({ coinType: 1 }));
    expect([0, 45, 47, 84 - HARDENED].map(found)).toEqual(Array(4).fill(undefined));
    expect(findOtherNetwork(psbtOf([[]]), networks.main)).toBeUndefined();
  });
});

describe('the master keys that a PSBT asks for', () => {
  const [own, other] = [masterKey(filled(1)), masterKey(filled(2))];
  const [name, otherName] = [own, other].map((key) => formatHex(keyFingerprint(key)));
  const asking = (...fingerprints: readonly Uint8Array[]) => {
    const named = fingerprints.map((fingerprint) => ({ publicKey: filled(2, 33), origin: { fingerprint, path: [0] } }));
    return { inputs: [{ canSign: false, claimedKeys: named }] };
  };
  const holding = (...keys: readonly ExtendedKey[]) => ({ keys: keys.flatMap((key) => heldKeyOf(key) ?? []) });
  const [a, b] = [filled(0xa, 4), filled(0xb, 4)];

  test('are named if none is at hand: is the passphrase right?', () => {
    expect(otherMastersText(asking(a), holding(own))).toBe(
      `the PSBT needs keys of the master key 0a0a0a0a; yours is ${name}: are the words and the passphrase the right ones?`,
    );
    expect(otherMastersText(asking(a, b, a), holding(own, other))).toBe(
      `the PSBT needs keys of the master keys 0a0a0a0a, 0b0b0b0b; yours is ${name}, ${otherName}: are the words and the passphrase the right ones?`,
    );
    const many = Array.from({ length: 12 }, (_, i) => filled(i + 1, 4));
    expect(otherMastersText(asking(...many), holding(own))?.match(/(0.)\1{3}/g)).toHaveLength(10);
  });

  test('are not named if one is at hand, if none is known, or if none is asked for', () => {
    expect(otherMastersText(asking(a, keyFingerprint(own)), holding(own))).toBeUndefined();
    expect(otherMastersText(asking(a), holding())).toBeUndefined();
    expect(otherMastersText(asking(a), holding({ ...own, depth: 1 }))).toBeUndefined();
    expect(otherMastersText(asking(), holding(own))).toBeUndefined();
    expect(otherMastersText(asking(new Uint8Array(4)), holding(own))).toBeUndefined();
  });

  test('are not named if a given key signs, whatever fingerprint the wallet wrote', () => {
    const { inputs } = asking(a);
    expect(
      otherMastersText({ inputs: inputs.map((input) => ({ ...input, canSign: true })) }, holding(own)),
    ).toBeUndefined();
  });
});
