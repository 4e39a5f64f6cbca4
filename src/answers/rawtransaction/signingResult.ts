import { formatHex } from '../../core/bytes/hex.ts';
import { type ScriptError, scriptErrorText } from '../../core/interpreter/result.ts';
import { createSigningProvider, type SigningKey } from '../../core/signing/signingProvider.ts';
import { type SigningOutcome, signTransactionWith } from '../../core/signing/signTransaction.ts';
import { encodeTransaction } from '../../core/tx/codec.ts';
import type { Transaction, TxIn } from '../../core/tx/types.ts';
import { type Coin, type Coins, coinsSpentBy, withoutMark } from '../arguments/prevtxs.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import { signingDialects, signingRulesFor } from '../dialect/signingDialect.ts';
import type { Draft } from '../method/results.ts';
import { type Answer, flag, hex, list, maybe, members } from '../method/results.ts';
import {
  assertAmount,
  type InputErrorDraft,
  inputErrorDraft,
  inputErrorResult,
  scriptErrorIn,
  UNKNOWN_COIN,
} from '../views/inputErrors.ts';
import { missingHint } from '../views/missingHints.ts';

export const signedTransactionResult = members({
  hex: hex('the transaction with the signatures'),
  complete: flag('whether every input is valid'),
  errors: maybe(list(inputErrorResult, 'the inputs that are not valid')),
});

/** The answer of signing methods. */
export type SigningResultJson = Answer<typeof signedTransactionResult>;

type SigningDraft = Draft<typeof signedTransactionResult> & { readonly hex: string };

export interface SigningRequest {
  readonly tx: Transaction;
  readonly coins: Coins;
  readonly keys: readonly SigningKey[];
  readonly scripts: readonly Uint8Array[];
  readonly sighashType: number;
}

/** @throws RpcError -3 for a segwit input without an amount */
export function signingResult({ keys, scripts, ...request }: SigningRequest, context: RpcContext): SigningDraft {
  const spent = coinsSpentBy(request.tx, request.coins);
  return signingResultWith(
    (ecc, rules) => createSigningProvider({ keys, scripts }, { rules, ecc }),
    { ...request, known: spent },
    context,
  );
}

/** Takes the coins being spent, one per input, as `known`. */
export function signingResultWith(
  createProvider: Parameters<typeof signTransactionWith>[0],
  { known: spent, ...request }: { tx: Transaction; known: readonly (Coin | undefined)[]; sighashType: number },
  context: RpcContext,
): SigningDraft {
  const { ecc, dialect, network, onProgress } = context;
  const { signsUnknownAmounts } = signingDialects[dialect.name];
  const prevouts = signsUnknownAmounts ? spent : spent.map((coin) => withoutMark(coin, network));
  const signed = signTransactionWith(createProvider, {
    ...request,
    prevouts,
    rules: signingRulesFor(dialect),
    ...(ecc && { ecc }),
    ...(onProgress && { onProgress }),
  });
  const errors = signed.inputs.flatMap((outcome, i) => {
    const [input, coin] = [signed.tx.inputs[i], spent[i]];
    if (!input) return [];
    // A missing amount fails the whole call, even if nothing else is wrong.
    if (coin) assertAmount({ coin, input, lacksAmount: lacksAmount(outcome) }, context);
    return outcome.kind === 'complete' ? [] : [signingErrorJson(input, outcome, context)];
  });
  return {
    hex: formatHex(encodeTransaction(signed.tx)),
    complete: errors.length === 0,
    errors: errors.length > 0 ? errors : undefined,
  };
}

const lacksAmount = (outcome: SigningOutcome): boolean =>
  outcome.kind === 'incomplete' && outcome.missing.some(({ kind }) => kind === 'amount');

/** Core words two errors that a missing key causes as advice. @see Core `SignTransaction` */
const ADVICE: Readonly<Partial<Record<ScriptError, string>>> = {
  INVALID_STACK_OPERATION: 'Unable to sign input, invalid stack size (possibly missing key)',
  SIG_NULLFAIL: 'CHECK(MULTI)SIG failing with non-zero signature (possibly need more signatures)',
};

function signingErrorJson(
  input: TxIn,
  { failure, missing }: Extract<SigningOutcome, { kind: 'incomplete' }>,
  context: RpcContext,
): InputErrorDraft {
  const hint = missingHint(missing);
  if (!failure) return inputErrorDraft(input, { ...UNKNOWN_COIN, hint });
  const code = scriptErrorIn(failure, context.dialect);
  return inputErrorDraft(input, { code, text: ADVICE[code] ?? scriptErrorText(code), hint });
}
