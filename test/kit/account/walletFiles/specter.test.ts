import { describe, expect, test } from 'vitest';
import { splitChecksum } from '../../../../src/core/descriptors/checksum.ts';
import { accountFromWalletFile, parseWalletFile } from '../../../../src/kit/account/index.ts';
import { reasonOf } from '../../../support/walletFileReasons.ts';
import { descriptorsOf, walletFile } from '../../../support/walletFiles.ts';

const FILE = JSON.parse(walletFile('specter-multisig.json'));
const [BOTH = ''] = descriptorsOf(walletFile('sparrow-single.txt'));

/** The first example of the format's documentation. */
const DOCUMENTED = {
  descriptor:
    'wpkh([c258d2e4/84h/1h/0h]tpubDD3ynpHgJQW8VvWRzQ5WFDCrs4jqVFGHB3vLC3r49XHJSqP8bHKdK4AriuUKLccK68zfzowx7YhmDN8SiSkgCDENUFx9qVw65YyqM78vyVe/0/*)',
  blockheight: 1_782_088,
  label: 'testnet',
};

test('reads the example of the documentation, with the change addresses that follow from it', () => {
  expect(parseWalletFile(JSON.stringify(DOCUMENTED))).toMatchObject({
    name: 'testnet',
    birthHeight: 1_782_088,
    fingerprints: ['c258d2e4'],
  });
  expect(descriptorsOf(JSON.stringify(DOCUMENTED))[0]).toContain('/<0;1>/*)');
});

test('takes a multipath descriptor, and one that has no chain', () => {
  expect(descriptorsOf(JSON.stringify({ descriptor: BOTH }))).toEqual([BOTH]);
  const flat = BOTH.replace(/#.*/, '').replace('<0;1>/*', '7/*');
  const account = accountFromWalletFile(JSON.stringify({ descriptor: flat, blockheight: -1 }));
  expect(account.change(2).address).toBe(account.receive(2).address);
});

test.each([
  [
    { ...FILE, descriptor: FILE.descriptor.replace('/0/*', '/1/*') },
    /^Specter wallet file: its descriptor: Provided checksum/,
  ],
  [{ ...FILE, descriptor: 'wsh(sortedmulti(4,a/*))' }, /^Specter wallet file: its descriptor: /],
])('is refused: %#', (value, reason) => {
  expect(reasonOf(JSON.stringify(value))).toMatch(reason);
});

const [KEY = ''] = /\[.*?(?=\/<)/.exec(BOTH) ?? [];

describe('keys without steps', () => {
  test('have receive and change addresses, as in Specter', () => {
    expect(descriptorsOf(JSON.stringify({ descriptor: `wpkh(${KEY})` }))).toEqual([BOTH]);
    const [multisig] = descriptorsOf(walletFile('specter-multisig.json'));
    expect(
      descriptorsOf(JSON.stringify({ ...FILE, descriptor: FILE.descriptor.replaceAll('/0/*', '').replace(/#.*/, '') })),
    ).toEqual([multisig]);
    const [tree = ''] = descriptorsOf(JSON.stringify({ descriptor: `tr(${KEY},{pk(${KEY}),pk(${KEY})})` })).map(
      (text) => text.match(/<0;1>/g)?.join(),
    );
    expect(tree).toBe('<0;1>,<0;1>,<0;1>');
  });

  test.each([
    `wpkh(${KEY}/7)`,
    `wpkh(${KEY}/0/0)`,
    'pkh(02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5)',
  ])('are not taken for a single address: %s', (descriptor) => {
    expect(reasonOf(JSON.stringify({ descriptor }))).toMatch(
      /^Specter wallet file: its descriptor is that of a single address; /,
    );
  });

  test('keep the checksum that was written', () => {
    expect(reasonOf(JSON.stringify({ descriptor: `wpkh(${KEY})#qqqqqqqq` }))).toBe(
      'Specter wallet file: its descriptor has a wrong checksum',
    );
  });
});

test('a command for Specter DIY may have steps, sets of steps and any name', () => {
  const { checksum } = splitChecksum(`wpkh(${KEY}/{0,1}/*)`, false);
  const commands = [
    `addwallet a & b&wpkh(${KEY})`,
    `importwallet x&wpkh(${KEY}/{0,1}/*)#${checksum}`,
    `addwallet &${BOTH}`,
  ];
  expect(commands.map((text) => descriptorsOf(text))).toEqual([[BOTH], [BOTH], [BOTH]]);
  expect(commands.map((text) => parseWalletFile(text).name)).toEqual(['a & b', 'x', undefined]);
  expect(descriptorsOf(`addwallet x&wpkh(${KEY}/0/*)`)[0]).toContain('/0/*)');
  expect(reasonOf(`addwallet x&wpkh(${KEY}/0)`)).toMatch(/single address/);
});

describe('a change descriptor', () => {
  const receive = DOCUMENTED.descriptor;
  const stranger =
    'tpubDC7jGaaSE66VDB6VhEDFYQSCAyugXmfnMnrMVyHNzW9wryyTxvha7TmfAHd7GRXrr2TaAn2HXn9T8ep4gyNX1bzGiieqcTUNcu2poyntrET';
  const withChange = (change: string, descriptor = receive): string =>
    JSON.stringify({ descriptor, change_descriptor: change });

  test('is joined with that of the receive addresses', () => {
    const expected = descriptorsOf(JSON.stringify(DOCUMENTED));
    const change = receive.replace('/0/*', '/1/*');
    expect(descriptorsOf(withChange(change))).toEqual(expected);
    expect(descriptorsOf(withChange(change, receive.replace('/0/*', '/<0;1>/*')))).toEqual(expected);
  });

  test.each([
    ['of another key', `wpkh([11111111/84h/1h/0h]${stranger}/1/*)`],
    ['of another kind', receive.replace(/wpkh(.*)\/0/, 'tr$1/1')],
    ['without keys', 'raw(51)'],
  ])('%s is refused', (_, change) => {
    const reason = 'Specter wallet file: its change descriptor is for change, but no receive descriptor has the same';
    expect(reasonOf(withChange(change))).toContain(reason);
    expect(reasonOf(withChange(change, receive.replace('/0/*', '/<0;1>/*')))).toContain(reason);
  });

  test('with the origin of another key is refused', () => {
    expect(reasonOf(withChange(`wpkh([c258d2e4/84h/1h/0h]${stranger}/1/*)`))).toBe(
      'Specter wallet file: its change descriptor: two keys claim the same path below the master key c258d2e4; export the wallet again',
    );
  });
});
