import { bytes32, fixedBytes, u8, u32le, varBytes, vector } from '../../bytes/codec.ts';
import { readBytes, readU8, readU32, remaining, take } from '../../bytes/reader.ts';
import { type Writer, writeBytes, writeU8, writeU32 } from '../../bytes/writer.ts';
import { BtcError, type ErrorData } from '../../errors.ts';
import { isStrictSignature } from '../../script/signatureEncoding.ts';
import { isCompleteTree } from '../../script/tapTree.ts';
import { LOCKTIME_THRESHOLD } from '../../tx/absoluteLock.ts';
import { readTransaction, writeTransaction } from '../../tx/codec.ts';
import { txidOfBytes } from '../../tx/txid.ts';
import type { Transaction } from '../../tx/types.ts';
import type { PsbtFormatRules } from './psbtFormatRules.ts';
import {
  assertKeySize,
  isKnownOrValidKey,
  type PartCodec,
  type RecordReader,
  readerOfPart,
  refuseKey,
  refuseValue,
} from './record.ts';
import type { KeyOrigin, Musig2Signer, PsbtOutput, TapKeyOrigin } from './types.ts';

export const rawValue: PartCodec<Uint8Array> = { read: readBytes, write: writeBytes };

type Members<T> = { readonly [N in keyof T]: PartCodec<T[N]> };

/** Gives each member the number of bytes left as its size. */
export function members<T extends object>(codecs: Members<T>): PartCodec<T>;
export function members(codecs: Members<Record<string, unknown>>): PartCodec<Record<string, unknown>> {
  const entries = Object.entries(codecs);
  return {
    read: (reader, size) => {
      const end = reader.offset + size;
      const value: Record<string, unknown> = {};
      for (const [name, codec] of entries) value[name] = codec.read(reader, end - reader.offset);
      return value;
    },
    write: (writer, value) => {
      for (const [name, codec] of entries) codec.write(writer, value[name]);
    },
  };
}

/** Like `members`, for a key of one of these sizes with its type. */
export function sizedKey<T extends object>(sizes: readonly number[], codecs: Members<T>): PartCodec<T> {
  const key = members(codecs);
  return {
    ...key,
    read: (reader, size) => {
      assertKeySize(reader, size + 1, ...sizes);
      return key.read(reader, size);
    },
  };
}

