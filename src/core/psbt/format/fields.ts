import { bytes32, compactSize, fixedBytes, i64le, u8, u32le, varBytes } from '../../bytes/codec.ts';
import { createWriter, type Writer, written } from '../../bytes/writer.ts';
import { GENERATIONS } from '../../generations.ts';
import { txidCodec, txOutCodec, witnessCodec } from '../../tx/codec.ts';
import type { PartCodec, RecordReader } from './record.ts';
import type { ProprietaryRecord, Psbt, PsbtGeneration, PsbtGlobal, PsbtInput, PsbtOutput } from './types.ts';
import {
  aggregateKey,
  boundedValue,
  compressedKey,
  controlBlockKey,
  dnssecProofValue,
  heightLocktimeValue,
  leafScriptValue,
  members,
  musig2SignerKey,
  originValue,
  participantsValue,
  previousTxValue,
  pubkeyKey,
  pubNonceValue,
  rawValue,
  signatureValue,
  silentPaymentValue,
  sizedKey,
  tapOriginValue,
  tapScriptSigKey,
  tapTreeValue,
  timeLocktimeValue,
  unsignedTxValue,
  versionValue,
  xpubKey,
} from './values.ts';

type Versions = 'both' | 'v0-required' | 'v2' | 'v2-required';

/** A codec that `FieldTable` matches with its member. */
interface FieldCodec {
  readonly read: (reader: RecordReader, size: number) => unknown;
  readonly write: (writer: Writer, value: never) => void;
  readonly check?: (reader: RecordReader, value: never) => void;
}

/**
 * Purposes of an input's record, apart from describing the coin: to sign, a signature that the Finalizer takes, or the
 * result. A final input drops all but the result; a joined transaction needs new signatures.
 * @see BIP174 "Input Finalizer"
 */
type Purpose = 'signing' | 'ecdsa-signature' | 'taproot-signature' | 'result';

interface FieldRow {
  readonly type: number;
  readonly versions: Versions;
  readonly since: PsbtGeneration;
  readonly purpose?: Purpose;
  /** Codec of the key's data after the type. */
  readonly key?: FieldCodec;
  readonly value: FieldCodec;
}

/** `holds` is for the compiler alone. */
interface Row<T> extends FieldRow {
  readonly holds?: T;
}

/** One row per member: a missing row or a wrong codec does not compile. */
type FieldTable<M> = {
  readonly [N in Exclude<keyof M, 'unknown'>]-?: Row<NonNullable<M[N]>>;
};

/** The versions of PSBTs that have a record, and the first generation that knows it. */
type Scope = Pick<FieldRow, 'versions' | 'since'>;

const V0_REQUIRED: Scope = { versions: 'v0-required', since: 'core-0.21' };
const CORE_0_21: Scope = { versions: 'both', since: 'core-0.21' };
const CORE_29: Scope = { versions: 'both', since: 'core-29' };
const CORE_30: Scope = { versions: 'both', since: 'core-30' };
const V2: Scope = { versions: 'v2', since: 'core-32' };
const V2_REQUIRED: Scope = { versions: 'v2-required', since: 'core-32' };
const BIPS: Scope = { versions: 'both', since: 'bips' };
const BIPS_V2: Scope = { versions: 'v2', since: 'bips' };

function single<T>(type: number, value: PartCodec<T>, scope: Scope): Row<T> {
  return { type, value, ...scope };
}

function keyed<K extends object, V extends object>(
  type: number,
  codecs: { readonly key: PartCodec<K>; readonly value: PartCodec<V> },
  scope: Scope,
): Row<readonly (K & V)[]> {
  return { type, ...codecs, ...scope };
}

const serving = <T>(purpose: Purpose, row: Row<T>): Row<T> => ({ ...row, purpose });
const toSign = <T>(row: Row<T>): Row<T> => serving('signing', row);

/** @see BIP174 "Proprietary Use Type" */
const proprietaryKey: PartCodec<Omit<ProprietaryRecord, 'value'>> = members({
  identifier: varBytes,
  subtype: compactSize,
  keyData: rawValue,
});

const proprietary = keyed(0xfc, { key: proprietaryKey, value: members({ value: rawValue }) }, CORE_29);

