import { createHash } from 'node:crypto';
import type { PsbtMapKind } from '../../src/core/errors.ts';
import type { PsbtGeneration } from './library.ts';

/** Builds PSBTs byte by byte, with valid and invalid records. Shares no code with the codec under test. */

/**
 * One record: its key and its value in hex, which get their lengths; or raw bytes in hex, for records with wrong framing.
 * A `|` in a PSBT marks the offset that an error must name.
 */
export type Rec = readonly [key: string, value: string] | string;

export interface Marked {
  readonly bytes: Uint8Array;
  /** The offset of the mark, or -1. */
  readonly offset: number;
}

const MARK = '|';
const withoutMark = (hex: string): string => hex.replace(MARK, '');
const hexOf = (value: number, bytes: number): string => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer.toString('hex');
};

/** Encodes 32 bits, little-endian. */
export const u32 = (value: number): string => hexOf(value, 4);

/** Encodes a length or count in the shortest form. */
function size(value: number): string {
  if (value < 0xfd) return hexOf(value, 1);
  return value <= 0xffff ? `fd${hexOf(value, 2)}` : `fe${hexOf(value, 4)}`;
}

/** Puts the length before some hex. */
export const sized = (hex: string): string => size(withoutMark(hex).length / 2) + hex;

const recordHex = (record: Rec): string => (typeof record === 'string' ? record : sized(record[0]) + sized(record[1]));

/** Encodes records without a separator at the end. */
export const openMap = (...records: readonly Rec[]): string => records.map(recordHex).join('');
export const mapOf = (...records: readonly Rec[]): string => `${openMap(...records)}00`;

export const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

const MAGIC = '70736274ff';
export function wire(...maps: readonly string[]): Marked {
  const hex = MAGIC + maps.join('');
  return { bytes: bytesOf(withoutMark(hex)), offset: hex.includes(MARK) ? hex.indexOf(MARK) / 2 : -1 };
}

const sha256 = (bytes: Uint8Array): Uint8Array => Uint8Array.from(createHash('sha256').update(bytes).digest());
export const txidHex = (tx: string): string => Buffer.from(sha256(sha256(bytesOf(tx)))).toString('hex');

export const repeat = (byte: string, count: number): string => byte.repeat(count);

/** Multiples of the generator point. */
export const KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
export const KEY_2 = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';
export const KEY_Y = '483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8';
export const UNCOMPRESSED = `04${KEY.slice(2)}${KEY_Y}`;
export const X_ONLY = KEY.slice(2);
/** An x that is not on the curve. */
export const OFF_CURVE = `02${repeat('00', 31)}05`;
/** The shortest strict DER signature, with hash type ALL. */
export const SIGNATURE = '300602010102010101';
export const HASH = repeat('5a', 32);
export const ORIGIN = `d90c6a4f${u32(0x80000000)}${u32(7)}`;

const SEQUENCE = 'ffffffff';
export const outpoint = (txid: string, vout: number): string => txid + u32(vout);
export const txIn = (outpointHex: string, scriptSig = ''): string => outpointHex + sized(scriptSig) + SEQUENCE;
export const txOut = (sats: number, script: string): string => `${hexOf(sats, 6)}0000${sized(script)}`;
export const tx = (inputs: readonly string[], outputs: readonly string[]): string =>
  u32(2) + size(inputs.length) + inputs.join('') + size(outputs.length) + outputs.join('') + u32(0);

export const P2WPKH = `0014${repeat('11', 20)}`;
/** The two outputs that the inputs of the valid PSBTs spend. */
export const PREVIOUS = tx([txIn(outpoint(repeat('77', 32), 3))], [txOut(5000, P2WPKH), txOut(6000, P2WPKH)]);
export const PREVIOUS_TXID = txidHex(PREVIOUS);
export const UNSIGNED = tx(
  [txIn(outpoint(PREVIOUS_TXID, 0)), txIn(outpoint(PREVIOUS_TXID, 1))],
  [txOut(4000, P2WPKH), txOut(3000, P2WPKH)],
);

export interface Field {
  readonly map: PsbtMapKind;
  readonly field: string;
  readonly key: string;
  readonly value: string;
  /** The valid key sizes, as an error names them; undefined if every size is. */
  readonly keySizes: string | undefined;
  readonly versions: 'both' | 'v0' | 'v2';
  readonly since: PsbtGeneration;
  /** Whether the value has its own length, which may contradict that of the record. */
  readonly isTyped: boolean;
}

type Rest = Partial<Pick<Field, 'versions' | 'since' | 'isTyped'>> & { readonly keySizes?: string | undefined };

const field = (map: PsbtMapKind, name: string, key: string, value: string, rest: Rest = {}): Field => ({
  map,
  field: name,
  key,
  value,
  keySizes: '1',
  versions: 'both',
  since: 'core-32',
  isTyped: false,
  ...rest,
});