export function boundedValue(least: number, most: number): PartCodec<Uint8Array> {
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

/** Never in witness serialization. @see BIP174 PSBT_GLOBAL_UNSIGNED_TX */
export const unsignedTxValue: PartCodec<Transaction> = {
  read: (reader) => readTransaction(reader, { witness: false }),
  write: (writer, tx) => writeTransaction(writer, tx, { witness: false, mweb: false }),
  check: (_reader, tx) => {
    const inputIndex = tx.inputs.findIndex(({ scriptSig }) => scriptSig.length > 0);
    if (inputIndex < 0) return;
    const message = `Input ${inputIndex} of the unsigned transaction is signed: its scriptSig must be empty`;
    throw new BtcError('psbt/unsigned-tx-signed', { inputIndex }, message);
  },
};

export const previousTxValue: PartCodec<Transaction> = {
  read: (reader) => {
    const start = reader.offset;
    const tx = readTransaction(reader, { mweb: reader.session.mweb });
    reader.session.txids.set(tx, txidOfBytes(tx, reader.bytes.subarray(start, reader.offset)));
    return tx;
  },
  write: (writer, tx) => writeTransaction(writer, tx),
};

export const signatureValue: PartCodec<Uint8Array> = {
  read: (reader, size) => {
    const signature = readBytes(reader, size);
    if (reader.session.rules.checksSignatures && !isStrictSignature(signature))
      refuseValue(reader, 'signature-encoding');
    return signature;
  },
  write: writeBytes,
};

export const timeLocktimeValue: PartCodec<number> = {
  ...u32le,
  check: (reader, locktime) => {
    if (locktime < LOCKTIME_THRESHOLD) refuseValue(reader, 'time-locktime');
  },
};

export const heightLocktimeValue: PartCodec<number> = {
  ...u32le,
  check: (reader, locktime) => {
    if (locktime >= LOCKTIME_THRESHOLD) refuseValue(reader, 'height-locktime');
    if (locktime === 0) refuseValue(reader, 'zero-height');
  },
};

export const versionValue: PartCodec<number> = {
  ...u32le,
  check: (reader, version) => {
    const { highestVersion } = reader.session.rules;
    if (version > highestVersion) {
      throw unsupportedVersion({ ...reader.place, offset: reader.offset, version }, highestVersion);
    }
  },
};

export function unsupportedVersion(
  at: ErrorData['psbt/version-unsupported'],
  highest: PsbtFormatRules['highestVersion'],
): BtcError {
  const others = highest === 0 ? 'the generation knows only version 0' : 'only 0 and 2 are';
  return new BtcError('psbt/version-unsupported', at, `PSBT version ${at.version} is not supported, ${others}`);
}

function readOrigin(reader: RecordReader, size: number): KeyOrigin {
  if (size === 0 || size % 4 !== 0) refuseValue(reader, 'key-path-length');
  const fingerprint = readBytes(reader, 4);
  const path: number[] = [];
  for (let rest = size - 4; rest > 0; rest -= 4) path.push(readU32(reader));
  return { fingerprint, path };
}

function writeOrigin(writer: Writer, { fingerprint, path }: KeyOrigin): void {
  originFingerprint.write(writer, fingerprint);
  for (const child of path) writeU32(writer, child);
}

const originFingerprint = fixedBytes(4);
const leafHashesCodec = vector(bytes32);

export const originValue: PartCodec<KeyOrigin> = { read: readOrigin, write: writeOrigin };

export const tapOriginValue: PartCodec<Omit<TapKeyOrigin, 'pubkey'>> = {
  read: (reader, size) => {
    const start = reader.offset;
    const leafHashes = leafHashesCodec.read(reader);
    const originSize = size - (reader.offset - start);
    if (originSize < 0) refuseValue(reader, 'taproot-path-length');
    return { leafHashes, ...readOrigin(reader, originSize) };
  },
  write: (writer, origin) => {
    leafHashesCodec.write(writer, origin.leafHashes);
    writeOrigin(writer, origin);
  },
};

export const leafScriptValue: PartCodec<{ readonly script: Uint8Array; readonly leafVersion: number }> = {
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
const tapLeaf: PartCodec<TapTree[number]> = members({ depth: u8, leafVersion: u8, script: varBytes });

export const tapTreeValue: PartCodec<TapTree> = {
  read: (reader, size) => {
    if (size === 0) refuseValue(reader, 'empty');
    const tree = readerOfPart(reader, take(reader, size));
    const leaves: TapTree[number][] = [];
    while (remaining(tree) > 0) {
      const leaf = tapLeaf.read(tree, remaining(tree));
      if (leaf.depth > MAX_TAPROOT_DEPTH) refuseValue(reader, 'tree-depth');
      if ((leaf.leafVersion & 1) !== 0) refuseValue(reader, 'tree-leaf-version');
      leaves.push(leaf);
    }
    if (!isCompleteTree(leaves.map(({ depth }) => depth))) refuseValue(reader, 'tree-malformed');
    return leaves;
  },
  write: (writer, leaves) => {
    for (const leaf of leaves) tapLeaf.write(writer, leaf);
  },
};

const PUBKEY_SIZE = 33;

/** Core 30 only empties a key whose first byte is not that of a compressed one. */
function readMusig2Key(reader: RecordReader, pubkey: Uint8Array, refuse: () => never): Uint8Array {
  if (reader.session.rules.checksMusig2Keys) return isKnownOrValidKey(reader, pubkey) ? pubkey : refuse();
  return pubkey[0] === 2 || pubkey[0] === 3 ? pubkey : new Uint8Array(0);
}

export const participantsValue: PartCodec<readonly Uint8Array[]> = {
  read: (reader, size) => {
    const whole = readBytes(reader, size);
    const participants: Uint8Array[] = [];
    for (let start = 0; start + PUBKEY_SIZE <= size; start += PUBKEY_SIZE) {
      const pubkey = whole.slice(start, start + PUBKEY_SIZE);
      participants.push(readMusig2Key(reader, pubkey, () => refuseValue(reader, 'participant-pubkey')));
    }
    if (size % PUBKEY_SIZE !== 0) refuseValue(reader, 'participants-length');
    return participants;
  },
  write: (writer, participants) => {
    for (const pubkey of participants) writeBytes(writer, pubkey);
  },
};

/** Two points, which the codec does not check. */
export const pubNonceValue: PartCodec<Uint8Array> = {
  read: (reader, size) => {
    const nonce = readBytes(reader, size);
    if (size !== 2 * PUBKEY_SIZE) refuseValue(reader, 'not-66-bytes');
    return nonce;
  },
  write: writeBytes,
};

const pubkeyValue: PartCodec<Uint8Array> = {
  read: (reader) => {
    const pubkey = readBytes(reader, PUBKEY_SIZE);
    if (!isKnownOrValidKey(reader, pubkey)) refuseValue(reader, 'pubkey');
    return pubkey;
  },
  write: writeBytes,
};

export const silentPaymentValue: PartCodec<NonNullable<PsbtOutput['spV0Info']>> = members({
  scanKey: pubkeyValue,
  spendKey: pubkeyValue,
});

export const dnssecProofValue: PartCodec<NonNullable<PsbtOutput['dnssecProof']>> = {
  read: (reader, size) => {
    const start = reader.offset;
    const name = readBytes(reader, readU8(reader));
    const proofSize = size - (reader.offset - start);
    if (proofSize < 0) refuseValue(reader, 'too-short');
    return { name, proof: readBytes(reader, proofSize) };
  },
  write: (writer, { name, proof }) => {
    writeU8(writer, name.length);
    writeBytes(writer, name);
    writeBytes(writer, proof);
  },
};

export const pubkeyKey: PartCodec<{ readonly pubkey: Uint8Array }> = {
  read: (reader, size) => {
    assertKeySize(reader, size + 1, 34, 66);
    const pubkey = readBytes(reader, size);
    if (!isKnownOrValidKey(reader, pubkey)) refuseKey(reader, 'pubkey');
    return { pubkey };
  },
  write: (writer, { pubkey }) => writeBytes(writer, pubkey),
};

const compressedBytes = fixedBytes(PUBKEY_SIZE);

export const compressedKey: PartCodec<Uint8Array> = {
  ...compressedBytes,
  read: (reader) => {
    const pubkey = compressedBytes.read(reader);
    if (!isKnownOrValidKey(reader, pubkey)) refuseKey(reader, 'pubkey');
    return pubkey;
  },
};

export const aggregateKey: PartCodec<Uint8Array> = {
  read: (reader) => {
    const pubkey = compressedBytes.read(reader);
    return readMusig2Key(reader, pubkey, () => refuseKey(reader, 'aggregate-pubkey'));
  },
  write: writeBytes,
};

/** Accepts any version bytes. @see BIP32 "Serialization format" */
export const xpubKey: PartCodec<{ readonly xpub: Uint8Array }> = {
  read: (reader, size) => {
    assertKeySize(reader, size + 1, 79);
    const xpub = readBytes(reader, size);
    const isRoot = xpub[4] === 0;
    const hasParent = xpub.subarray(5, 13).some((byte) => byte !== 0);
    if ((isRoot && hasParent) || !isKnownOrValidKey(reader, xpub.slice(45))) refuseKey(reader, 'pubkey');
    return { xpub };
  },
  write: (writer, { xpub }) => writeBytes(writer, xpub),
};

export const tapScriptSigKey: PartCodec<{ readonly pubkey: Uint8Array; readonly leafHash: Uint8Array }> = sizedKey(
  [65],
  { pubkey: bytes32, leafHash: bytes32 },
);

/** 33 bytes, and any number of 32-byte hashes. */
export const controlBlockKey: PartCodec<{ readonly controlBlock: Uint8Array }> = {
  read: (reader, size) => {
    const whole = size < 33 ? 33 : size - ((size - 33) % 32);
    assertKeySize(reader, size + 1, whole + 1);
    return { controlBlock: readBytes(reader, size) };
  },
  write: (writer, { controlBlock }) => writeBytes(writer, controlBlock),
};

export const musig2SignerKey: PartCodec<Musig2Signer> = {
  read: (reader, size) => {
    assertKeySize(reader, size + 1, 67, 99);
    const [participant, aggregate] = [readBytes(reader, PUBKEY_SIZE), readBytes(reader, PUBKEY_SIZE)];
    const aggregatePubkey = readMusig2Key(reader, aggregate, () => refuseKey(reader, 'aggregate-pubkey'));
    const participantPubkey = readMusig2Key(reader, participant, () => refuseKey(reader, 'participant-pubkey'));
    const signer = { participantPubkey, aggregatePubkey };
    return size === 66 ? signer : { ...signer, leafHash: bytes32.read(reader) };
  },
  write: (writer, { participantPubkey, aggregatePubkey, leafHash }) => {
    writeBytes(writer, participantPubkey);
    writeBytes(writer, aggregatePubkey);
    if (leafHash) bytes32.write(writer, leafHash);
  },
};