const preimages = (type: number, hashSize: number) =>
  keyed(
    type,
    { key: sizedKey([hashSize + 1], { hash: fixedBytes(hashSize) }), value: members({ preimage: rawValue }) },
    CORE_29,
  );
const bip32Derivations = (type: number) => keyed(type, { key: pubkeyKey, value: originValue }, CORE_0_21);
const tapBip32Derivations = (type: number) =>
  keyed(type, { key: sizedKey([33], { pubkey: bytes32 }), value: tapOriginValue }, CORE_29);
const musig2Participants = (type: number) =>
  keyed(
    type,
    {
      key: sizedKey([34], { aggregatePubkey: aggregateKey }),
      value: members({ participants: participantsValue }),
    },
    CORE_30,
  );
const scanKey = sizedKey([34], { scanKey: compressedKey });
const spEcdhShares = (type: number) =>
  keyed(type, { key: scanKey, value: members({ share: boundedValue(33, 33) }) }, BIPS_V2);
const spDleqProofs = (type: number) =>
  keyed(type, { key: scanKey, value: members({ proof: boundedValue(64, 64) }) }, BIPS_V2);
const spendKey = sizedKey([34], { spendKey: compressedKey });

/** BIP370's counts, which are not members of `PsbtGlobal`. */
export interface MapCounts {
  readonly inputCount?: number;
  readonly outputCount?: number;
}

/** In the order in which Core writes records. @see BIP174, BIP370, BIP375, BIP322 */
const globalFields: FieldTable<PsbtGlobal & MapCounts> = {
  unsignedTx: single(0x00, unsignedTxValue, V0_REQUIRED),
  xpubs: keyed(0x01, { key: xpubKey, value: originValue }, CORE_29),
  txVersion: single(0x02, u32le, V2_REQUIRED),
  fallbackLocktime: single(0x03, u32le, V2),
  inputCount: single(0x04, compactSize, V2_REQUIRED),
  outputCount: single(0x05, compactSize, V2_REQUIRED),
  txModifiable: single(0x06, u8, V2),
  spEcdhShares: spEcdhShares(0x07),
  spDleqProofs: spDleqProofs(0x08),
  signedMessage: single(0x09, rawValue, BIPS),
  version: single(0xfb, versionValue, CORE_29),
  proprietary,
};

/** @see BIP174, BIP370, BIP371, BIP373, BIP375, BIP376 */
const inputFields: FieldTable<PsbtInput> = {
  nonWitnessUtxo: single(0x00, previousTxValue, CORE_0_21),
  witnessUtxo: single(0x01, txOutCodec, CORE_0_21),
  partialSigs: serving(
    'ecdsa-signature',
    keyed(0x02, { key: pubkeyKey, value: members({ signature: signatureValue }) }, CORE_0_21),
  ),
  sighashType: toSign(single(0x03, u32le, CORE_0_21)),
  redeemScript: toSign(single(0x04, rawValue, CORE_0_21)),
  witnessScript: toSign(single(0x05, rawValue, CORE_0_21)),
  bip32Derivations: toSign(bip32Derivations(0x06)),
  ripemd160Preimages: toSign(preimages(0x0a, 20)),
  sha256Preimages: toSign(preimages(0x0b, 32)),
  hash160Preimages: toSign(preimages(0x0c, 20)),
  hash256Preimages: toSign(preimages(0x0d, 32)),
  tapKeySig: serving('taproot-signature', single(0x13, boundedValue(64, 65), CORE_29)),
  tapScriptSigs: serving(
    'taproot-signature',
    keyed(0x14, { key: tapScriptSigKey, value: members({ signature: boundedValue(64, 65) }) }, CORE_29),
  ),
  tapLeafScripts: toSign(keyed(0x15, { key: controlBlockKey, value: leafScriptValue }, CORE_29)),
  tapBip32Derivations: toSign(tapBip32Derivations(0x16)),
  tapInternalKey: toSign(single(0x17, bytes32, CORE_29)),
  tapMerkleRoot: toSign(single(0x18, bytes32, CORE_29)),
  musig2Participants: toSign(musig2Participants(0x1a)),
  musig2PubNonces: serving(
    'taproot-signature',
    keyed(0x1b, { key: musig2SignerKey, value: members({ pubNonce: pubNonceValue }) }, CORE_30),
  ),
  musig2PartialSigs: serving(
    'taproot-signature',
    keyed(0x1c, { key: musig2SignerKey, value: members({ partialSig: bytes32 }) }, CORE_30),
  ),
  finalScriptSig: serving('result', single(0x07, rawValue, CORE_0_21)),
  finalScriptWitness: serving('result', single(0x08, witnessCodec, CORE_0_21)),
  previousTxid: single(0x0e, txidCodec, V2_REQUIRED),
  outputIndex: single(0x0f, u32le, V2_REQUIRED),
  sequence: single(0x10, u32le, V2),
  requiredTimeLocktime: single(0x11, timeLocktimeValue, V2),
  requiredHeightLocktime: single(0x12, heightLocktimeValue, V2),
  porCommitment: single(0x09, rawValue, BIPS),
  spEcdhShares: spEcdhShares(0x1d),
  spDleqProofs: spDleqProofs(0x1e),
  spSpendBip32Derivations: toSign(keyed(0x1f, { key: spendKey, value: originValue }, BIPS_V2)),
  spTweak: toSign(single(0x20, bytes32, BIPS_V2)),
  proprietary,
};

