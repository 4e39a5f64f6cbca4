import { formatHex } from '../bytes/hex.ts';
import { RpcError } from '../errors.ts';
import { type ScriptError, type ScriptFailure, scriptErrorOf021 } from '../interpreter/result.ts';
import { formatAmount } from '../network/amount.ts';
import { formatTxid } from '../tx/txid.ts';
import type { TxIn } from '../tx/types.ts';
import type { InputErrorCode, InputErrorJson } from './answers.ts';
import type { Dialect, RpcContext } from './dialect.ts';
import { RPC_TYPE_ERROR } from './errorCodes.ts';
import type { Coin } from './prevtxs.ts';

/** What is wrong with an input: for programs, in the node's words, and what would help. */
export interface InputFault {
  readonly code: InputErrorCode;
  readonly text: string;
  readonly hint?: string | undefined;
}

/** What a node says of an input whose coin it does not know. */
export const UNKNOWN_COIN: InputFault = { code: 'MISSING_INPUT', text: 'Input not found or already spent' };

/**
 * One element of a signing result's `errors`. The `documented` dialect keeps to the contract's members and adds its own
 * after them.
 * @see Bitcoin Core `TxInErrorToJSON`
 */
export function inputErrorJson(
  { outpoint, scriptSig, sequence, witness }: TxIn,
  { code, text, hint }: InputFault,
  { dialect }: RpcContext,
): InputErrorJson {
  const spent = { txid: formatTxid(outpoint.txid), vout: outpoint.vout };
  const items = { witness: witness.map((item) => formatHex(item)) };
  const rest = { scriptSig: formatHex(scriptSig), sequence, error: text };
  if (!dialect.followsContract) return { ...spent, ...items, ...rest };
  return { ...spent, ...rest, ...items, code, ...(hint !== undefined && { hint }) };
}

/** What the dialect's generation calls a failure. */
export function scriptErrorIn(failure: ScriptFailure, { generation }: Dialect): ScriptError {
  return generation === 'core-0.21' ? scriptErrorOf021(failure) : failure.error;
}

/** How much of a script a node shows of a coin. */
const SHOWN_SCRIPT_DIGITS = 30;

/**
 * Refuses a segwit spend of a coin without an amount: its digest cannot be known.
 *
 * - `isWanted`: whether a signature was not made for the lack of it; a node makes it all the same, so has a witness
 *
 * @throws RpcError -3 with the node's text
 */
export function assertAmount(
  { value, scriptPubKey }: Coin,
  { witness }: TxIn,
  isWanted: boolean,
  { network }: RpcContext,
): void {
  if (value !== network.maxMoney || (witness.length === 0 && !isWanted)) return;
  const script = formatHex(scriptPubKey).slice(0, SHOWN_SCRIPT_DIGITS);
  throw new RpcError(
    RPC_TYPE_ERROR,
    `Missing amount for CTxOut(nValue=${formatAmount(value)}, scriptPubKey=${script})`,
  );
}
