import { fixedBytes, u32le, varBytes, vector } from '../../bytes/codec.ts';
import { readBytes, readU8, readU32, remaining, take } from '../../bytes/reader.ts';
import { type Writer, writeBytes, writeU8, writeU32 } from '../../bytes/writer.ts';
import { BtcError, type ErrorData } from '../../errors.ts';
import { isStrictSignature } from '../../script/signatureEncoding.ts';
import { isCompleteTree } from '../../script/tapTree.ts';
import { LOCKTIME_THRESHOLD } from '../../tx/absoluteLock.ts';
import { readTransaction, writeTransaction } from '../../tx/codec.ts';
import { txidOfBytes } from '../../tx/txid.ts';
import type { Transaction } from '../../tx/types.ts';
import {
  assertKeySize,
  isKnownOrValidKey,
  type KeyCodec,
  type RecordReader,
  readerOfPart,
  refuseKey,
  refuseValue,
  type ValueCodec,
} from './record.ts';
import type { KeyOrigin, Musig2Signer, PsbtOutput, TapKeyOrigin } from './types.ts';

/** Any bytes of the stated size. */
export const rawValue: ValueCodec<Uint8Array> = { read: readBytes, write: writeBytes };

/** Turns a codec of a value into one of `{ [name]: value }`, for list entries of several members. */
export function named<N extends string, V>(name: N, codec: ValueCodec<V>): ValueCodec<Record<N, V>>;
export function named(name: string, codec: ValueCodec<unknown>): ValueCodec<Record<string, unknown>> {
  return {
    read: (reader, size) => ({ [name]: codec.read(reader, size) }),
    write: (writer, entry) => codec.write(writer, entry[name]),
  };
}

/** Creates a codec of bytes whose length has limits. */
export function boundedValue(least: number, most: number): ValueCodec<Uint8Array> {
  return {
    read: (reader, size) => {
      const value = readBytes(reader, size);
      if (size < least) refuseValue(reader, 'too-short');
      if (size > most) refuseValue(reader, 'too-long');
      return value;
    },
    write: writeBytes,
  };
}

/** An unsigned transaction, never in witness serialization. @see BIP174 PSBT_GLOBAL_UNSIGNED_TX */
export const unsignedTxValue: ValueCodec<Transaction> = {
  read: (reader) => readTransaction(reader, { witness: false }),
  write: (writer, tx) => writeTransaction(writer, tx, { witness: false, mweb: false }),
  check: (_reader, tx) => {
    const inputIndex = tx.inputs.findIndex(({ scriptSig }) => scriptSig.length > 0);
    if (inputIndex < 0) return;
    const message = `Input ${inputIndex} of the unsigned transaction is signed: its scriptSig must be empty`;
    throw new BtcError('psbt/unsigned-tx-signed', { inputIndex }, message);
  },
};

/** A previous transaction, with or without witnesses. The reader records its txid. */
export const previousTxValue: ValueCodec<Transaction> = {
  read: (reader) => {
    const start = reader.offset;
    const tx = readTransaction(reader, { mweb: reader.session.mweb });
    reader.session.txids.set(tx, txidOfBytes(tx, reader.bytes.subarray(start, reader.offset)));
    return tx;
  },
  write: (writer, tx) => writeTransaction(writer, tx),
};

/** An ECDSA signature with its hash type; Core 0.21 accepts any bytes. */
export const signatureValue: ValueCodec<Uint8Array> = {
  read: (reader, size) => {
    const signature = readBytes(reader, size);
    if (reader.session.rules.checksSignatures && !isStrictSignature(signature))
      refuseValue(reader, 'signature-encoding');
    return signature;
  },
  write: writeBytes,
};

/** The highest PSBT version that nodes accept. @see Bitcoin Core `PSBT_HIGHEST_VERSION` */
const HIGHEST_VERSION = 2;

/** @see BIP370 PSBT_IN_REQUIRED_TIME_LOCKTIME */
export const timeLocktimeValue: ValueCodec<number> = {
  ...u32le,
  check: (reader, locktime) => {
    if (locktime < LOCKTIME_THRESHOLD) refuseValue(reader, 'time-locktime');
  },
};

