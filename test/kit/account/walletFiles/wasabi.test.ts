import { expect, test } from 'vitest';
import { reasonOf } from '../../../support/walletFileReasons.ts';
import { descriptorsOf, walletFile } from '../../../support/walletFiles.ts';

const FILE = JSON.parse(walletFile('wasabi.json'));
const ZPUB = walletFile('electrum-zpub.txt').trim();
const [SEGWIT = '', TAPROOT = ''] = descriptorsOf(JSON.stringify(FILE));

test('a Wasabi wallet has an account of each kind', () => {
  expect([SEGWIT.slice(0, 26), TAPROOT.slice(0, 24)]).toEqual([
    'wpkh([73c5da0a/84h/0h/0h]x',
    'tr([73c5da0a/86h/0h/0h]x',
  ]);
});

test.each([
  [{ ExtPubKey: ZPUB, MasterFingerprint: '73C5DA0A', AccountKeyPath: "84'/0'/0'" }],
  [{ ExtPubKey: FILE.ExtPubKey, MasterFingerprint: '73C5DA0A', AccountKeyPath: 'm/84h/0h/0h' }],
])('the part that signers write is read: %#', (value) => {
  expect(descriptorsOf(JSON.stringify(value))).toEqual([SEGWIT]);
});

test('an account without its path has P2WPKH addresses', () => {
  const [found = ''] = descriptorsOf(JSON.stringify({ MasterFingerprint: '73C5DA0A', ExtPubKey: FILE.ExtPubKey }));
  expect(found.replace(/#.*/, '')).toBe(`wpkh(${FILE.ExtPubKey}/<0;1>/*)`);
});

test.each([
  [{ ExtPubKey: 7 }, 'its "ExtPubKey" is not text'],
  [
    { ...FILE, AccountKeyPath: "84'/1'/0'" },
    '"ExtPubKey" is a key for the main network, but its path is one of test networks',
  ],
  [{ ...FILE, ExtPubKey: ZPUB, AccountKeyPath: "49'/0'/0'" }, 'its prefix says BIP84, but its path BIP49'],
  [{ ...FILE, BlockchainState: { Network: 'RegTest' } }, 'its keys are not for the network that it states'],
])('is refused: %#', (value, reason) => {
  expect(reasonOf(JSON.stringify(value))).toBe(`Wasabi wallet file: ${reason}`);
});
