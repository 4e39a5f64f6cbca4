import { Transaction as BitcoinjsTransaction } from 'bitcoinjs-lib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytes, script, transaction } from '../arbitraries.ts';
import {
  encodeTransaction,
  legacySighash,
  legacySigMsg,
  OP,
  segwitV0Sighash,
  segwitV0SigMsg,
  sha256d,
  sighashMidstate,
  type TxOut,
  tapLeafHash,
  taprootSighash,
} from '../support/library.ts';
import { concat, naiveLegacy, naiveSegwit, naiveTaproot } from '../support/naiveSighash.ts';

const NOTHING = new Uint8Array(0);

const ALL_ANYONECANPAY = 0x81;
const DEFINED = [1, 2, 3, ALL_ANYONECANPAY, 0x82, 0x83];
const anyType = fc.oneof(fc.constantFrom(...DEFINED), fc.nat({ max: 255 }), fc.integer());
const value = fc.bigInt({ min: 0n, max: 2n ** 51n });

/** A transaction with what each input spends. */
const given = transaction.chain((tx) =>
  fc.record({
    tx: fc.constant(tx),
    prevouts: fc.array(fc.record({ value, scriptPubKey: script }), {
      minLength: tx.inputs.length,
      maxLength: tx.inputs.length,
    }),
    /** Digests of one transaction are asked for in any order, some more than once. */
    order: fc.array(fc.nat({ max: tx.inputs.length - 1 }), { minLength: 1, maxLength: 6 }),
  }),
);
const scriptCode = fc.oneof(
  script,
  fc.constant(Uint8Array.of(OP.CODESEPARATOR, 2, OP.CODESEPARATOR, 7, OP.CODESEPARATOR)),
);

describe('digests with what inputs share, and without', () => {
  test('legacy', () => {
    fc.assert(
      fc.property(
        given,
        scriptCode,
        fc.array(anyType, { minLength: 1, maxLength: 3 }),
        ({ tx, order }, code, types) => {
          const midstate = sighashMidstate(tx);
          for (const inputIndex of order) {
            for (const sighashType of types) {
              const wanted = naiveLegacy(tx, inputIndex, code, sighashType);
              const asked = { tx, inputIndex, scriptCode: code, sighashType };
              expect(legacySighash({ ...asked, midstate })).toEqual(wanted);
              expect(legacySighash(asked)).toEqual(wanted);
              const message = legacySigMsg({ ...asked, midstate });
              if (message) expect(sha256d(message)).toEqual(wanted);
            }
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  test('segwit v0', () => {
    fc.assert(
      fc.property(given, scriptCode, value, anyType, ({ tx, prevouts, order }, code, spent, sighashType) => {
        const midstate = sighashMidstate(tx, prevouts);
        for (const inputIndex of order) {
          const wanted = naiveSegwit(tx, inputIndex, code, { value: spent, type: sighashType });
          const asked = { tx, inputIndex, scriptCode: code, value: spent, sighashType };
          expect(segwitV0Sighash({ ...asked, midstate })).toEqual(wanted);
          expect(sha256d(segwitV0SigMsg(asked))).toEqual(wanted);
        }
      }),
      { numRuns: 400 },
    );
  });

  test('all three, and bitcoinjs-lib', () => {
    const isReadable = ({ value: sats }: TxOut): boolean => sats >= 0n && sats <= 2n ** 51n;
    const readable = given.filter(({ tx }) => tx.outputs.length > 0 && tx.outputs.every(isReadable));
    const annex = fc.option(
      bytes(0, 40).map((data) => concat([0x50], data)),
      { nil: undefined },
    );
    const leaf = fc.option(
      script.map((leafScript) => tapLeafHash(leafScript)),
      { nil: undefined },
    );
    const type = fc.constantFrom(...DEFINED);
    fc.assert(
      fc.property(readable, type, annex, leaf, ({ tx, prevouts, order }, sighashType, anAnnex, leafHash) => {
        const midstate = sighashMidstate(tx, prevouts);
        const peer = BitcoinjsTransaction.fromBuffer(encodeTransaction(tx, { witness: false }));
        const scripts = prevouts.map(({ scriptPubKey }) => scriptPubKey);
        const values = prevouts.map((prevout) => prevout.value);
        const isSingle = (sighashType & 3) === 3;
        for (const inputIndex of order) {
          const [code = NOTHING, spent = 0n] = [scripts[inputIndex], values[inputIndex]];
          const asked = { tx, inputIndex, sighashType, midstate };
          const segwit = segwitV0Sighash({ ...asked, scriptCode: code, value: spent });
          expect(segwit).toEqual(Uint8Array.from(peer.hashForWitnessV0(inputIndex, code, spent, sighashType)));
          // Without an output for SINGLE it has the number one in the other byte order, and a taproot digest.
          if (isSingle && inputIndex >= tx.outputs.length) continue;
          const legacy = legacySighash({ ...asked, scriptCode: code });
          expect(legacy).toEqual(Uint8Array.from(peer.hashForSignature(inputIndex, code, sighashType)));
          const place = { ...(leafHash && { tapscript: { leafHash } }), ...(anAnnex && { annex: anAnnex }) };
          const taproot = taprootSighash({ ...asked, prevouts, ...place });
          const rest = { type: sighashType, annex: anAnnex, leafHash };
          expect(taproot).toEqual(naiveTaproot(tx, prevouts, inputIndex, rest));
          // It sizes the messages of NONE and SINGLE with ANYONECANPAY wrongly, and throws.
          if (sighashType > ALL_ANYONECANPAY) continue;
          const wanted = peer.hashForWitnessV1(inputIndex, scripts, values, sighashType, leafHash, anAnnex);
          expect(taproot).toEqual(Uint8Array.from(wanted));
        }
      }),
      { numRuns: 300 },
    );
  });
});
