import { isBtcError, RpcError } from '../../core/errors.ts';
import { parseScriptFlags, type ScriptFlags, STANDARD_FLAGS } from '../../core/interpreter/flags.ts';
import { scriptErrorText } from '../../core/interpreter/result.ts';
import { transactionChecker } from '../../core/interpreter/transactionChecker.ts';
import { verifyScript } from '../../core/interpreter/verifyScript.ts';
import { areAllKnown, sighashMidstate } from '../../core/sighash/midstate.ts';
import {
  checkInputValues,
  checkTransaction,
  type InputValuesFault,
  type TransactionFault,
} from '../../core/tx/check.ts';
import type { Transaction } from '../../core/tx/types.ts';
import { type Coin, coinsSpentBy, PREVTXS, parsePrevtxs } from '../arguments/prevtxs.ts';
import { transactionToSign } from '../arguments/rawTransaction.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import { RPC_INVALID_PARAMETER } from '../method/errorCodes.ts';
import { method, own } from '../method/method.ts';
import { hexString, optional, string } from '../method/parameters.ts';
import { type Answer, flag, list, maybe, members, text } from '../method/results.ts';
import {
  assertAmount,
  type InputErrorDraft,
  inputErrorDraft,
  inputErrorResult,
  scriptErrorIn,
  UNKNOWN_COIN,
} from '../views/inputErrors.ts';

const verifiedTransactionResult = members({
  complete: flag('whether every input is valid and the transaction well formed'),
  errors: maybe(list(inputErrorResult, 'the inputs that are not valid')),
  'reject-reason': maybe(
    text<TransactionFault | InputValuesFault>('why the transaction itself is not valid, as in testmempoolaccept'),
  ),
});

/** The answer of `verifyrawtransaction`. */
export type VerifiedTransactionJson = Answer<typeof verifiedTransactionResult>;

export const verifyrawtransaction = own(
  method({
    name: 'verifyrawtransaction',
    category: 'rawtransactions',
    about: 'Runs the scripts of a signed transaction against the outputs that it spends.',
    params: [
      hexString('hexstring', 'the transaction'),
      PREVTXS,
      optional(
        string(
          'flags',
          "script verification flags by Core's names, separated by commas (P2SH,WITNESS,TAPROOT,...), or NONE; default: the standard flags of nodes' relay policy",
        ),
      ),
    ],
    result: verifiedTransactionResult,
    examples: [
      'verifyrawtransaction 0200000001... \'[{"txid":"...","vout":0,"scriptPubKey":"0014...","amount":0.5}]\'',
    ],
    run: (args, context) => {
      const { network } = context;
      const tx = transactionToSign(args.hexstring, context);
      const coins = parsePrevtxs(args.prevtxs, context);
      const flags = args.flags === undefined ? STANDARD_FLAGS : parseFlags(args.flags);
      const spent = coinsSpentBy(tx, coins);
      const errors = inputErrors({ tx, spent, flags }, context);
      const reason = checkTransaction(tx, { maxMoney: network.maxMoney }) ?? overspending(tx, spent, context);
      return {
        complete: errors.length === 0 && reason === undefined,
        ...(errors.length > 0 && { errors }),
        ...(reason && { 'reject-reason': reason }),
      };
    },
  }),
);

function overspending(
  tx: Transaction,
  spent: readonly (Coin | undefined)[],
  { network: { maxMoney } }: RpcContext,
): InputValuesFault | undefined {
  const areAmountsKnown = spent.every((coin) => coin !== undefined && coin.value !== maxMoney);
  return areAmountsKnown && areAllKnown(spent) ? checkInputValues(tx, spent, { maxMoney }) : undefined;
}

function parseFlags(text: string): ScriptFlags {
  try {
    return parseScriptFlags(text);
  } catch (error) {
    if (!isBtcError(error, 'script/flag-unknown')) throw error;
    const { name, known } = error.data;
    throw new RpcError(RPC_INVALID_PARAMETER, `Unknown script flag '${name}'; known flags: ${known}`, {
      cause: error,
    });
  }
}

interface Check {
  readonly tx: Transaction;
  readonly spent: readonly (Coin | undefined)[];
  readonly flags: ScriptFlags;
}

function inputErrors({ tx, spent, flags }: Check, context: RpcContext): readonly InputErrorDraft[] {
  // Schnorr signatures can be checked only if all coins are known; otherwise nodes report a wrong hash type.
  const prevouts = areAllKnown(spent) ? spent : undefined;
  const midstate = sighashMidstate(tx, prevouts);
  const ecc = context.ecc && { ecc: context.ecc };
  return tx.inputs.flatMap((input, inputIndex) => {
    const coin = spent[inputIndex];
    if (!coin) return [inputErrorDraft(input, UNKNOWN_COIN)];
    assertAmount({ coin, input }, context);
    const checkerInput = { tx, inputIndex, value: coin.value, midstate, ...ecc, ...(prevouts && { prevouts }) };
    const outcome = verifyScript({
      scriptSig: input.scriptSig,
      witness: input.witness,
      scriptPubKey: coin.scriptPubKey,
      knowsAnchors: context.dialect.templates.anchor,
      flags,
      checker: transactionChecker(checkerInput),
      ...ecc,
    });
    if (outcome.kind === 'valid') return [];
    const code = scriptErrorIn(outcome, context.dialect);
    return [inputErrorDraft(input, { code, text: scriptErrorText(code) })];
  });
}
