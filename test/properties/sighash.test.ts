import { Transaction as BitcoinjsTransaction, script as bitcoinjsScript } from 'bitcoinjs-lib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytes, script, transaction } from '../support/arbitraries.ts';
import { campaign } from '../support/campaign.ts';
import {
  encodeTransaction,
  formatAsm,
  formatHex,
  legacySighash,
  legacySigMsg,
  OP,
  segwitV0Sighash,
  segwitV0SigMsg,
  sha256d,
  sighashMidstate,
  type Transaction,
  type TxOut,
  tapLeafHash,
  taprootSighash,
} from '../support/library.ts';
import { concat, naiveLegacy, naiveSegwit, naiveTaproot } from '../support/naiveSighash.ts';

const NOTHING = new Uint8Array(0);

const DEFINED = [1, 2, 3, 0x81, 0x82, 0x83];
const anyType = fc.oneof(fc.constantFrom(...DEFINED), fc.nat({ max: 255 }), fc.integer());
const value = fc.bigInt({ min: 0n, max: 2n ** 51n });

/** Generates a transaction with the prevout of each input. */
const given = transaction.chain((tx) =>
  fc.record({
    tx: fc.constant(tx),
    prevouts: fc.array(fc.record({ value, scriptPubKey: script }), {
      minLength: tx.inputs.length,
      maxLength: tx.inputs.length,
    }),
    /** Input indexes to compute digests for, in any order and with repetitions. */
    order: fc.array(fc.nat({ max: tx.inputs.length - 1 }), { minLength: 1, maxLength: 6 }),
  }),
);
/** Tells whether no push is truncated: legacy digests drop a truncated push, as recorded in `outcomes.test.ts`. */
const isWhole = (code: Uint8Array): boolean => !formatAsm(code).endsWith('[error]');
const scriptCode = fc.oneof(
  script,
  fc.constant(Uint8Array.of(OP.CODESEPARATOR, 2, OP.CODESEPARATOR, 7, OP.CODESEPARATOR)),
);

/**
 * Tells whether bitcoinjs-lib keeps a scriptCode: it parses and re-encodes it, which changes invalid and non-minimal
 * pushes.
 */
function isUnchangedByPeer(code: Uint8Array): boolean {
  const parsed = bitcoinjsScript.decompile(code);
  return parsed !== null && formatHex(bitcoinjsScript.compile(parsed)) === formatHex(code);
}

describe('digests with and without a midstate', () => {
  test('legacy digests equal a naive implementation', () => {
    fc.assert(
      fc.property(
        given,
        fc.array(fc.tuple(scriptCode.filter(isWhole), anyType), { minLength: 1, maxLength: 3 }),
        ({ tx, order }, signed) => {
          const midstate = sighashMidstate(tx);
          for (const inputIndex of order) {
            for (const [code, sighashType] of [...signed, ...signed]) {
              const expected = naiveLegacy(tx, inputIndex, code, sighashType);
              const request = { tx, inputIndex, scriptCode: code, sighashType };
              const reused = Uint8Array.from(code);
              const digest = legacySighash({ ...request, scriptCode: reused, midstate });
              expect(digest).toEqual(expected);
              // The midstate keeps digests of its own: it shares no bytes with its arguments or results.
              digest.fill(0);
              reused.fill(0);
              expect(legacySighash(request)).toEqual(expected);
              const message = legacySigMsg({ ...request, midstate });
              if (message) expect(sha256d(message)).toEqual(expected);
            }
          }
        },
      ),
      campaign(400),
    );
  });

  test('segwit v0 digests equal a naive implementation', () => {
    fc.assert(
      fc.property(given, scriptCode, value, anyType, ({ tx, prevouts, order }, code, spent, sighashType) => {
        const midstate = sighashMidstate(tx, prevouts);
        for (const inputIndex of order) {
          const expected = naiveSegwit(tx, inputIndex, code, { value: spent, type: sighashType });
          const request = { tx, inputIndex, scriptCode: code, value: spent, sighashType };
          expect(segwitV0Sighash({ ...request, midstate })).toEqual(expected);
          expect(sha256d(segwitV0SigMsg(request))).toEqual(expected);
        }
      }),
      campaign(400),
    );
  });

  const isReadable = ({ value: sats }: TxOut): boolean => sats >= 0n && sats <= 2n ** 51n;
  /** Transactions that bitcoinjs-lib accepts: with outputs, and with valid amounts only. */
  const readable = given.filter(({ tx }) => tx.outputs.length > 0 && tx.outputs.every(isReadable));
  const definedType = fc.constantFrom(...DEFINED);
  const peerOf = (tx: Transaction): BitcoinjsTransaction =>
    BitcoinjsTransaction.fromBuffer(encodeTransaction(tx, { witness: false }));
  /**
   * Tells whether SINGLE has no matching output: bitcoinjs-lib then returns the legacy digest 1 in the other byte order,
   * and a taproot digest where none exists.
   */
  const isUndefined = (tx: Transaction, inputIndex: number, sighashType: number): boolean =>
    (sighashType & 3) === 3 && inputIndex >= tx.outputs.length;

  test("legacy and segwit v0 digests equal bitcoinjs-lib's", () => {
    fc.assert(
      fc.property(readable, definedType, ({ tx, prevouts, order }, sighashType) => {
        const midstate = sighashMidstate(tx, prevouts);
        const peer = peerOf(tx);
        for (const inputIndex of order) {
          const { scriptPubKey: code = NOTHING, value: spent = 0n } = prevouts[inputIndex] ?? {};
          const request = { tx, inputIndex, sighashType, midstate, scriptCode: code };
          const segwit = segwitV0Sighash({ ...request, value: spent });
          expect(segwit).toEqual(Uint8Array.from(peer.hashForWitnessV0(inputIndex, code, spent, sighashType)));
          if (isUndefined(tx, inputIndex, sighashType) || !isUnchangedByPeer(code)) continue;
          expect(legacySighash(request)).toEqual(Uint8Array.from(peer.hashForSignature(inputIndex, code, sighashType)));
        }
      }),
      campaign(300),
    );
  });

  test("taproot digests equal a naive implementation and bitcoinjs-lib's", () => {
    const annex = fc.option(
      bytes(0, 40).map((data) => concat([0x50], data)),
      { nil: undefined },
    );
    const leaf = fc.option(
      script.map((leafScript) => tapLeafHash(leafScript)),
      { nil: undefined },
    );
    fc.assert(
      fc.property(readable, definedType, annex, leaf, ({ tx, prevouts, order }, sighashType, anAnnex, leafHash) => {
        const midstate = sighashMidstate(tx, prevouts);
        const [scripts, values] = [
          prevouts.map(({ scriptPubKey }) => scriptPubKey),
          prevouts.map((coin) => coin.value),
        ];
        for (const inputIndex of order.filter((index) => !isUndefined(tx, index, sighashType))) {
          const place = { ...(leafHash && { tapscript: { leafHash } }), ...(anAnnex && { annex: anAnnex }) };
          const digest = taprootSighash({ tx, prevouts, inputIndex, sighashType, midstate, ...place });
          const rest = { type: sighashType, annex: anAnnex, leafHash };
          expect(digest).toEqual(naiveTaproot(tx, prevouts, inputIndex, rest));
          // bitcoinjs-lib throws for ANYONECANPAY: it computes the wrong size of the message.
          if (sighashType > 0x80) continue;
          const peer = peerOf(tx).hashForWitnessV1(inputIndex, scripts, values, sighashType, leafHash, anAnnex);
          expect(digest).toEqual(Uint8Array.from(peer));
        }
      }),
      campaign(300),
    );
  });
});