/** @see BIP174, BIP370, BIP371, BIP373, BIP375, BIP353; Bitcoin Core `PSBTOutput::Serialize` */
const outputFields: FieldTable<PsbtOutput> = {
  redeemScript: single(0x00, rawValue, CORE_0_21),
  witnessScript: single(0x01, rawValue, CORE_0_21),
  bip32Derivations: bip32Derivations(0x02),
  amount: single(0x03, i64le, V2_REQUIRED),
  script: single(0x04, rawValue, V2_REQUIRED),
  // Core writes these records before those of taproot.
  proprietary,
  tapInternalKey: single(0x05, bytes32, CORE_29),
  tapTree: single(0x06, tapTreeValue, CORE_29),
  tapBip32Derivations: tapBip32Derivations(0x07),
  musig2Participants: musig2Participants(0x08),
  spV0Info: single(0x09, silentPaymentValue, BIPS_V2),
  spV0Label: single(0x0a, u32le, BIPS_V2),
  dnssecProof: single(0x35, dnssecProofValue, BIPS),
};

const PSBT_GENERATIONS: readonly PsbtGeneration[] = [...GENERATIONS, 'bips'];

export type NamedRow = FieldRow & { readonly name: string };

export interface MapRows {
  readonly rows: readonly NamedRow[];
  /** By key type. */
  readonly supported: Readonly<Record<PsbtGeneration, ReadonlyMap<number, NamedRow>>>;
}

function mapRows(table: Readonly<Record<string, FieldRow>>): MapRows {
  const rows = Object.entries(table).map(([name, row]) => ({ ...row, name }));
  const knownTo = (generation: PsbtGeneration): ReadonlyMap<number, NamedRow> => {
    const supportedRows = rows.filter(
      ({ since }) => PSBT_GENERATIONS.indexOf(since) <= PSBT_GENERATIONS.indexOf(generation),
    );
    return new Map(supportedRows.map((row) => [row.type, row]));
  };
  const supported = Object.fromEntries(PSBT_GENERATIONS.map((generation) => [generation, knownTo(generation)]));
  return { rows, supported: supported as MapRows['supported'] };
}

export const MAP_ROWS: Readonly<Record<'global' | 'input' | 'output', MapRows>> = {
  global: mapRows(globalFields),
  input: mapRows(inputFields),
  output: mapRows(outputFields),
};

/** Drops an input's records of these purposes. */
export function withoutPurposes(input: PsbtInput, purposes: readonly Purpose[]): PsbtInput {
  const names = MAP_ROWS.input.rows.flatMap(({ name, purpose }) => (purpose && purposes.includes(purpose) ? name : []));
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
}

/** Most keys and values fit. */
const PART_CAPACITY = 80;

/** Encodes a value, or a key without its type. */
export function encodePart({ write }: FieldCodec, entry: unknown): Uint8Array {
  const writer = createWriter(PART_CAPACITY);
  write(writer, entry as never);
  return written(writer);
}

/** Returns a PSBT's version: 0 if it states none. @see BIP370 PSBT_GLOBAL_VERSION */
export function psbtVersion({ global }: Pick<Psbt, 'global'>): number {
  return global.version ?? 0;
}
