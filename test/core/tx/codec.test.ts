import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../src/core/errors.ts';
import {
  BtcError,
  decodeTransaction,
  encodeTransaction,
  formatHex,
  formatTxid,
  hasWitness,
  parseHex,
  parseTxid,
  type Transaction,
  type TransactionFormat,
  type Txid,
  transactionSize,
  txid,
  wtxid,
} from '../../support/library.ts';
import { expectRefusal } from '../../support/refusal.ts';

const VERSION = '02000000';
const LOCKTIME = '00000000';
const INPUT = `${'11'.repeat(32)}0000000000ffffffff`;
const OUTPUT = '00100000000000000151';
const ORIGINAL = `${VERSION}01${INPUT}01${OUTPUT}${LOCKTIME}`;
const SIGNED = `${VERSION}000101${INPUT}01${OUTPUT}0201aa00${LOCKTIME}`;
const read = (hex: string, format?: TransactionFormat): Transaction => decodeTransaction(parseHex(hex), format);

describe('a decoded transaction', () => {
  test('has no witnesses in the original format', () => {
    const tx = read(ORIGINAL);
    expect(tx.inputs[0]?.witness).toEqual([]);
    expect(hasWitness(tx)).toBe(false);
    expect(read(ORIGINAL, { witness: false })).toEqual(tx);
    expect(formatHex(encodeTransaction(tx))).toBe(ORIGINAL);
  });

  test('has witnesses in the BIP144 format, whose items may be empty', () => {
    const tx = read(SIGNED);
    expect(tx.inputs[0]?.witness.map(formatHex)).toEqual(['aa', '']);
    expect(formatHex(encodeTransaction(tx))).toBe(SIGNED);
    expect(formatHex(encodeTransaction(tx, { witness: false }))).toBe(ORIGINAL);
  });

  test('is written in the BIP144 format if a single input has a witness', () => {
    const hex = `${VERSION}000102${INPUT}${INPUT}00000101aa${LOCKTIME}`;
    const tx = read(hex);
    expect(tx.inputs.map(({ witness }) => witness.length)).toEqual([0, 1]);
    expect(formatHex(encodeTransaction(tx))).toBe(hex);
  });

  test('without inputs and outputs is the same in both formats', () => {
    const hex = `${VERSION}0000${LOCKTIME}`;
    const nothing = { version: 2, inputs: [], outputs: [], locktime: 0 };
    expect(read(hex)).toEqual(nothing);
    expect(read(hex, { witness: false })).toEqual(nothing);
    expect(formatHex(encodeTransaction(nothing))).toBe(hex);
  });

  test('with outputs, but no inputs, is read only in the original format', () => {
    const hex = `${VERSION}0001${OUTPUT}${LOCKTIME}`;
    expect(read(hex, { witness: false }).outputs).toHaveLength(1);
    expect(() => read(hex)).toThrow(BtcError);
    expect(formatHex(encodeTransaction(read(hex, { witness: false })))).toBe(hex);
  });

  test('with inputs, but no outputs, is read in both formats', () => {
    const hex = `${VERSION}01${INPUT}00${LOCKTIME}`;
    expect(read(hex)).toEqual(read(hex, { witness: false }));
  });

  test('has unsigned numbers and signed amounts', () => {
    const outputs = [`${'00'.repeat(7)}80`, 'ff'.repeat(8), `${'ff'.repeat(7)}7f`].map((amount) => `${amount}00`);
    const tx = read(`ffffffff01${'00'.repeat(32)}ffffffff00${'ff'.repeat(4)}03${outputs.join('')}ffffffff`);
    expect([tx.version, tx.locktime, tx.inputs[0]?.outpoint.vout, tx.inputs[0]?.sequence]).toEqual(
      Array(4).fill(0xffffffff),
    );
    expect(tx.outputs.map(({ value }) => value)).toEqual([-(2n ** 63n), -1n, 2n ** 63n - 1n]);
  });
});

