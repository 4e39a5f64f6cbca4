import { assertBytes } from '../bytes/assertBytes.ts';
import { bytes32, type Codec, i64le, u32le, varBytes, vector } from '../bytes/codec.ts';
import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import { assertEnd, at, createReader, errorAt, placeText, type Reader, readU8, readU32 } from '../bytes/reader.ts';
import { createWriter, type Writer, writeCompactSize, writeU8, writeU32, written } from '../bytes/writer.ts';
import { BtcError } from '../errors.ts';
import { assertTransaction } from './assertTransaction.ts';
import type { Outpoint, Transaction, TxIn, Txid, TxOut } from './types.ts';

const WITNESS_FLAG = 0x01;
const MWEB_FLAG = 0x08;

export const txidCodec: Codec<Txid> = { read: (reader) => bytes32.read(reader) as Txid, write: bytes32.write };

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

/** Without the witness, which comes after all outputs. */
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
export const outputsCodec: Codec<readonly TxOut[]> = vector(txOutCodec);
export const witnessCodec: Codec<readonly Uint8Array[]> = vector(varBytes);

/** The serialization formats that reading accepts, or that writing uses. */
export interface TransactionFormat {
  /** BIP144's marker and witnesses. Default: true. */
  readonly witness?: boolean;
  /** Litecoin's MWEB flag. Default: false in reading, true in writing. */
  readonly mweb?: boolean;
}

const FORMAT_OPTIONS: OptionNames<TransactionFormat> = { witness: true, mweb: true };

/**
 * Decodes a transaction and refuses trailing bytes.
 * @throws `bytes/*`, `tx/*`
 * @see BIP144 "Serialization"; Core `UnserializeTransaction`
 *
 * @example
 * ```ts
 * import { decodeTransaction, parseHex } from 'countersign';
 *
 * const hex = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
 * decodeTransaction(parseHex(hex)).outputs[0]?.value; // 4096n
 * ```
 */
export function decodeTransaction(bytes: Uint8Array, format: TransactionFormat = {}): Transaction {
  assertBytes('transaction', bytes);
  assertKnownOptions(format, FORMAT_OPTIONS);
  const reader = createReader(bytes);
  const tx = readTransaction(reader, format);
  assertEnd(reader);
  return tx;
}

export function readTransaction(reader: Reader, { witness = true, mweb = false }: TransactionFormat = {}): Transaction {
  const version = readU32(reader);
  let inputs = inputsCodec.read(reader);
  let flags = 0;
  let outputs: readonly TxOut[] = [];
  if (inputs.length === 0 && witness) {
    // An empty input list is the marker, unless the flag is 0: that was an output count.
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
  if (unknown !== 0) {
    const place = { ...at(reader), flags };
    throw new BtcError('tx/unknown-optional-data', place, `The transaction has unknown flags, ${placeText(place)}`);
  }
  const tx = { version, inputs, outputs, locktime: readU32(reader) };
  return isHogEx ? { ...tx, isHogEx } : tx;
}

function readWitnesses(reader: Reader, inputs: readonly TxIn[]): readonly TxIn[] {
  const signed = inputs.map((input) => ({ ...input, witness: witnessCodec.read(reader) }));
  if (signed.every(({ witness }) => witness.length === 0)) throw errorAt(reader, 'tx/superfluous-witness');
  return signed;
}

/**
 * Reads the byte that announces an MWEB transaction; without one, the transaction is a HogEx.
 * @see Litecoin Core `UnserializeTransaction`
 */
function readHogExMark(reader: Reader, outputs: readonly TxOut[]): void {
  if (readU8(reader) === 1) throw errorAt(reader, 'tx/mweb-body');
  if (outputs.length === 0) throw errorAt(reader, 'tx/hogex-without-output');
}

/** Tells whether any input has a witness, which requires the BIP144 format. */
export function hasWitness(tx: Transaction): boolean {
  return tx.inputs.some(({ witness }) => witness.length > 0);
}

/**
 * Encodes a transaction, in the BIP144 format if it has witnesses.
 *
 * @example
 * ```ts
 * import { decodeTransaction, encodeTransaction, formatHex, parseHex } from 'countersign';
 *
 * const hex = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
 * formatHex(encodeTransaction(decodeTransaction(parseHex(hex)))) === hex; // true
 * ```
 */
export function encodeTransaction(tx: Transaction, format: TransactionFormat = {}): Uint8Array {
  assertTransaction(tx);
  assertKnownOptions(format, FORMAT_OPTIONS);
  const writer = createWriter(1024);
  writeTransaction(writer, tx, format);
  return written(writer);
}

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
