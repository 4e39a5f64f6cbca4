import { describe, expect, test } from 'vitest';
import { concatBytes } from '../../../../src/core/bytes/compare.ts';
import { parseHex } from '../../../../src/core/bytes/hex.ts';
import { descriptorChecksum } from '../../../../src/core/descriptors/checksum.ts';
import { formatBase58Check, parseBase58Check } from '../../../../src/core/encoding/base58check.ts';
import { parseWalletFile } from '../../../../src/kit/account/index.ts';
import { reasonOf } from '../../../support/walletFileReasons.ts';
import { descriptorsOf, walletFile } from '../../../support/walletFiles.ts';

const SPARROW = walletFile('sparrow-multisig.txt');
const PLAIN = walletFile('descriptors.txt');
const SINGLE = walletFile('sparrow-single.txt');
const [RECEIVE = ''] = SINGLE.match(/^wpkh.*\/0\/\*.*$/m) ?? [];

describe('descriptors in lines', () => {
  test('are read as a JSON array, too', () => {
    const lines = PLAIN.split('\n').filter((line) => line.startsWith('wsh'));
    expect(descriptorsOf(JSON.stringify(lines))).toEqual(descriptorsOf(PLAIN));
  });

  test('may have /** for both chains, as templates do', () => {
    const body = RECEIVE.replace(/#.*/, '').replace('/0/*', '/**');
    const both = descriptorsOf(body.replace('/**', '/<0;1>/*'));
    const whole = `${body}#${descriptorChecksum(body)}`;
    for (const text of [body, whole, JSON.stringify([whole]), `Receive and change: ${whole}`]) {
      expect(descriptorsOf(text)).toEqual(both);
    }
    const [multisig = ''] = descriptorsOf(PLAIN);
    const quorum = multisig.replace(/#.*/, '').replaceAll('/<0;1>/*', '/**');
    expect(quorum).toContain('/**,');
    expect(descriptorsOf(quorum)).toEqual([multisig]);
    expect(reasonOf(`${body}#qqqqqqqq`)).toBe('descriptor file: line 1 has a wrong checksum');
  });

  test('of several wallets stay apart', () => {
    const [multisig = ''] = descriptorsOf(PLAIN);
    expect(descriptorsOf(`${PLAIN}${RECEIVE}\n${RECEIVE}\n`)).toEqual([multisig, RECEIVE]);
  });

  test.each([
    ['wpkh(', 'descriptor file: line 1: a bracket is not closed, or not opened'],
    [`${RECEIVE}q`, 'descriptor file: line 1: Expected 8 character checksum, not 9 characters'],
    [RECEIVE.replace('/0/*', '/2/*'), 'descriptor file: line 1: Provided checksum'],
    [`${PLAIN}\nhello`, 'descriptor file: line 5: '],
    [
      PLAIN.replace(
        /xpub\w+/,
        'tpubDC7jGaaSE66VDB6VhEDFYQSCAyugXmfnMnrMVyHNzW9wryyTxvha7TmfAHd7GRXrr2TaAn2HXn9T8ep4gyNX1bzGiieqcTUNcu2poyntrET',
      ),
      'descriptor file: it mixes keys of the main network and of test networks',
    ],
    [
      RECEIVE.replace(/\/0\/\*\).*/, `/<${Array.from({ length: 101 }, (_, i) => i).join(';')}>/*)`),
      'descriptor file: line 1 has more than 100 paths',
    ],
    [`wsh(${'a'.repeat(200_000)})`, 'descriptor file: line 1 has more than 200000 characters'],
    ['pk(02)\n'.repeat(1001), 'descriptor file: it has more than 1000 descriptors'],
  ])('are refused: %s', (text, reason) => {
    expect(reasonOf(text).slice(0, reason.length)).toBe(reason);
  });
});

test('a refused descriptor is quoted in part, however long it is', () => {
  expect(reasonOf(`wsh(${'older(1),'.repeat(5000)})`).length).toBeLessThan(300);
});

describe('two descriptors', () => {
  const [, key = ''] = /^wpkh\((.*)\/0\/\*\)/.exec(RECEIVE) ?? [];
  const stranger =
    '[11111111/84h/0h/0h]xpub6DnEBNkSJKBYQmsbhS1sP9cNdtU5c9PLFGCjTJmxicxc13WB8zNNGQazabQpyFAGW5bV9tMko4uBxDxjUKL6dSAcx1tEbgEHtgSqyRsekh6';
  const forged = stranger.replace(/^.*\]/, key.replace(/\].*/, ']'));

  test.each([
    [`wpkh(${key}/0/*)`, `wpkh(${stranger}/1/*)`],
    [`wpkh(${key}/0/*)`, `tr(${key}/1/*)`],
    [`wpkh(${key}/0/*)`, `wpkh(${stranger}/1/*)`, `wpkh(${key}/0/*)`],
  ])('that are no receive and change descriptors of one wallet are refused: %#', (...lines) => {
    const reason =
      'its two descriptors differ in more than one step of their paths: give each wallet a file of its own';
    expect(reasonOf(lines.join('\n'))).toContain(`descriptor file: ${reason}`);
    expect(reasonOf(JSON.stringify(lines))).toContain(`descriptor file: ${reason}`);
  });

  test.each([
    [`wpkh(${key}/0/*)`, `wpkh(${forged}/1/*)`],
    [`wpkh(${key}/<0;1>/*)`, `wpkh(${forged}/1/*)`],
    [`wpkh(${key}/0/*)`, `wpkh(${key}/1/*)`, `tr(${forged}/1/*)`],
  ])('with two keys of one origin are refused: %#', (...lines) => {
    expect(reasonOf(lines.join('\n'))).toMatch(
      /^descriptor file: line \d: two keys claim the same path below the master key [0-9a-f]{8}; export the wallet again$/,
    );
  });

  test('that each have both chains are two wallets', () => {
    expect(descriptorsOf(`wpkh(${key}/<0;1>/*)\nwpkh(${stranger}/<0;1>/*)`)).toHaveLength(2);
  });
});