const OLD: Rest = { since: 'core-0.21' };
const NEW: Rest = { since: 'bips' };
const V2: Rest = { versions: 'v2' };
const TYPED: Rest = { isTyped: true };
const SIGNER = KEY_2 + KEY;
export const XPUB = `0488b21e${repeat('00', 9)}${HASH}${KEY}`;
const CONTROL_BLOCK = `c0${X_ONLY}${HASH}`;
const PROPRIETARY = `fc${sized('abcdef')}01ff`;

/** Every record of the BIPs with a valid value. */
export const FIELDS: readonly Field[] = [
  field('global', 'unsignedTx', '00', UNSIGNED, { ...OLD, ...TYPED, versions: 'v0' }),
  field('global', 'xpubs', `01${XPUB}`, ORIGIN, { keySizes: '79' }),
  field('global', 'txVersion', '02', u32(2), { ...V2, ...TYPED }),
  field('global', 'fallbackLocktime', '03', u32(9), { ...V2, ...TYPED }),
  field('global', 'inputCount', '04', '02', { ...V2, ...TYPED }),
  field('global', 'outputCount', '05', '02', { ...V2, ...TYPED }),
  field('global', 'txModifiable', '06', '03', { ...V2, ...TYPED }),
  field('global', 'spEcdhShares', `07${KEY}`, KEY_2, { ...NEW, ...V2, keySizes: '34' }),
  field('global', 'spDleqProofs', `08${KEY}`, HASH + HASH, { ...NEW, ...V2, keySizes: '34' }),
  field('global', 'signedMessage', '09', '6869', NEW),
  field('global', 'version', 'fb', u32(0), TYPED),
  field('global', 'proprietary', PROPRIETARY, '01', { keySizes: undefined }),
  field('global', 'unknown', 'f1aa', '01', { ...OLD, keySizes: undefined }),

  field('input', 'nonWitnessUtxo', '00', PREVIOUS, { ...OLD, ...TYPED }),
  field('input', 'witnessUtxo', '01', txOut(6000, P2WPKH), { ...OLD, ...TYPED }),
  field('input', 'partialSigs', `02${KEY}`, SIGNATURE, { ...OLD, keySizes: '34 or 66' }),
  field('input', 'sighashType', '03', u32(1), { ...OLD, ...TYPED }),
  field('input', 'redeemScript', '04', P2WPKH, OLD),
  field('input', 'witnessScript', '05', '51', OLD),
  field('input', 'bip32Derivations', `06${UNCOMPRESSED}`, ORIGIN, { ...OLD, keySizes: '34 or 66' }),
  field('input', 'finalScriptSig', '07', '51', OLD),
  field('input', 'finalScriptWitness', '08', '0201aa00', { ...OLD, ...TYPED }),
  field('input', 'porCommitment', '09', '6869', NEW),
  field('input', 'ripemd160Preimages', `0a${repeat('33', 20)}`, 'aa', { keySizes: '21' }),
  field('input', 'sha256Preimages', `0b${HASH}`, 'aa', { keySizes: '33' }),
  field('input', 'hash160Preimages', `0c${repeat('33', 20)}`, 'aa', { keySizes: '21' }),
  field('input', 'hash256Preimages', `0d${HASH}`, 'aa', { keySizes: '33' }),
  field('input', 'previousTxid', '0e', PREVIOUS_TXID, { ...V2, ...TYPED }),
  field('input', 'outputIndex', '0f', u32(1), { ...V2, ...TYPED }),
  field('input', 'sequence', '10', u32(5), { ...V2, ...TYPED }),
  field('input', 'requiredTimeLocktime', '11', u32(500_000_000), { ...V2, ...TYPED }),
  field('input', 'requiredHeightLocktime', '12', u32(499_999_999), { ...V2, ...TYPED }),
  field('input', 'tapKeySig', '13', HASH + HASH),
  field('input', 'tapScriptSigs', `14${X_ONLY}${HASH}`, `${HASH}${HASH}01`, { keySizes: '65' }),
  field('input', 'tapLeafScripts', `15${CONTROL_BLOCK}`, '51c0', { keySizes: '34' }),
  field('input', 'tapBip32Derivations', `16${X_ONLY}`, `01${HASH}${ORIGIN}`, { keySizes: '33' }),
  field('input', 'tapInternalKey', '17', X_ONLY, TYPED),
  field('input', 'tapMerkleRoot', '18', HASH, TYPED),
  field('input', 'musig2Participants', `1a${KEY}`, KEY_2 + KEY, { keySizes: '34' }),
  field('input', 'musig2PubNonces', `1b${SIGNER}`, KEY + KEY, { keySizes: '67 or 99' }),
  field('input', 'musig2PartialSigs', `1c${SIGNER}${HASH}`, HASH, { ...TYPED, keySizes: '67 or 99' }),
  field('input', 'spEcdhShares', `1d${KEY}`, KEY_2, { ...NEW, ...V2, keySizes: '34' }),
  field('input', 'spDleqProofs', `1e${KEY}`, HASH + HASH, { ...NEW, ...V2, keySizes: '34' }),
  field('input', 'spSpendBip32Derivations', `1f${KEY}`, ORIGIN, { ...NEW, ...V2, keySizes: '34' }),
  field('input', 'spTweak', '20', HASH, { ...NEW, ...V2, ...TYPED }),
  field('input', 'proprietary', PROPRIETARY, '01', { keySizes: undefined }),
  field('input', 'unknown', 'f1aa', '01', { ...OLD, keySizes: undefined }),

  field('output', 'redeemScript', '00', P2WPKH, OLD),
  field('output', 'witnessScript', '01', '51', OLD),
  field('output', 'bip32Derivations', `02${KEY}`, ORIGIN, { ...OLD, keySizes: '34 or 66' }),
  field('output', 'amount', '03', `${u32(3000)}00000000`, { ...V2, ...TYPED }),
  field('output', 'script', '04', P2WPKH, V2),
  field('output', 'tapInternalKey', '05', X_ONLY, TYPED),
  field('output', 'tapTree', '06', '01c0015101c20152'),
  field('output', 'tapBip32Derivations', `07${X_ONLY}`, `00${ORIGIN}`, { keySizes: '33' }),
  field('output', 'musig2Participants', `08${KEY}`, '', { keySizes: '34' }),
  field('output', 'spV0Info', '09', KEY + KEY_2, { ...NEW, ...V2, ...TYPED }),
  field('output', 'spV0Label', '0a', u32(1), { ...NEW, ...V2, ...TYPED }),
  field('output', 'dnssecProof', '35', '0461626364aabb', NEW),
  field('output', 'proprietary', PROPRIETARY, '01', { keySizes: undefined }),
  field('output', 'unknown', 'f1aa', '01', { ...OLD, keySizes: undefined }),
];