describe('the transaction codec refuses', () => {
  const at = (hex: string): number => hex.length / 2;
  const EXTENDED = `${VERSION}0001`;
  const rows: readonly (readonly [string, string, ErrorCode, object])[] = [
    ['an empty string', '', 'bytes/end-of-data', { offset: 0 }],
    ['a truncated version', '020000', 'bytes/end-of-data', { offset: 0 }],
    ['a version alone', VERSION, 'bytes/end-of-data', { offset: 4 }],
    ['a missing locktime', ORIGINAL.slice(0, -8), 'bytes/end-of-data', { offset: at(ORIGINAL) - 4 }],
    [
      'missing witnesses',
      `${EXTENDED}01${INPUT}01${OUTPUT}`,
      'bytes/end-of-data',
      { offset: at(`${EXTENDED}01${INPUT}01${OUTPUT}`) },
    ],
    ['a trailing byte', `${ORIGINAL}00`, 'bytes/trailing', { offset: at(ORIGINAL), extra: 1 }],
    ['a trailing byte in the BIP144 format', `${SIGNED}00`, 'bytes/trailing', { offset: at(SIGNED), extra: 1 }],
    [
      'trailing bytes after a transaction without inputs and outputs',
      `${VERSION}0000${LOCKTIME}0000`,
      'bytes/trailing',
      { offset: 10, extra: 2 },
    ],
    [
      'an empty witness',
      `${EXTENDED}01${INPUT}01${OUTPUT}00${LOCKTIME}`,
      'tx/superfluous-witness',
      { offset: at(SIGNED) - 7 },
    ],
    [
      'two empty witnesses',
      `${EXTENDED}02${INPUT}${INPUT}000000${LOCKTIME}`,
      'tx/superfluous-witness',
      { offset: at(`${EXTENDED}02${INPUT}${INPUT}000000`) },
    ],
    [
      'a marker, but no inputs',
      `${EXTENDED}0001${OUTPUT}${LOCKTIME}`,
      'tx/superfluous-witness',
      { offset: at(`${EXTENDED}0001${OUTPUT}`) },
    ],
    ['a marker, but no inputs and outputs', `${EXTENDED}0000${LOCKTIME}`, 'tx/superfluous-witness', { offset: 8 }],
    [
      'flag 02',
      `${VERSION}000201${INPUT}01${OUTPUT}${LOCKTIME}`,
      'tx/unknown-optional-data',
      { flags: 2, offset: at(`${EXTENDED}01${INPUT}01${OUTPUT}`) },
    ],
    ['flag 80', `${VERSION}00800000${LOCKTIME}`, 'tx/unknown-optional-data', { flags: 0x80, offset: 8 }],
    [
      'flags 03',
      `${VERSION}000301${INPUT}00${'0101aa'}${LOCKTIME}`,
      'tx/unknown-optional-data',
      { flags: 3, offset: at(`${EXTENDED}01${INPUT}000101aa`) },
    ],
    [
      'flags 03 without witness',
      `${VERSION}000301${INPUT}0000${LOCKTIME}`,
      'tx/superfluous-witness',
      { offset: at(`${EXTENDED}01${INPUT}0000`) },
    ],
    [
      'the MWEB flag',
      `${VERSION}000801${INPUT}01${OUTPUT}00${LOCKTIME}`,
      'tx/unknown-optional-data',
      { flags: 8, offset: at(`${EXTENDED}01${INPUT}01${OUTPUT}`) },
    ],
  ];
  test.each(rows)('%s', (_, hex, code, data) => {
    expectRefusal(() => read(hex), code, data);
  });

  test('every truncated transaction', () => {
    for (const hex of [ORIGINAL, SIGNED]) {
      for (let end = 0; end < hex.length; end += 2) expect(() => read(hex.slice(0, end))).toThrow(BtcError);
    }
  });

  test('the BIP144 format if only the original one is allowed', () => {
    expect(() => read(SIGNED, { witness: false })).toThrow(BtcError);
  });

  test.each(['fdfc00', 'fe01000002', 'ffffffffffffffffff'])('a count of %s', (count) => {
    const places = [
      count,
      `01${'11'.repeat(36)}${count}`,
      `01${INPUT}${count}`,
      `01${INPUT}01${'00'.repeat(8)}${count}`,
    ];
    for (const place of places) expect(() => read(`${VERSION}${place}${'00'.repeat(50)}`)).toThrow(BtcError);
    expect(() => read(`${EXTENDED}01${INPUT}00${count}${LOCKTIME}`)).toThrow(BtcError);
    expect(() => read(`${EXTENDED}01${INPUT}0001${count}${LOCKTIME}`)).toThrow(BtcError);
  });

  test('the largest count of empty witness items when the data ends', () => {
    const items = '00'.repeat(1000);
    expect(() => read(`${EXTENDED}01${INPUT}00fe00000002${items}`)).toThrow(BtcError);
  });

  test.each([
    ['an output index above 32 bits', { vout: 2 ** 32 }, {}],
    ['a negative output index', { vout: -1 }, {}],
    ['a sequence above 32 bits', {}, { sequence: 2 ** 32 }],
  ])('to write %s', (_, point, rest) => {
    const tx = read(ORIGINAL);
    const inputs = tx.inputs.map((input) => ({ ...input, ...rest, outpoint: { ...input.outpoint, ...point } }));
    expect(() => encodeTransaction({ ...tx, inputs })).toThrow(BtcError);
  });

  test('to write a txid of the wrong size', () => {
    const [input] = read(ORIGINAL).inputs;
    const short = new Uint8Array(31) as Txid;
    const inputs = input ? [{ ...input, outpoint: { txid: short, vout: 0 } }] : [];
    const data = { what: '32 bytes', value: '31 bytes' };
    expectRefusal(() => encodeTransaction({ ...read(ORIGINAL), inputs }), 'bytes/out-of-range', data);
  });
});