/** @see BIP370 PSBT_IN_REQUIRED_HEIGHT_LOCKTIME */
export const heightLocktimeValue: ValueCodec<number> = {
  ...u32le,
  check: (reader, locktime) => {
    if (locktime >= LOCKTIME_THRESHOLD) refuseValue(reader, 'height-locktime');
    if (locktime === 0) refuseValue(reader, 'zero-height');
  },
};

/** @see BIP174 PSBT_GLOBAL_VERSION */
export const versionValue: ValueCodec<number> = {
  ...u32le,
  check: (reader, version) => {
    if (version > HIGHEST_VERSION) {
      throw unsupportedVersion({ ...reader.place, offset: reader.offset, version });
    }
  },
};

/** Returns the error for a PSBT of a version other than 0 and 2. */
export function unsupportedVersion(at: ErrorData['psbt/version-unsupported']): BtcError {
  return new BtcError('psbt/version-unsupported', at, `PSBT version ${at.version} is not supported, only 0 and 2 are`);
}

function readOrigin(reader: RecordReader, size: number): KeyOrigin {
  if (size === 0 || size % 4 !== 0) refuseValue(reader, 'key-path-length');
  const fingerprint = readBytes(reader, 4);
  const path: number[] = [];
  for (let left = size - 4; left > 0; left -= 4) path.push(readU32(reader));
  return { fingerprint, path };
}

function writeOrigin(writer: Writer, { fingerprint, path }: KeyOrigin): void {
  originFingerprint.write(writer, fingerprint);
  for (const child of path) writeU32(writer, child);
}

const originFingerprint = fixedBytes(4);
const hash256 = fixedBytes(32);
const leafHashesCodec = vector(hash256);

/** A fingerprint and a path. @see BIP174 PSBT_IN_BIP32_DERIVATION */
export const originValue: ValueCodec<KeyOrigin> = { read: readOrigin, write: writeOrigin };

/** Leaf hashes before the fingerprint and path. @see BIP371 PSBT_IN_TAP_BIP32_DERIVATION */
export const tapOriginValue: ValueCodec<Omit<TapKeyOrigin, 'pubkey'>> = {
  read: (reader, size) => {
    const start = reader.offset;
    const leafHashes = leafHashesCodec.read(reader);
    const left = size - (reader.offset - start);
    if (left < 0) refuseValue(reader, 'taproot-path-length');
    return { leafHashes, ...readOrigin(reader, left) };
  },
  write: (writer, origin) => {
    leafHashesCodec.write(writer, origin.leafHashes);
    writeOrigin(writer, origin);
  },
};

/** The script of a leaf with the leaf version after it. @see BIP371 PSBT_IN_TAP_LEAF_SCRIPT */
export const leafScriptValue: ValueCodec<{ readonly script: Uint8Array; readonly leafVersion: number }> = {
  read: (reader, size) => {
    if (size === 0) refuseValue(reader, 'empty');
    return { script: readBytes(reader, size - 1), leafVersion: readU8(reader) };
  },
  write: (writer, { script, leafVersion }) => {
    writeBytes(writer, script);
    writeU8(writer, leafVersion);
  },
};

type TapTree = NonNullable<PsbtOutput['tapTree']>;
const MAX_TAPROOT_DEPTH = 128;

/** The leaves of a script tree. @see BIP371 PSBT_OUT_TAP_TREE */
export const tapTreeValue: ValueCodec<TapTree> = {
  read: (reader, size) => {
    if (size === 0) refuseValue(reader, 'empty');
    const tree = readerOfPart(reader, take(reader, size));
    const leaves: TapTree[number][] = [];
    while (remaining(tree) > 0) {
      const leaf = { depth: readU8(tree), leafVersion: readU8(tree), script: varBytes.read(tree) };
      if (leaf.depth > MAX_TAPROOT_DEPTH) refuseValue(reader, 'tree-depth');
      if ((leaf.leafVersion & 1) !== 0) refuseValue(reader, 'tree-leaf-version');
      leaves.push(leaf);
    }
    if (!isCompleteTree(leaves.map(({ depth }) => depth))) refuseValue(reader, 'tree-malformed');
    return leaves;
  },
  write: (writer, leaves) => {
    for (const { depth, leafVersion, script } of leaves) {
      writeU8(writer, depth);
      writeU8(writer, leafVersion);
      varBytes.write(writer, script);
    }
  },
};

