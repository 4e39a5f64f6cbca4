import { describe, expect, test } from 'vitest';
import { reasonOf } from '../../support/walletFileReasons.ts';
import { descriptorsOf, walletFile } from '../../support/walletFiles.ts';

const SPARROW = walletFile('sparrow-multisig.txt');
const PLAIN = walletFile('descriptors.txt');
const SINGLE = walletFile('sparrow-single.txt');
const [RECEIVE = ''] = SINGLE.match(/^wpkh.*\/0\/\*.*$/m) ?? [];

describe('descriptors in lines', () => {
  test('are read as a JSON array, too', () => {
    const lines = PLAIN.split('\n').filter((line) => line.startsWith('wsh'));
    expect(descriptorsOf(JSON.stringify(lines))).toEqual(descriptorsOf(PLAIN));
  });

  test('of several wallets stay apart', () => {
    const [multisig = ''] = descriptorsOf(PLAIN);
    expect(descriptorsOf(`${PLAIN}${RECEIVE}\n${RECEIVE}\n`)).toEqual([multisig, RECEIVE]);
  });

  test.each([
    ['wpkh(', "descriptor file: line 1: 'wpkh(' is not"],
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
      /^descriptor file: line \d: two keys claim one place below the master key [0-9a-f]{8}; export the wallet again$/,
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
      'Sparrow descriptor file: line 9 describes other addresses than line 2: the file was changed',
    );
  });
});