describe("Litecoin's HogEx", () => {
  const BODY = `01${INPUT}01${OUTPUT}`;
  const HOGEX = `${VERSION}0008${BODY}00${LOCKTIME}`;

  test('is read if the MWEB flag is allowed, and keeps its flag', () => {
    const tx = read(HOGEX, { mweb: true });
    expect(tx.isHogEx).toBe(true);
    expect(formatHex(encodeTransaction(tx))).toBe(HOGEX);
    expect(formatHex(encodeTransaction(tx, { mweb: false }))).toBe(ORIGINAL);
    expect(formatHex(encodeTransaction(tx, { witness: false, mweb: false }))).toBe(ORIGINAL);
  });

  test('may have witnesses', () => {
    const hex = `${VERSION}0009${BODY}0101aa00${LOCKTIME}`;
    const tx = read(hex, { mweb: true });
    expect(tx.inputs[0]?.witness).toHaveLength(1);
    expect(formatHex(encodeTransaction(tx))).toBe(hex);
    expectRefusal(() => read(`${VERSION}0009${BODY}0000${LOCKTIME}`, { mweb: true }), 'tx/superfluous-witness', {
      offset: HOGEX.length / 2 - 4,
    });
  });

  test('with a presence byte of 2 is written with a presence byte of 0', () => {
    const tx = read(`${VERSION}0008${BODY}02${LOCKTIME}`, { mweb: true });
    expect(formatHex(encodeTransaction(tx))).toBe(HOGEX);
  });

  test('without outputs is refused', () => {
    const hex = `${VERSION}000801${INPUT}0000`;
    const data = { offset: hex.length / 2 };
    expectRefusal(() => read(hex + LOCKTIME, { mweb: true }), 'tx/hogex-without-output', data);
  });

  test('with additional unknown flags is refused', () => {
    const hex = `${VERSION}000a${BODY}00`;
    const data = { offset: hex.length / 2, flags: 10 };
    expectRefusal(() => read(hex + LOCKTIME, { mweb: true }), 'tx/unknown-optional-data', data);
  });

  test('is not decoded if an MWEB transaction follows', () => {
    const hex = `${VERSION}0008${BODY}01`;
    expectRefusal(() => read(hex + LOCKTIME, { mweb: true }), 'tx/mweb-body', { offset: hex.length / 2 });
    expectRefusal(() => read(`${VERSION}0008000001${LOCKTIME}`, { mweb: true }), 'tx/mweb-body', { offset: 9 });
  });

  test('is refused if only the original format is allowed', () => {
    expect(() => read(HOGEX, { mweb: true, witness: false })).toThrow(BtcError);
  });

  test('has the txid and wtxid of the transaction without the flag, but a size that includes it', () => {
    const tx = read(HOGEX, { mweb: true });
    expect(txid(tx)).toEqual(txid(read(ORIGINAL)));
    expect(wtxid(tx)).toEqual(txid(tx));
    const plain = transactionSize(read(ORIGINAL));
    expect(transactionSize(tx)).toEqual({ ...plain, size: plain.size + 3 });
    const signed = read(`${VERSION}0009${BODY}0101aa00${LOCKTIME}`, { mweb: true });
    expect(transactionSize(signed).size).toBe(encodeTransaction(signed).length);
    expect(wtxid(signed)).not.toEqual(txid(signed));
  });
});

