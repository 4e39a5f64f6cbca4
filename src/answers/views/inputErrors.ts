import { formatHex } from '../../core/bytes/hex.ts';
import { formatAmount } from '../../core/encoding/amount.ts';
import { RpcError } from '../../core/errors.ts';
import { type ScriptError, type ScriptFailure, scriptErrorBefore31 } from '../../core/interpreter/result.ts';
import { formatTxid } from '../../core/tx/txid.ts';
import type { TxIn } from '../../core/tx/types.ts';
import type { Coin } from '../arguments/prevtxs.ts';
import { rawTransactionRules } from '../arguments/rawTransactionRules.ts';
import type { Dialect, RpcContext } from '../dialect/dialect.ts';
import { RPC_TYPE_ERROR } from '../method/errorCodes.ts';
import type { Draft } from '../method/results.ts';
import { type Answer, hex, list, maybe, members, numeric, text } from '../method/results.ts';

/** A script error, or `MISSING_INPUT` for an unknown coin. */
export type InputErrorCode = ScriptError | 'MISSING_INPUT';

export const inputErrorResult = members(
  {
    txid: hex('of the output that the input spends'),
    vout: numeric(),
    witness: maybe(list(hex())),
    scriptSig: hex(),
    sequence: numeric(),
    error: text('what is wrong'),
    code: maybe(text<InputErrorCode>('the fault, for programs'), { onlyInDialect: 'documented' }),
    hint: maybe(text('what to supply'), { onlyInDialect: 'documented' }),
  },
  '',
  [{ onlyInDialect: 'documented', last: ['witness', 'code', 'hint'] }],
);

/** An incomplete input in a signing result. */
export type InputErrorJson = Answer<typeof inputErrorResult>;

export interface InputFault {
  readonly code: InputErrorCode;
  readonly text: string;
  readonly hint?: string | undefined;
}

export const UNKNOWN_COIN: InputFault = { code: 'MISSING_INPUT', text: 'Input not found or already spent' };

export type InputErrorDraft = Draft<typeof inputErrorResult>;

/** @see Core `TxInErrorToJSON` */
export const inputErrorDraft = (
  { outpoint, scriptSig, sequence, witness }: TxIn,
  { code, text, hint }: InputFault,
): InputErrorDraft => ({
  txid: formatTxid(outpoint.txid),
  vout: outpoint.vout,
  witness,
  scriptSig,
  sequence,
  error: text,
  code,
  hint,
});

export function scriptErrorIn(failure: ScriptFailure, { generation }: Dialect): ScriptError {
  return rawTransactionRules[generation].namesAllScriptErrors ? failure.error : scriptErrorBefore31(failure);
}

/** @see Core `CTxOut::ToString` */
const SHOWN_SCRIPT_DIGITS = 30;

interface Spend {
  readonly coin: Coin;
  readonly input: TxIn;
  /** No signature was made for lack of the amount, where a node signs all the same and so has a witness. */
  readonly lacksAmount?: boolean;
}

/** Refuses a segwit spend of a coin without an amount, which its digest commits to. @throws RpcError -3 */
export function assertAmount({ coin, input, lacksAmount = false }: Spend, { network }: RpcContext): void {
  const { value, scriptPubKey } = coin;
  if (value !== network.maxMoney || (input.witness.length === 0 && !lacksAmount)) return;
  const script = formatHex(scriptPubKey).slice(0, SHOWN_SCRIPT_DIGITS);
  throw new RpcError(
    RPC_TYPE_ERROR,
    `Missing amount for CTxOut(nValue=${formatAmount(value)}, scriptPubKey=${script})`,
  );
}