export type Version = 0 | 2;

/** The records that a map of that version requires. */
const ESSENTIALS: Readonly<Record<Version, Readonly<Record<PsbtMapKind, readonly Rec[]>>>> = {
  0: { global: [['00', UNSIGNED]], input: [], output: [] },
  2: {
    global: [
      ['02', u32(2)],
      ['04', '02'],
      ['05', '02'],
      ['fb', u32(2)],
    ],
    input: [
      ['0e', PREVIOUS_TXID],
      ['0f', u32(1)],
    ],
    output: [
      ['03', `${u32(3000)}00000000`],
      ['04', P2WPKH],
    ],
  },
};

export const essentials = (version: Version, map: PsbtMapKind): readonly Rec[] => ESSENTIALS[version][map];

const FILLER: Rec = ['f0', 'aa'];

export interface Placed extends Marked {
  /** 0 for the global map, else 1, the second of two maps. */
  readonly index: number;
  /** The position of the last placed record. */
  readonly record: number;
}

/**
 * Makes a PSBT of two inputs and two outputs that is valid but for `records`, which come last in the global map or in the
 * second input or output map. They replace required records of the same key.
 */
export function placed(version: Version, map: PsbtMapKind, ...records: readonly Rec[]): Placed {
  const typeOf = (record: Rec): string =>
    withoutMark(typeof record === 'string' ? record.slice(2) : record[0]).slice(0, 2);
  const types = new Set(records.map(typeOf));
  const others = essentials(version, map).filter((record) => !types.has(typeOf(record)));
  const before = map === 'global' ? others : [...others, FILLER];
  const whole = mapOf(...before, ...records);
  const plain = (kind: PsbtMapKind): string => mapOf(...essentials(version, kind));
  const maps = {
    global: [whole, plain('input'), plain('input'), plain('output'), plain('output')],
    input: [plain('global'), plain('input'), whole, plain('output'), plain('output')],
    output: [plain('global'), plain('input'), plain('input'), plain('output'), whole],
  };
  return { ...wire(...maps[map]), index: map === 'global' ? 0 : 1, record: before.length + records.length - 1 };
}

/** Makes a valid PSBT with every record that a generation knows. */
export function fullPsbt(version: Version, generation: PsbtGeneration = 'bips'): Uint8Array {
  const generations: readonly PsbtGeneration[] = ['core-0.21', 'core-32', 'bips'];
  const isThere = (one: Field, map: PsbtMapKind): boolean =>
    one.map === map &&
    one.versions !== (version === 0 ? 'v2' : 'v0') &&
    generations.indexOf(one.since) <= generations.indexOf(generation);
  const all = (map: PsbtMapKind): string =>
    mapOf(
      ...FIELDS.filter((one) => isThere(one, map)).map(({ field: name, key, value }): Rec => {
        return [key, name === 'version' ? u32(version) : value];
      }),
    );
  return wire(
    all('global'),
    mapOf(...essentials(version, 'input')),
    all('input'),
    mapOf(...essentials(version, 'output')),
    all('output'),
  ).bytes;
}

/** Returns the PSBT version in which to try a record. */
export const versionFor = ({ versions }: Field): Version => (versions === 'v2' ? 2 : 0);