describe('ids and sizes', () => {
  // The coinbase of the genesis block.
  const GENESIS =
    '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d' +
    '65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f7220' +
    '62616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f' +
    '4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000';

  test('are right for the coinbase of the genesis block', () => {
    const tx = read(GENESIS);
    expect(formatTxid(txid(tx))).toBe('4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b');
    expect(formatTxid(wtxid(tx))).toBe(formatTxid(txid(tx)));
    expect(transactionSize(tx)).toEqual({ size: 204, strippedSize: 204, weight: 816, vsize: 204 });
  });

  test('count a quarter of the witness in the virtual size, rounded up', () => {
    expect(transactionSize(read(ORIGINAL))).toEqual({ size: 61, strippedSize: 61, weight: 244, vsize: 61 });
    expect(transactionSize(read(SIGNED))).toEqual({ size: 67, strippedSize: 61, weight: 250, vsize: 63 });
  });

  test.each([252, 253, 65_535, 65_536])('count scripts and items of %i bytes as they are written', (length) => {
    const tx = read(SIGNED);
    const large = new Uint8Array(length);
    const grown: Transaction = {
      ...tx,
      inputs: tx.inputs.map((input) => ({ ...input, scriptSig: large, witness: [large, large] })),
      outputs: [{ value: 1n, scriptPubKey: large }],
    };
    expect(transactionSize(grown).size).toBe(encodeTransaction(grown).length);
    expect(transactionSize(grown).strippedSize).toBe(encodeTransaction(grown, { witness: false }).length);
  });

  test.each([252, 253])('count %i inputs, outputs and items as they are written', (count) => {
    const tx = read(SIGNED);
    const [input] = tx.inputs;
    const [output] = tx.outputs;
    const many: Transaction = {
      ...tx,
      inputs: Array.from({ length: count }, () => input).filter((one) => one !== undefined),
      outputs: Array.from({ length: count }, () => output).filter((one) => one !== undefined),
    };
    expect(transactionSize(many).size).toBe(encodeTransaction(many).length);
  });

  test('show txids last byte first', () => {
    const text = `01${'00'.repeat(30)}ff`;
    const id = parseTxid(text.toUpperCase());
    expect([id[0], id[31]]).toEqual([0xff, 0x01]);
    expect(formatTxid(id)).toBe(text);
  });

  test.each([
    ['', 'tx/txid-length', { length: 0 }],
    ['00'.repeat(31), 'tx/txid-length', { length: 31 }],
    ['00'.repeat(33), 'tx/txid-length', { length: 33 }],
    ['0'.repeat(63), 'hex/invalid', { offset: 63, reason: 'odd-length' }],
    ['0x'.repeat(32), 'hex/invalid', { offset: 1, reason: 'character' }],
  ] as const)('%j is no txid', (text, code, data) => {
    expectRefusal(() => parseTxid(text), code, data);
  });
});
