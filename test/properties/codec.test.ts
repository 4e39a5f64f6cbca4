import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytes, legacyPsbt, mangled, psbtV0, psbtV2, script, transaction } from '../support/arbitraries.ts';
import { campaign } from '../support/campaign.ts';
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

/** Runs a decoder on arbitrary input; returns `undefined` if it throws `BtcError`, and fails on any other error. */
function attempt<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch (error) {
    expect(error).toBeInstanceOf(BtcError);
    return undefined;
  }
}

describe('a transaction', () => {
  test('survives encoding and decoding', () => {
    fc.assert(
      fc.property(transaction, (tx) => {
        expect(decodeTransaction(encodeTransaction(tx))).toEqual(tx);
      }),
    );
  });

  test('has the size of its encoding, and a txid that ignores witnesses', () => {
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

  test('is refused or re-encodes to the same bytes after being mangled', () => {
    fc.assert(
      fc.property(mangled(transaction.map((tx) => encodeTransaction(tx))), (wire) => {
        const tx = attempt(() => decodeTransaction(wire));
        if (tx) expect(encodeTransaction(tx)).toEqual(wire);
      }),
      campaign(2000),
    );
  });
});

describe.each([
  ['version 0 with only the records of Core 0.21', legacyPsbt],
  ['version 0', psbtV0],
  ['version 2', psbtV2],
])('a PSBT of %s', (_, arbitrary) => {
  test('survives encoding and decoding', () => {
    fc.assert(
      fc.property(arbitrary, (psbt) => {
        const wire = encodePsbt(psbt);
        expect(decodePsbtBytes(wire)).toEqual(psbt);
        expect(encodePsbt(decodePsbtBytes(wire))).toEqual(wire);
      }),
      campaign(300),
    );
  });

  test('keeps every record when decoded as Core 0.21 does', () => {
    fc.assert(
      fc.property(arbitrary, (psbt) => {
        const wire = encodePsbt(psbt);
        for (const generation of ['core-32', 'core-0.21'] as const) {
          const seen = attempt(() => decodePsbtBytes(wire, { generation }));
          if (seen) expect(recordsOf(encodePsbt(seen))).toEqual(recordsOf(wire));
        }
      }),
      campaign(150),
    );
  });

  test('is refused or stable after one round when mangled', () => {
    fc.assert(
      fc.property(mangled(arbitrary.map(encodePsbt)), (wire) => {
        const psbt = attempt(() => decodePsbtBytes(wire));
        if (!psbt) return;
        const once = encodePsbt(psbt);
        expect(recordsOf(once)).toEqual(recordsOf(wire));
        expect(encodePsbt(decodePsbtBytes(once))).toEqual(once);
      }),
      campaign(2000),
    );
  });
});

test('converting a PSBT from version 0 to 2 and back keeps every record', () => {
  fc.assert(
    fc.property(psbtV0, (psbt) => {
      const v2 = toPsbtV2(psbt);
      expect(decodePsbtBytes(encodePsbt(v2))).toEqual(v2);
      expect(toPsbtV0(v2)).toEqual(psbt);
    }),
    campaign(300),
  );
});

test('the decoders return a value or throw BtcError for any bytes', () => {
  fc.assert(
    fc.property(bytes(0, 400), (wire) => {
      attempt(() => decodePsbtBytes(wire));
      attempt(() => decodePsbtBytes(Uint8Array.from([0x70, 0x73, 0x62, 0x74, 0xff, ...wire])));
      attempt(() => decodeTransaction(wire));
    }),
    campaign(3000),
  );
});

test('decoded PSBTs do not alias the input bytes', () => {
  fc.assert(
    fc.property(psbtV0, (psbt) => {
      const wire = encodePsbt(psbt);
      const decoded = decodePsbtBytes(wire);
      wire.fill(0xee);
      expect(decoded).toEqual(psbt);
    }),
    campaign(100),
  );
});

test('parsing inverts formatting of hex and base64', () => {
  fc.assert(
    fc.property(bytes(0, 5000), (raw) => {
      expect(parseHex(formatHex(raw))).toEqual(raw);
      expect(formatHex(raw)).toBe(Buffer.from(raw).toString('hex'));
      expect(parseBase64(formatBase64(raw))).toEqual(raw);
      expect(formatBase64(raw)).toBe(Buffer.from(raw).toString('base64'));
    }),
  );
});

test('parseBase64 accepts only canonical base64', () => {
  const almost = fc.string({ unit: fc.constantFrom('A', 'B', '/', '+', '=', ' ', '-', '\n'), maxLength: 12 });
  fc.assert(
    fc.property(almost, (text) => {
      const parsed = attempt(() => parseBase64(text));
      expect(parsed !== undefined).toBe(Buffer.from(text, 'base64').toString('base64') === text);
    }),
    campaign(5000),
  );
});

test('formatAsm shows every script as printable ASCII', () => {
  fc.assert(
    fc.property(script, (raw) => {
      expect(formatAsm(raw)).toMatch(/^[ -~]*$/);
      expect(formatAsm(raw) === '').toBe(raw.length === 0);
    }),
  );
});
