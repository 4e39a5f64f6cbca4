import { Transaction as BitcoinjsTransaction, script as bitcoinjsScript } from 'bitcoinjs-lib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytes, script, transaction } from '../arbitraries.ts';
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
/** Of a push that runs past the end, the original digest sees less; `outcomes.test.ts` has what a node said. */
const isWhole = (code: Uint8Array): boolean => !formatAsm(code).endsWith('[error]');
const scriptCode = fc.oneof(
  script,
  fc.constant(Uint8Array.of(OP.CODESEPARATOR, 2, OP.CODESEPARATOR, 7, OP.CODESEPARATOR)),
);

/** It parses scriptCodes and writes them again, which loses what does not parse and how things were pushed. */
function isUnchangedByPeer(code: Uint8Array): boolean {
  const parsed = bitcoinjsScript.decompile(code);
  return parsed !== null && formatHex(bitcoinjsScript.compile(parsed)) === formatHex(code);
}

describe('digests with what inputs share, and without', () => {
  test('legacy', () => {
    fc.assert(
      fc.property(
        given,
        scriptCode.filter(isWhole),
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

  const isReadable = ({ value: sats }: TxOut): boolean => sats >= 0n && sats <= 2n ** 51n;
  /** What bitcoinjs-lib takes: amounts that can be, and outputs. */
  const readable = given.filter(({ tx }) => tx.outputs.length > 0 && tx.outputs.every(isReadable));
  const definedType = fc.constantFrom(...DEFINED);
  const peerOf = (tx: Transaction): BitcoinjsTransaction =>
    BitcoinjsTransaction.fromBuffer(encodeTransaction(tx, { witness: false }));
  /** SINGLE without an output: bitcoinjs-lib has the number one in the other byte order, and a taproot digest. */
  const isUndefined = (tx: Transaction, inputIndex: number, sighashType: number): boolean =>
    (sighashType & 3) === 3 && inputIndex >= tx.outputs.length;

  test('ECDSA, as bitcoinjs-lib', () => {
    fc.assert(
      fc.property(readable, definedType, ({ tx, prevouts, order }, sighashType) => {
        const midstate = sighashMidstate(tx, prevouts);
        const peer = peerOf(tx);
        for (const inputIndex of order) {
          const { scriptPubKey: code = NOTHING, value: spent = 0n } = prevouts[inputIndex] ?? {};
          const asked = { tx, inputIndex, sighashType, midstate, scriptCode: code };
          const segwit = segwitV0Sighash({ ...asked, value: spent });
          expect(segwit).toEqual(Uint8Array.from(peer.hashForWitnessV0(inputIndex, code, spent, sighashType)));
          if (isUndefined(tx, inputIndex, sighashType) || !isUnchangedByPeer(code)) continue;
          expect(legacySighash(asked)).toEqual(Uint8Array.from(peer.hashForSignature(inputIndex, code, sighashType)));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('taproot, and as bitcoinjs-lib', () => {
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
          // It sizes messages with ANYONECANPAY wrongly, and throws.
          if (sighashType > 0x80) continue;
          const wanted = peerOf(tx).hashForWitnessV1(inputIndex, scripts, values, sighashType, leafHash, anAnnex);
          expect(digest).toEqual(Uint8Array.from(wanted));
        }
      }),
      { numRuns: 300 },
    );
  });
});
