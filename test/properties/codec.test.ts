import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytes, legacyPsbt, mangled, psbtV0, psbtV2, script, transaction } from '../arbitraries.ts';
import {
  BtcError,
  decodePsbtBytes,
  decodeTransaction,
  encodePsbt,
  encodeTransaction,
  formatAsm,
  formatBase64,
  formatHex,
  parseBase64,
  parseHex,
  toPsbtV0,
  toPsbtV2,
  transactionSize,
  txid,
  wtxid,
} from '../support/library.ts';
import { recordsOf } from '../support/records.ts';

/** Runs a decoder on bytes of unknown quality: a value, or `undefined` where it refused them with our error. */
function attempt<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch (error) {
    expect(error).toBeInstanceOf(BtcError);
    return undefined;
  }
}

describe('a transaction', () => {
  test('survives the wire', () => {
    fc.assert(
      fc.property(transaction, (tx) => {
        expect(decodeTransaction(encodeTransaction(tx))).toEqual(tx);
      }),
    );
  });

  test('has the size that its encoding has, and a txid that ignores witnesses', () => {
    fc.assert(
      fc.property(transaction, (tx) => {
        const { size, strippedSize, weight, vsize } = transactionSize(tx);
        expect(size).toBe(encodeTransaction(tx).length);
        expect(strippedSize).toBe(encodeTransaction(tx, { witness: false }).length);
        expect(weight).toBe(3 * strippedSize + size);
        expect(vsize).toBe(Math.ceil(weight / 4));
        const bare = { ...tx, inputs: tx.inputs.map((input) => ({ ...input, witness: [] })) };
        expect(txid(tx)).toEqual(wtxid(bare));
      }),
    );
  });

  test('that was mangled re-encodes to the same bytes or is refused', () => {
    fc.assert(
      fc.property(mangled(transaction.map((tx) => encodeTransaction(tx))), (wire) => {
        const tx = attempt(() => decodeTransaction(wire));
        if (tx) expect(encodeTransaction(tx)).toEqual(wire);
      }),
      { numRuns: 2000 },
    );
  });
});

describe.each([
  ['version 0 with legacy records', legacyPsbt],
  ['version 0', psbtV0],
  ['version 2', psbtV2],
])('a PSBT of %s', (_, arbitrary) => {
  test('survives the wire', () => {
    fc.assert(
      fc.property(arbitrary, (psbt) => {
        const wire = encodePsbt(psbt);
        expect(decodePsbtBytes(wire)).toEqual(psbt);
        expect(encodePsbt(decodePsbtBytes(wire))).toEqual(wire);
      }),
      { numRuns: 300 },
    );
  });

  test('keeps every record in the eyes of older generations, too', () => {
    fc.assert(
      fc.property(arbitrary, (psbt) => {
        const wire = encodePsbt(psbt);
        for (const generation of ['core-31', 'core-0.21'] as const) {
          const seen = attempt(() => decodePsbtBytes(wire, { generation }));
          if (seen) expect(recordsOf(encodePsbt(seen))).toEqual(recordsOf(wire));
        }
      }),
      { numRuns: 150 },
    );
  });

  test('that was mangled is stable after one round or is refused', () => {
    fc.assert(
      fc.property(mangled(arbitrary.map(encodePsbt)), (wire) => {
        const psbt = attempt(() => decodePsbtBytes(wire));
        if (!psbt) return;
        const once = encodePsbt(psbt);
        expect(recordsOf(once)).toEqual(recordsOf(wire));
        expect(encodePsbt(decodePsbtBytes(once))).toEqual(once);
      }),
      { numRuns: 2000 },
    );
  });
});

test('version 0 to 2 and back keeps every record', () => {
  fc.assert(
    fc.property(psbtV0, (psbt) => {
      const v2 = toPsbtV2(psbt);
      expect(decodePsbtBytes(encodePsbt(v2))).toEqual(v2);
      expect(toPsbtV0(v2)).toEqual(psbt);
    }),
    { numRuns: 300 },
  );
});

test('any bytes are a PSBT and a transaction or are refused', () => {
  fc.assert(
    fc.property(bytes(0, 400), (wire) => {
      attempt(() => decodePsbtBytes(wire));
      attempt(() => decodePsbtBytes(Uint8Array.from([0x70, 0x73, 0x62, 0x74, 0xff, ...wire])));
      attempt(() => decodeTransaction(wire));
    }),
    { numRuns: 3000 },
  );
});

test('results do not alias what they were decoded from', () => {
  fc.assert(
    fc.property(psbtV0, (psbt) => {
      const wire = encodePsbt(psbt);
      const decoded = decodePsbtBytes(wire);
      wire.fill(0xee);
      expect(decoded).toEqual(psbt);
    }),
    { numRuns: 100 },
  );
});

test('hex and base64 are inverse to their parsers', () => {
  fc.assert(
    fc.property(bytes(0, 5000), (raw) => {
      expect(parseHex(formatHex(raw))).toEqual(raw);
      expect(formatHex(raw)).toBe(Buffer.from(raw).toString('hex'));
      expect(parseBase64(formatBase64(raw))).toEqual(raw);
      expect(formatBase64(raw)).toBe(Buffer.from(raw).toString('base64'));
    }),
  );
});

test('base64 takes what is canonical and nothing else', () => {
  const almost = fc.string({ unit: fc.constantFrom('A', 'B', '/', '+', '=', ' ', '-', '\n'), maxLength: 12 });
  fc.assert(
    fc.property(almost, (text) => {
      const parsed = attempt(() => parseBase64(text));
      expect(parsed !== undefined).toBe(Buffer.from(text, 'base64').toString('base64') === text);
    }),
    { numRuns: 5000 },
  );
});

test('asm shows every script', () => {
  fc.assert(
    fc.property(script, (raw) => {
      expect(formatAsm(raw)).toMatch(/^[ -~]*$/);
      expect(formatAsm(raw) === '').toBe(raw.length === 0);
    }),
  );
});