const PUBKEY_SIZE = 33;

/** Public keys in the order of aggregation, without separators. @see BIP373 PSBT_IN_MUSIG2_PARTICIPANT_PUBKEYS */
export const participantsValue: ValueCodec<readonly Uint8Array[]> = {
  read: (reader, size) => {
    const whole = readBytes(reader, size);
    const participants: Uint8Array[] = [];
    for (let start = 0; start + PUBKEY_SIZE <= size; start += PUBKEY_SIZE) {
      const pubkey = whole.slice(start, start + PUBKEY_SIZE);
      if (!isKnownOrValidKey(reader, pubkey)) refuseValue(reader, 'participant-pubkey');
      participants.push(pubkey);
    }
    if (size % PUBKEY_SIZE !== 0) refuseValue(reader, 'participants-length');
    return participants;
  },
  write: (writer, participants) => {
    for (const pubkey of participants) writeBytes(writer, pubkey);
  },
};

/** Exactly 66 bytes: two points, which the codec does not check. @see BIP373 PSBT_IN_MUSIG2_PUB_NONCE */
export const pubNonceValue: ValueCodec<Uint8Array> = {
  read: (reader, size) => {
    const nonce = readBytes(reader, size);
    if (size !== 2 * PUBKEY_SIZE) refuseValue(reader, 'not-66-bytes');
    return nonce;
  },
  write: writeBytes,
};

/** One compressed public key. */
const pubkeyValue: ValueCodec<Uint8Array> = {
  read: (reader) => {
    const pubkey = readBytes(reader, PUBKEY_SIZE);
    if (!isKnownOrValidKey(reader, pubkey)) refuseValue(reader, 'pubkey');
    return pubkey;
  },
  write: writeBytes,
};

/** A silent payment address: scan key, spend key. @see BIP375 PSBT_OUT_SP_V0_INFO */
export const silentPaymentValue: ValueCodec<NonNullable<PsbtOutput['spV0Info']>> = {
  read: (reader, size) => ({ scanKey: pubkeyValue.read(reader, size), spendKey: pubkeyValue.read(reader, size) }),
  write: (writer, { scanKey, spendKey }) => {
    writeBytes(writer, scanKey);
    writeBytes(writer, spendKey);
  },
};

/** A name behind its one-byte length, then the proof. @see BIP353 PSBT_OUT_DNSSEC_PROOF */
export const dnssecProofValue: ValueCodec<NonNullable<PsbtOutput['dnssecProof']>> = {
  read: (reader, size) => {
    const start = reader.offset;
    const name = readBytes(reader, readU8(reader));
    const left = size - (reader.offset - start);
    if (left < 0) refuseValue(reader, 'too-short');
    return { name, proof: readBytes(reader, left) };
  },
  write: (writer, { name, proof }) => {
    writeU8(writer, name.length);
    writeBytes(writer, name);
    writeBytes(writer, proof);
  },
};

/** Creates a codec of key data of `length` bytes, read into the member `name`. */
export function fixedKey<N extends string>(name: N, length: number): KeyCodec<Record<N, Uint8Array>>;
export function fixedKey(name: string, length: number): KeyCodec<Record<string, Uint8Array>> {
  const codec = fixedBytes(length);
  return {
    read: (reader, size) => {
      assertKeySize(reader, size, length + 1);
      return { [name]: codec.read(reader) };
    },
    write: (writer, entry) => codec.write(writer, entry[name] ?? new Uint8Array(0)),
  };
}