describe('Sparrow’s descriptors', () => {
  test('are one wallet, however many of them there are', () => {
    const [both = ''] = descriptorsOf(SPARROW);
    const lines = SPARROW.split('\n');
    expect(descriptorsOf(lines.slice(0, 2).join('\n'))).toEqual([both]);
    expect(descriptorsOf(lines.slice(4).join('\n'))).toEqual([both]);
  });

  test('must describe the same addresses', () => {
    expect(reasonOf(SPARROW.replace(/^wsh.*\/1\/\*.*$/m, RECEIVE))).toBe(
      'Sparrow descriptor file: line 9 describes different addresses from line 2: the file was changed',
    );
  });
});

describe('descriptors as other wallets write them', () => {
  const both = descriptorsOf(SINGLE);
  const [body = ''] = both.map((text) => text.replace(/#.*/, ''));
  const zpub = walletFile('electrum-zpub.txt').trim();
  const withZpub = body.replace(/xpub\w+/, zpub);
  const chain = (step: number): string => body.replace('<0;1>', `${step}`);

  test.each([
    `Receive: ${chain(0)}\nChange: ${chain(1)}`,
    `External descriptor:\n${chain(0)}\n\nInternal descriptor:\n${chain(1)}\n`,
    `Change: ${chain(1)}\nReceive: ${chain(0)}`,
    `Internal descriptor:\n${chain(1)}\nExternal descriptor:\n${chain(0)}\n`,
    `Descriptor:\t${body}`,
    withZpub,
    `${withZpub}#${descriptorChecksum(withZpub)}`,
    body.replace(/(?<=\/\d+)h/g, '’'),
    body.replace(/(?<=\/\d+)h/g, '′'),
    JSON.stringify([withZpub]),
  ])('are read: %s', (text) => {
    expect(descriptorsOf(text).map((found) => found.replaceAll("'", 'h').replace(/#.*/, ''))).toEqual([body]);
  });

  test('with a prefix of test networks or of Litecoin are for these', () => {
    const vpub =
      'vpub5Y6cjg78GGuNLsaPhmYsiw4gYX3HoQiRBiSwDaBXKUafCt9bNwWQiitDk5VZ5BVxYnQdwoTyXSs2JHRPAgjAvtbBrf8ZhDYe2jWAqvZVnsc';
    expect(parseWalletFile(`wpkh(${vpub}/<0;1>/*)`).networks).toContain('testnet4');
    const [, xpub = ''] = /(xpub\w+)/.exec(body) ?? [];
    const mtub = formatBase58Check(concatBytes(parseHex('01b26ef6'), parseBase58Check(xpub, 78).slice(4)));
    expect(parseWalletFile(`sh(wpkh(${mtub}/<0;1>/*))`).networks).toEqual(['litecoin']);
  });

  test.each([
    [
      withZpub.replace('wpkh(', 'tr('),
      /^descriptor file: line 1 has a key whose prefix stands for P2WPKH, but the descriptor has another script/,
    ],
    [`wsh(sortedmulti(1,${zpub}/<0;1>/*))`, /prefix stands for P2WPKH/],
    [`${withZpub}#qqqqqqqq`, 'descriptor file: line 1 has a wrong checksum'],
    [
      withZpub.replace(zpub, zpub.replace('r1ADq', 'r1ADr')),
      /^descriptor file: line 1: wpkh\(\): key 'zpub\.\.\.' is not valid/,
    ],
    [`Receive: ${body}\nv:pk(02)`, /^descriptor file: line 2: /],
  ])('are refused: %s', (text, reason) => {
    expect(reasonOf(text)).toMatch(reason);
  });
});

test('Sparrow’s comments may be those of any version', () => {
  const older = SPARROW.replace(/ \((?:BIP389|Bitcoin Core)\)/g, '');
  expect(descriptorsOf(older)).toEqual(descriptorsOf(SPARROW));
  expect(reasonOf(older.replace(/^wsh.*\/1\/\*.*$/m, RECEIVE))).toContain(
    'line 9 describes different addresses from line 2',
  );
});
