import { assertKnownOptions, assertList, assertShape, type OptionNames } from '../bytes/knownOptions.ts';
import { assertPrevouts } from '../sighash/midstate.ts';
import { SIGHASH } from '../sighash/sighashType.ts';
import { assertTransaction } from '../tx/assertTransaction.ts';
import type { Transaction } from '../tx/types.ts';
import { type ExtractedSignatureData, extractSignatureData } from './extractSignatureData.ts';
import { SESSION_OPTIONS, type SessionOptions } from './sessionOptions.ts';
import { createSignatures, NO_KEYS } from './signatureCreator.ts';
import { createSignatureData } from './signatureData.ts';
import { scriptChecks, signInput } from './signInput.ts';
import { NO_PROVIDER } from './signingProvider.ts';
import { CURRENT_RULES, type SigningRules } from './signingRules.ts';
import { createTxContext, type SpentOutput } from './txContext.ts';

/** Options of `combineTransactions`. */
export interface CombineTransactionsOptions extends SessionOptions {
  readonly rules?: SigningRules;
  /** False drops Schnorr signatures as invalid, as Core does. Default: true. */
  readonly verifiesSchnorr?: boolean;
}

const COMBINE_OPTIONS: OptionNames<CombineTransactionsOptions> = {
  ...SESSION_OPTIONS,
  rules: true,
  verifiesSchnorr: true,
};

/**
 * Merges the signatures of several copies of one transaction, without checking that they belong together. An input that
 * is valid in any copy is taken from there; any other is rebuilt from all valid signatures and scripts.
 *
 * - `copies`: at least one; the first gives everything but scriptSigs and witnesses
 * - `prevouts`: the outputs that the first copy spends
 *
 * @throws `sighash/prevouts`
 * @see Bitcoin Core RPC `combinerawtransaction`
 *
 * @example
 * ```ts
 * import { combineTransactions, decodeTransaction, parseHex } from 'countersign';
 *
 * const hex = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
 * const tx = decodeTransaction(parseHex(hex));
 * combineTransactions([tx, tx], [{ value: 5000n, scriptPubKey: parseHex('51') }]).inputs.length; // 1
 * ```
 */
export function combineTransactions(
  copies: readonly [Transaction, ...Transaction[]],
  prevouts: readonly SpentOutput[],
  options: CombineTransactionsOptions = {},
): Transaction {
  assertShape('copies', Array.isArray(copies) && copies.length > 0, 'a list of at least one transaction');
  for (const copy of copies) assertTransaction(copy, 'copies');
  assertList('prevouts', prevouts);
  assertKnownOptions(options, COMBINE_OPTIONS);
  const { rules = CURRENT_RULES, verifiesSchnorr = true } = options;
  const [first] = copies;
  assertPrevouts(first, prevouts);
  const contexts = copies.map((tx) =>
    createTxContext(
      tx,
      tx.inputs.map((_, i) => prevouts[i]),
      options,
    ),
  );
  const [merged] = contexts;
  const inputs = first.inputs.map((input, inputIndex) => {
    const coin = prevouts[inputIndex];
    if (!coin || !merged) return input;
    const ofInput = { inputIndex, coin, rules };
    const extracted = contexts.flatMap((context) => {
      const own = context.tx.inputs[inputIndex];
      const checks = { ...context, ...ofInput, prevouts: verifiesSchnorr ? context.prevouts : undefined };
      return own ? [{ own, data: extractSignatureData(own, scriptChecks(checks), rules.templates) }] : [];
    });
    const complete = extracted.find(({ data }) => data.isComplete);
    if (complete) return { ...input, scriptSig: complete.own.scriptSig, witness: complete.own.witness };
    const { scriptSig, witness } = signInput(
      { ...merged, ...ofInput },
      {
        sighashType: SIGHASH.ALL,
        provider: NO_PROVIDER,
        data: createSignatureData(mergedData(extracted.map(({ data }) => data))),
        makeCreator: (digests) => createSignatures(digests, NO_KEYS),
      },
    );
    return { ...input, scriptSig, witness };
  });
  return { ...first, inputs };
}

/** @see Core `MergeSignatureData` */
function mergedData(all: readonly ExtractedSignatureData[]): Omit<ExtractedSignatureData, 'isComplete'> {
  const firstScript = (script: 'redeemScript' | 'witnessScript'): Uint8Array =>
    all.map((data) => data[script]).find(({ length }) => length > 0) ?? new Uint8Array(0);
  return {
    signatures: new Map(all.flatMap(({ signatures }) => [...signatures]).reverse()),
    redeemScript: firstScript('redeemScript'),
    witnessScript: firstScript('witnessScript'),
  };
}
