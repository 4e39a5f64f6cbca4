import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytes, mangled, psbtV0, psbtV2, script, transaction } from '../support/arbitraries.ts';
import { campaign } from '../support/campaign.ts';
import {
  createRpc,
  type DialectName,
  decodeRawTransaction,
  dialects,
  encodePsbt,
  encodeTransaction,
  formatAmount,
  formatBase64,
  formatHex,
  type RpcAnswer,
  RpcError,
  stringifyRpc,
} from '../support/library.ts';

const dialect = fc.constantFrom(...(Object.keys(dialects) as DialectName[]));
const call = (method: string, param: string, name: DialectName): RpcAnswer | undefined => {
  try {
    return createRpc({ dialect: name, network: 'litecoin-regtest' }).call(method, [param]);
  } catch (error) {
    expect(error).toBeInstanceOf(RpcError);
    return undefined;
  }
};

describe('the stateless methods of every dialect', () => {
  test('decodepsbt answers or refuses any PSBT, with a result that can be printed', () => {
    const wire = fc.oneof(psbtV0, psbtV2).map(encodePsbt);
    fc.assert(
      fc.property(fc.oneof(wire, mangled(wire)), dialect, (raw, name) => {
        const answer = call('decodepsbt', formatBase64(raw), name);
        if (answer) expect(JSON.parse(stringifyRpc(answer))).toEqual(JSON.parse(JSON.stringify(answer)));
      }),
      campaign(600),
    );
  });

  test('decoderawtransaction answers or refuses any bytes, and decodescript answers any script', () => {
    const wire = transaction.map((tx) => encodeTransaction(tx));
    fc.assert(
      fc.property(fc.oneof(wire, mangled(wire), bytes(0, 60)), script, dialect, (raw, locking, name) => {
        call('decoderawtransaction', formatHex(raw), name);
        expect(call('decodescript', formatHex(locking), name)).toBeDefined();
      }),
      campaign(1000),
    );
  });

  test('decodepsbt of the documented dialect shows what help texts promise', () => {
    fc.assert(
      fc.property(fc.oneof(psbtV0, psbtV2), (psbt) => {
        const answer = call('decodepsbt', formatBase64(encodePsbt(psbt)), 'documented');
        if (!answer) return;
        const { tx, unknown, inputs, outputs } = answer as Record<string, Record<string, unknown>[]>;
        expect(tx).toBeTypeOf('object');
        expect(unknown).toBeTypeOf('object');
        for (const input of inputs ?? []) {
          expect(input['unknown']).toBeTypeOf('object');
          expect(Array.isArray(input['final_scriptwitness'])).toBe(true);
          expect(input).not.toHaveProperty('final_scriptSig');
        }
        for (const output of outputs ?? []) expect(output['unknown']).toBeTypeOf('object');
      }),
      campaign(300),
    );
  });
});

test('amounts are printed with eight decimals from exact integers', () => {
  const value = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const edge = fc.constantFrom(
    -(2n ** 63n),
    2n ** 63n - 1n,
    -1n,
    0n,
    1n,
    6_710_886_400_000_000n,
    9_007_199_254_740_993n,
  );
  const tx = (amount: bigint) => ({
    version: 2,
    inputs: [
      { outpoint: { txid: new Uint8Array(32), vout: 0 }, scriptSig: new Uint8Array(0), sequence: 0, witness: [] },
    ],
    outputs: [{ value: amount, scriptPubKey: new Uint8Array(0) }],
    locktime: 0,
  });
  fc.assert(
    fc.property(fc.oneof(edge, value, fc.bigInt({ min: 0n, max: 8_400_000_000_000_000n })), (amount) => {
      const raw = formatHex(encodeTransaction(tx(amount) as never));
      expect(stringifyRpc(decodeRawTransaction([raw]))).toContain(`"value":${formatAmount(amount)},`);
    }),
    campaign(3000),
  );
});
