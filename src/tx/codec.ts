import { type Codec, fixedBytes, i64le, u32le, varBytes, vector } from '../bytes/codec.ts';
import { assertEnd, at, createReader, type Reader, readU8, readU32 } from '../bytes/reader.ts';
import { createWriter, type Writer, writeCompactSize, writeU8, writeU32, written } from '../bytes/writer.ts';
import { BtcError } from '../errors.ts';
import type { Outpoint, Transaction, TxIn, Txid, TxOut } from './types.ts';

const WITNESS_FLAG = 0x01;
const MWEB_FLAG = 0x08;

const hash256 = fixedBytes(32);

/** A txid in wire order. */
export const txidCodec: Codec<Txid> = { read: (reader) => hash256.read(reader) as Txid, write: hash256.write };

export const txOutCodec: Codec<TxOut> = {
  read: (reader) => ({ value: i64le.read(reader), scriptPubKey: varBytes.read(reader) }),
  write: (writer, output) => {
    i64le.write(writer, output.value);
    varBytes.write(writer, output.scriptPubKey);
  },
};

export const outpointCodec: Codec<Outpoint> = {
  read: (reader) => ({ txid: txidCodec.read(reader), vout: u32le.read(reader) }),
  write: (writer, outpoint) => {
    txidCodec.write(writer, outpoint.txid);
    u32le.write(writer, outpoint.vout);
  },
};

const NO_WITNESS: readonly Uint8Array[] = [];

/** An input without its witness, which follows after all outputs. */
const txInCodec: Codec<TxIn> = {
  read: (reader) => ({
    outpoint: outpointCodec.read(reader),
    scriptSig: varBytes.read(reader),
    sequence: u32le.read(reader),
    witness: NO_WITNESS,
  }),
  write: (writer, input) => {
    outpointCodec.write(writer, input.outpoint);
    varBytes.write(writer, input.scriptSig);
    u32le.write(writer, input.sequence);
  },
};

const inputsCodec = vector(txInCodec);
/** All outputs: a count and as many. */
export const outputsCodec: Codec<readonly TxOut[]> = vector(txOutCodec);
/** A witness stack: a count and as many length-prefixed items. */
export const witnessCodec: Codec<readonly Uint8Array[]> = vector(varBytes);

/** How the bytes of a transaction are to be read. */
export interface TransactionFormat {
  /** Whether a marker and witnesses may be there (BIP144). Default true; `false` reads the original format only. */
  readonly witness?: boolean;
  /** Whether Litecoin's MWEB flag is known. Default false. */
  readonly mweb?: boolean;
}

/**
 * Decodes a transaction and refuses bytes after it.
 * @throws `bytes/*`, `tx/*`
 * @see BIP144 "Serialization"; Bitcoin Core `UnserializeTransaction`
 */
export function decodeTransaction(bytes: Uint8Array, format: TransactionFormat = {}): Transaction {
  const reader = createReader(bytes);
  const tx = readTransaction(reader, format);
  assertEnd(reader);
  return tx;
}

/** Reads one transaction where the reader stands. See `decodeTransaction`. */
export function readTransaction(reader: Reader, { witness = true, mweb = false }: TransactionFormat = {}): Transaction {
  const version = readU32(reader);
  let inputs = inputsCodec.read(reader);
  let flags = 0;
  let outputs: readonly TxOut[] = [];
  if (inputs.length === 0 && witness) {
    // An empty input list is the marker; without flags, this byte was the output count of a transaction of nothing.
    flags = readU8(reader);
    if (flags !== 0) {
      inputs = inputsCodec.read(reader);
      outputs = outputsCodec.read(reader);
    }
  } else {
    outputs = outputsCodec.read(reader);
  }
  if ((flags & WITNESS_FLAG) !== 0) inputs = readWitnesses(reader, inputs);
  const isHogEx = mweb && (flags & MWEB_FLAG) !== 0;
  if (isHogEx) readHogExMark(reader, outputs);
  const unknown = flags & ~(mweb ? WITNESS_FLAG | MWEB_FLAG : WITNESS_FLAG);
  if (unknown !== 0) throw new BtcError('tx/unknown-optional-data', { ...at(reader), flags });
  const tx = { version, inputs, outputs, locktime: readU32(reader) };
  return isHogEx ? { ...tx, isHogEx } : tx;
}

function readWitnesses(reader: Reader, inputs: readonly TxIn[]): readonly TxIn[] {
  const signed = inputs.map((input) => ({ ...input, witness: witnessCodec.read(reader) }));
  if (signed.every(({ witness }) => witness.length === 0)) throw new BtcError('tx/superfluous-witness', at(reader));
  return signed;
}

/**
 * Reads the byte that tells whether an extension block transaction follows; where none does, this is the HogEx.
 * Extension block transactions themselves are not decoded.
 * @see Litecoin Core `UnserializeTransaction`
 */
function readHogExMark(reader: Reader, outputs: readonly TxOut[]): void {
  if (readU8(reader) === 1) throw new BtcError('tx/mweb-body', at(reader));
  if (outputs.length === 0) throw new BtcError('tx/hogex-without-output', at(reader));
}

/** Whether any input has a witness, so that the extended format is needed. */
export function hasWitness(tx: Transaction): boolean {
  return tx.inputs.some(({ witness }) => witness.length > 0);
}

/**
 * Encodes a transaction, in the extended format if it has witnesses.
 *
 * - `witness: false` leaves witnesses out: the bytes that a txid is the hash of
 * - `mweb: false` leaves Litecoin's HogEx mark out
 */
export function encodeTransaction(tx: Transaction, format: TransactionFormat = {}): Uint8Array {
  const writer = createWriter(1024);
  writeTransaction(writer, tx, format);
  return written(writer);
}

/** Writes one transaction. See `encodeTransaction`. */
export function writeTransaction(
  writer: Writer,
  tx: Transaction,
  { witness = true, mweb = true }: TransactionFormat = {},
): void {
  const showsWitness = witness && hasWitness(tx);
  const showsHogEx = mweb && tx.isHogEx === true;
  const flags = (showsWitness ? WITNESS_FLAG : 0) | (showsHogEx ? MWEB_FLAG : 0);
  writeU32(writer, tx.version);
  if (flags !== 0) {
    writeCompactSize(writer, 0);
    writeU8(writer, flags);
  }
  inputsCodec.write(writer, tx.inputs);
  outputsCodec.write(writer, tx.outputs);
  if (showsWitness) for (const input of tx.inputs) witnessCodec.write(writer, input.witness);
  if (showsHogEx) writeU8(writer, 0);
  writeU32(writer, tx.locktime);
}
