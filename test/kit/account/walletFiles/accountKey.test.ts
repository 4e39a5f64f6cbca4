import { describe, expect, test } from 'vitest';
import { formatBase58Check, parseBase58Check } from '../../../../src/core/encoding/base58check.ts';
import {
  derivePath,
  EXTENDED_KEY_SIZE,
  formatXprv,
  formatXpub,
  masterKey,
  neuter,
} from '../../../../src/core/keys/bip32.ts';
import { parsePath } from '../../../../src/core/keys/path.ts';
import { seedOfWords } from '../../../../src/core/keys/seedWords.ts';
import { open } from '../../../../src/kit/open/open.ts';
import { networks } from '../../../support/library.ts';
import { reasonOf } from '../../../support/walletFileReasons.ts';
import { descriptorsOf, walletFile } from '../../../support/walletFiles.ts';

const ZPUB = walletFile('electrum-zpub.txt').trim();
const [XPUB = ''] = descriptorsOf(ZPUB)[0]?.match(/xpub\w+/) ?? [];
const [MULTISIG_KEY = ''] = walletFile('electrum-multisig.json').match(/Zpub\w+/) ?? [];
const FORMAT = 'extended key';

test.each([
  [`[73c5da0a/84h/0h/0h]${XPUB}`, 'wpkh([73c5da0a/84h/0h/0h]'],
  [`# my key\n[73C5DA0A/84'/0'/0']${ZPUB}\n`, 'wpkh([73c5da0a/84h/0h/0h]'],
  [ZPUB, 'wpkh(xpub'],
])('%s is read', (text, start) => {
  expect(descriptorsOf(text)[0]?.startsWith(start)).toBe(true);
});

test.each([
  [XPUB, /^neither its prefix nor its path says which addresses it has: write it as a descriptor/],
  [MULTISIG_KEY, /^it is one key of a multisig/],
  [`[73c5da0a/86h/0h/0h]${ZPUB}`, 'its prefix says BIP84, but its path BIP86'],
  [`[73c5da0a/84h/0h/1h]${ZPUB}`, 'line 1 has a path that ends in 1h, but its key is child 0h'],
  [`${ZPUB.slice(0, -1)}a`, 'line 1 has no valid extended key; copy the file again, whole'],
])('%s is refused', (text, reason) => {
  const refusal = reasonOf(text);
  expect(refusal.startsWith(`${FORMAT}: `)).toBe(true);
  expect(refusal.slice(FORMAT.length + 2)).toMatch(reason);
});

describe('the key of a signer', () => {
  const master = masterKey(seedOfWords(`${'abandon '.repeat(11)}about`));
  const PREFIXES = {
    xpub: 0x0488b21e,
    ypub: 0x049d7cb2,
    zpub: 0x04b24746,
    Ypub: 0x0295b43f,
    Zpub: 0x02aa7ed3,
  } as const;
  const keyAt = (path: string, prefix: keyof typeof PREFIXES): string => {
    const text = formatXpub(neuter(derivePath(master, parsePath(path))), networks.main);
    const bytes = parseBase58Check(text, EXTENDED_KEY_SIZE);
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, PREFIXES[prefix]);
    return formatBase58Check(bytes);
  };
  const lineAt = (path: string, prefix: keyof typeof PREFIXES): string => `[73c5da0a/${path}]${keyAt(path, prefix)}`;

  test.each([
    ['45h', 'xpub', 'p2sh'],
    ['48h/0h/0h/1h', 'xpub', 'p2sh-p2wsh'],
    ['48h/0h/0h/1h', 'Ypub', 'p2sh-p2wsh'],
    ['48h/0h/0h/2h', 'xpub', 'p2wsh'],
    ['48h/0h/0h/2h', 'Zpub', 'p2wsh'],
    ['48h/0h/0h/3h', 'xpub', undefined],
    ['87h/0h/0h', 'xpub', undefined],
    ['87h/0h/0h', 'Zpub', 'p2wsh'],
    ['1h', 'Zpub', 'p2wsh'],
  ] as const)('at %s as %s is for %s', (path, prefix, script) => {
    const opened = open(lineAt(path, prefix));
    const text = `[73c5da0a/${path}]${keyAt(path, 'xpub')}`;
    const file = { format: 'extended-key', descriptors: [], fingerprints: ['73c5da0a'] };
    expect(opened).toMatchObject({ kind: 'signers', file });
    expect(opened.kind === 'signers' && opened.file.signers).toEqual([{ text, ...(script && { script }) }]);
    const record = { xfp: '73C5DA0A', xpub: keyAt(path, prefix), path: `m/${path.replaceAll('h', "'")}` };
    const ofRecord = open(JSON.stringify(record));
    expect(ofRecord.kind === 'signers' && ofRecord.file.signers).toEqual([{ text, ...(script && { script }) }]);
    expect(reasonOf(JSON.stringify(record))).toMatch(/^extended key: it is one key of a multisig/);
  });

  test.each([
    ['48h/0h/0h/2h', 'Ypub', 'a prefix for P2SH-P2WSH, but a path for P2WSH'],
    ['48h/0h/0h/1h', 'Zpub', 'a prefix for P2WSH, but a path for P2SH-P2WSH'],
    ['45h', 'Zpub', 'a prefix for P2WSH, but a path for P2SH'],
    ['48h/0h/0h/2h', 'zpub', 'a prefix for P2WPKH, but a path for P2WSH'],
    ['48h/0h/0h', 'zpub', 'a prefix for P2WPKH, but a path for multisigs'],
    ['87h/0h/0h', 'ypub', 'a prefix for P2SH-P2WPKH, but a path for multisigs'],
  ] as const)('at %s as %s contradicts itself', (path, prefix, reason) => {
    expect(reasonOf(lineAt(path, prefix))).toBe(`${FORMAT}: line 1 has ${reason}: export the key again`);
  });

  test('is refused if it is private, and not quoted', () => {
    const xprv = formatXprv(derivePath(master, parsePath('48h/0h/0h/2h')), networks.main);
    const reason = reasonOf(`[73c5da0a/48h/0h/0h/2h]${xprv}`);
    expect(reason).toBe(`${FORMAT}: line 1 is the private key of a signer: give it as a key, not as a wallet`);
  });

  test('stands beside the keys of accounts', () => {
    const text = ['84h/0h/0h', '86h/0h/0h', '48h/0h/0h/2h'].map((path) => lineAt(path, 'xpub')).join('\n');
    const opened = open(text);
    expect(opened.kind).toBe('wallet');
    if (opened.kind !== 'wallet') return;
    expect(opened.file.descriptors.map(({ kind }) => kind)).toEqual(['wpkh', 'tr']);
    expect(opened.file.signers.map(({ script }) => script)).toEqual(['p2wsh']);
  });
});
