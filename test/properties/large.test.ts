import { describe, expect, test } from 'vitest';
import {
  BtcError,
  createRpc,
  decodePsbtBytes,
  decodeTransaction,
  encodePsbt,
  encodeTransaction,
  formatBase64,
  formatHex,
  RpcError,
  stringifyRpc,
} from '../support/library.ts';

/**
 * A megabyte made to be slow. Nothing here is timed: work that grew with the square of the input would be 10^12 steps
 * and end in the runner's time-out.
 */
const MEGABYTE = 1_000_000;

const rpc = createRpc({ network: 'regtest', dialect: 'core-32' });
const MAGIC = [0x70, 0x73, 0x62, 0x74, 0xff];
const EMPTY_TX = [0x01, 0x00, 0x0a, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0];
const u32 = (value: number): number[] => [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24];

/** A version 0 PSBT of no inputs and outputs whose global map holds these records. */
const globalMap = (records: readonly number[]): Uint8Array => Uint8Array.from([...MAGIC, ...EMPTY_TX, ...records, 0]);

function answer(method: string, params: readonly unknown[]): string {
  try {
    return stringifyRpc(rpc.call(method, params));
  } catch (error) {
    expect(error).toBeInstanceOf(RpcError);
    return error instanceof Error ? error.message : '';
  }
}

describe('a megabyte of', () => {
  test('unknown records is decoded, sorted and encoded again', () => {
    const records = Array.from({ length: MEGABYTE / 8 }, (_, i) => [
      5,
      0x60,
      ...u32((i * 2654435761) >>> 0),
      1,
      i & 255,
    ]).flat();
    const wire = globalMap(records);
    const psbt = decodePsbtBytes(wire);
    expect(psbt.global.unknown).toHaveLength(MEGABYTE / 8);
    expect(encodePsbt(psbt)).toEqual(wire);
    expect(answer('decodepsbt', [formatBase64(wire)]).length).toBeGreaterThan(MEGABYTE);
  });

  test('the same record is refused at the second copy', () => {
    const wire = globalMap(Array.from({ length: MEGABYTE / 4 }, () => [2, 0x60, 1, 0]).flat());
    expect(() => decodePsbtBytes(wire)).toThrow(expect.objectContaining({ code: 'psbt/duplicate-key' }));
  });

  test('one key is kept', () => {
    const wire = globalMap([0xfe, ...u32(MEGABYTE), ...new Uint8Array(MEGABYTE).fill(0x60), 0]);
    expect(decodePsbtBytes(wire).global.unknown?.[0]?.key).toHaveLength(MEGABYTE);
  });

  test.each([
    ['empty pushes', 0x00],
    ['one-byte opcodes', 0x75],
    ['pushes of one byte', 0x01],
    ['returns', 0x6a],
    ['checks of many signatures', 0xae],
  ])('script that is only %s is shown', (_, byte) => {
    const shown = answer('decodescript', [formatHex(new Uint8Array(MEGABYTE).fill(byte))]);
    expect(JSON.parse(shown)).toMatchObject({ type: expect.stringMatching(/^(nonstandard|nulldata)$/) });
  });

  test('keys before an OP_CHECKMULTISIG is not a multisig', () => {
    const key = [33, 2, ...new Uint8Array(32).fill(1)];
    const script = Uint8Array.from([0x51, ...Array.from({ length: MEGABYTE / 34 }, () => key).flat(), 0x60, 0xae]);
    expect(JSON.parse(answer('decodescript', [formatHex(script)]))).toMatchObject({ type: 'nonstandard' });
  });

  test('empty witness items survives the wire', () => {
    const tx = {
      version: 2,
      inputs: [
        {
          outpoint: { txid: decodeTransaction(TX).inputs[0]?.outpoint.txid ?? never(), vout: 0 },
          scriptSig: new Uint8Array(0),
          sequence: 0,
          witness: Array.from({ length: MEGABYTE }, () => new Uint8Array(0)),
        },
      ],
      outputs: [],
      locktime: 0,
    };
    const wire = encodeTransaction(tx);
    expect(decodeTransaction(wire).inputs[0]?.witness).toHaveLength(MEGABYTE);
    expect(answer('decoderawtransaction', [formatHex(wire), true]).length).toBeGreaterThan(MEGABYTE);
  });

  test('empty outputs is shown', () => {
    const count = Math.floor(MEGABYTE / 9);
    const wire = Uint8Array.from([...TX.slice(0, 46), 0xfe, ...u32(count), ...new Uint8Array(9 * count), 0, 0, 0, 0]);
    expect(decodeTransaction(wire).outputs).toHaveLength(count);
    expect(answer('decoderawtransaction', [formatHex(wire)]).length).toBeGreaterThan(MEGABYTE);
  });

  test('descriptors with wrong checksums is refused, one by one', () => {
    const body = `raw(${'51'.repeat(190)})`;
    for (let i = 0; i < 10_000; i += 1) {
      const told = answer('getdescriptorinfo', [`${body}#qqqqqqq${'qpzry9x8gf2tvdw0s3jn54khce6mua7l'[i % 32]}`]);
      expect(told).toMatch(/^Provided checksum/);
    }
  });

  test('base64 with a fault at its end is refused', () => {
    expect(answer('decodepsbt', [`${'A'.repeat(MEGABYTE - 1)}!`])).toBe('TX decode failed invalid base64');
  });
});

test('counts and lengths beyond the input are refused without allocating', () => {
  const huge = [0xfe, 0x00, 0x00, 0x00, 0x02];
  for (const wire of [
    [2, 0, 0, 0, ...huge],
    [2, 0, 0, 0, 1, ...new Uint8Array(36), ...huge],
    [2, 0, 0, 0, 0, 1, ...huge],
  ]) {
    expect(() => decodeTransaction(Uint8Array.from(wire))).toThrow(BtcError);
  }
  expect(() => decodePsbtBytes(Uint8Array.from([...MAGIC, ...huge]))).toThrow(BtcError);
});

/** One input that spends a txid of ones, no outputs. */
const TX = Uint8Array.from([
  2,
  0,
  0,
  0,
  1,
  ...new Uint8Array(32).fill(1),
  0,
  0,
  0,
  0,
  0,
  255,
  255,
  255,
  255,
  0,
  0,
  0,
  0,
  0,
]);

function never(): never {
  throw new Error('has an input');
}