/** A public key on the curve, compressed or not. */
export const pubkeyKey: KeyCodec<{ readonly pubkey: Uint8Array }> = {
  read: (reader, size) => {
    assertKeySize(reader, size, 34, 66);
    const pubkey = readBytes(reader, size - 1);
    if (!isKnownOrValidKey(reader, pubkey)) refuseKey(reader, 'pubkey');
    return { pubkey };
  },
  write: (writer, { pubkey }) => writeBytes(writer, pubkey),
};

/** Creates a codec of a compressed public key on the curve, read into the member `name`. */
export function compressedKey<N extends string>(name: N): KeyCodec<Record<N, Uint8Array>>;
export function compressedKey(name: string): KeyCodec<Record<string, Uint8Array>> {
  const bytes = fixedKey(name, PUBKEY_SIZE);
  return {
    ...bytes,
    read: (reader, size) => {
      const entry = bytes.read(reader, size);
      if (!isKnownOrValidKey(reader, entry[name] ?? new Uint8Array(0))) {
        refuseKey(reader, name === 'aggregatePubkey' ? 'aggregate-pubkey' : 'pubkey');
      }
      return entry;
    },
  };
}

/** The 78 bytes of an extended public key, with any version bytes. @see BIP32 "Serialization format" */
export const xpubKey: KeyCodec<{ readonly xpub: Uint8Array }> = {
  read: (reader, size) => {
    assertKeySize(reader, size, 79);
    const xpub = readBytes(reader, 78);
    const isRoot = xpub[4] === 0;
    const hasParent = xpub.subarray(5, 13).some((byte) => byte !== 0);
    if ((isRoot && hasParent) || !isKnownOrValidKey(reader, xpub.slice(45))) refuseKey(reader, 'pubkey');
    return { xpub };
  },
  write: (writer, { xpub }) => writeBytes(writer, xpub),
};

/** An x-only key and a leaf hash. @see BIP371 PSBT_IN_TAP_SCRIPT_SIG */
export const tapScriptSigKey: KeyCodec<{ readonly pubkey: Uint8Array; readonly leafHash: Uint8Array }> = {
  read: (reader, size) => {
    assertKeySize(reader, size, 65);
    return { pubkey: hash256.read(reader), leafHash: hash256.read(reader) };
  },
  write: (writer, { pubkey, leafHash }) => {
    hash256.write(writer, pubkey);
    hash256.write(writer, leafHash);
  },
};

/** A control block: 33 bytes, then hashes of 32 bytes. @see BIP371 PSBT_IN_TAP_LEAF_SCRIPT */
export const controlBlockKey: KeyCodec<{ readonly controlBlock: Uint8Array }> = {
  read: (reader, size) => {
    if (size < 34 || (size - 2) % 32 !== 0)
      assertKeySize(reader, size, ...(size < 34 ? [34] : [size - ((size - 2) % 32)]));
    return { controlBlock: readBytes(reader, size - 1) };
  },
  write: (writer, { controlBlock }) => writeBytes(writer, controlBlock),
};

/** Participant, aggregate key and, for the script path, the leaf hash. @see BIP373 PSBT_IN_MUSIG2_PUB_NONCE */
export const musig2SignerKey: KeyCodec<Musig2Signer> = {
  read: (reader, size) => {
    assertKeySize(reader, size, 67, 99);
    const participantPubkey = readBytes(reader, PUBKEY_SIZE);
    const aggregatePubkey = readBytes(reader, PUBKEY_SIZE);
    if (!isKnownOrValidKey(reader, aggregatePubkey)) refuseKey(reader, 'aggregate-pubkey');
    if (!isKnownOrValidKey(reader, participantPubkey)) refuseKey(reader, 'participant-pubkey');
    const signer = { participantPubkey, aggregatePubkey };
    return size === 67 ? signer : { ...signer, leafHash: hash256.read(reader) };
  },
  write: (writer, { participantPubkey, aggregatePubkey, leafHash }) => {
    writeBytes(writer, participantPubkey);
    writeBytes(writer, aggregatePubkey);
    if (leafHash) hash256.write(writer, leafHash);
  },
};
