import { expect, test } from 'vitest';
import { findContestedPlace } from '../../../src/core/descriptors/keyPlaces.ts';
import {
  formatHex,
  formatXpub,
  keyFingerprint,
  masterKey,
  networks,
  neuter,
  parseDescriptor,
} from '../../support/library.ts';

const master = (byte: number) => neuter(masterKey(new Uint8Array(32).fill(byte)));
const text = (key: ReturnType<typeof master>): string => formatXpub(key, networks.main);
const OWN = master(1);
const [A, B] = [text(OWN), text(master(2))];
const OTHER_CHAIN_CODE = text({ ...OWN, chainCode: new Uint8Array(32) });
const FIXED = formatHex(OWN.publicKey);
const FINGERPRINT = formatHex(keyFingerprint(OWN));

const find = (texts: readonly string[]) =>
  findContestedPlace(texts.map((given) => parseDescriptor(given, networks.main)));

test.each([
  [[`wpkh([6738736c/84h/0h]${A}/0/*)`, `wpkh([6738736c/84h/0h]${B}/1/*)`], 1],
  [[`wpkh([6738736c/84h/0h]${A}/<0;1>/*)`, `pkh(${B}/*)`, `tr([6738736c/84'/0']${B}/*)`], 2],
  [[`wsh(multi(2,[6738736c/48h]${A}/*,[6738736c/48h]${B}/*))`], 0],
  [[`tr(${A}/*,pk(musig([6738736c/1]${A},[6738736c/1]${B})/*))`], 0],
  [[`wpkh([6738736c/84h]${A}/0/*)`, `wpkh([6738736c/84h]${OTHER_CHAIN_CODE}/1/*)`], 1],
  [[`pkh([6738736c/84h]${FIXED})`, `wpkh([6738736c/84h]${A}/*)`, `tr([6738736c/84h]${OTHER_CHAIN_CODE}/*)`], 2],
])('finds two keys of one origin in %j', (texts, index) => {
  expect(find(texts)).toEqual({ index, fingerprint: '6738736c' });
});

test('takes a key without an origin for its own', () => {
  expect(find([`wpkh(${A}/0/*)`, `wpkh([${FINGERPRINT}]${B}/1/*)`])).toEqual({ index: 1, fingerprint: FINGERPRINT });
  expect(find([`wpkh(${A}/0/*)`, `wpkh([${FINGERPRINT}]${A}/1/*)`])).toBeUndefined();
});

test.each([
  [[`wpkh([6738736c/84h/0h]${A}/0/*)`, `wpkh([6738736c/84h/0h]${A}/1/*)`]],
  [[`wpkh([6738736c/84h/0h]${A}/0/*)`, `wpkh([6738736c/84h/1h]${B}/0/*)`]],
  [[`wpkh([6738736c/84h]${A}/0/*)`, `wpkh([6738736d/84h]${B}/0/*)`]],
  [[`wpkh([6738736c/84h]${A}/0/*)`, `tr([6738736c/84h]${FIXED.slice(2)})`]],
  [[`wsh(multi(2,[00000000/48h]${A}/*,[00000000/48h]${B}/*))`]],
  [[`wpkh(${A}/*)`, `wpkh(${B}/*)`, 'raw(51)']],
])('finds no such keys in %j', (texts) => {
  expect(find(texts)).toBeUndefined();
});
