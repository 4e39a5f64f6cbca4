import { describe, expect, test } from 'vitest';
import { parseWalletFile } from '../../../../src/kit/account/index.ts';
import { reasonOf } from '../../../support/walletFileReasons.ts';
import { descriptorsOf, walletFile } from '../../../support/walletFiles.ts';

const FILE = JSON.parse(walletFile('caravan-multisig.json'));
const [FIRST, ...OTHERS] = FILE.extendedPublicKeys;
const withFirst = (changes: object): object => ({ ...FILE, extendedPublicKeys: [{ ...FIRST, ...changes }, ...OTHERS] });
const written = (value: object): readonly string[] => descriptorsOf(JSON.stringify(value));

describe('a Caravan wallet', () => {
  test.each([
    ['P2SH', 'sh(sortedmulti('],
    ['P2SH-P2WSH', 'sh(wsh(sortedmulti('],
    ['P2SH_P2WSH', 'sh(wsh(sortedmulti('],
    ['P2WSH', 'wsh(sortedmulti('],
  ])('of type %s has the scripts %s', (addressType, start) => {
    expect(written({ ...FILE, addressType })[0]?.startsWith(start)).toBe(true);
  });

  test('may have keys of unknown origin', () => {
    for (const changes of [
      { bip32Path: 'Unknown (make sure you have written this down previously!)', xfp: '00000000' },
      { xfp: 'Unknown' },
      { bip32Path: undefined },
    ]) {
      expect(written(withFirst(changes))[0]).toContain(`sortedmulti(2,${FIRST.xpub}/<0;1>/*`);
    }
  });

  test('states its network', () => {
    expect(parseWalletFile(JSON.stringify(FILE)).networks).toEqual(['main']);
    expect(parseWalletFile(JSON.stringify({ ...FILE, network: undefined })).networks).toEqual(['main', 'litecoin']);
    expect(reasonOf(JSON.stringify({ ...FILE, network: 'testnet' }))).toMatch(
      /its keys are not for the network that it states$/,
    );
  });

  test.each([
    [{ ...FILE, quorum: { requiredSigners: 0, totalSigners: 3 } }, '0 of 3 signatures are impossible'],
    [{ ...FILE, quorum: { requiredSigners: 2, totalSigners: 4 } }, 'its quorum is of 4 keys, but the file has 3'],
    [{ ...FILE, quorum: { requiredSigners: '2' } }, 'its "quorum" does not say how many of how many keys sign'],
    [{ ...FILE, addressType: 'P2TR' }, 'its "addressType" is not P2SH, P2SH-P2WSH or P2WSH'],
    [{ ...FILE, network: 'moon' }, 'its network "moon" is not supported'],
    [{ ...FILE, extendedPublicKeys: 'none' }, 'its quorum is of 3 keys, but the file has 0'],
    [withFirst({ xpub: undefined }), 'key 1 has no "xpub"'],
    [withFirst({ xpub: OTHERS[0].xpub }), 'two of its keys are the same'],
    [
      withFirst({ bip32Path: "m/48'/0'/0'" }),
      'key 1 has a path of 3 steps, but its key lies 4 steps below the master key',
    ],
    [
      { ...withFirst({ xpub: zpub(), bip32Path: 'Unknown' }), addressType: 'P2SH' },
      'key 1 has a key for P2WPKH, but the format is P2SH',
    ],
  ])('is refused: %#', (value, reason) => {
    expect(reasonOf(JSON.stringify(value))).toBe(`Caravan wallet file: ${reason}`);
  });
});

/** Returns a key of a single signer. */
function zpub(): string {
  return walletFile('electrum-zpub.txt').trim();
}
