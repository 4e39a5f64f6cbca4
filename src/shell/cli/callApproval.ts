import { chainCoins, coinsSpentBy, parsePrevtxs, withoutMark } from '../../answers/arguments/prevtxs.ts';
import { transactionToSign } from '../../answers/arguments/rawTransaction.ts';
import { parsePrivateKeys, parseSighashType } from '../../answers/arguments/signingArguments.ts';
import type { RpcContext } from '../../answers/dialect/dialect.ts';
import type { JsonValue } from '../../answers/json/jsonValue.ts';
import { readArguments } from '../../answers/method/readParams.ts';
import { signrawtransactionwithkey } from '../../answers/rawtransaction/signrawtransactionwithkey.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import { heldKeyFrom } from '../../core/holder/heldKey.ts';
import { createHolder } from '../../core/holder/holder.ts';
import { reviewTransaction } from '../../core/review/reviewTransaction.ts';
import { createSigningProvider } from '../../core/signing/signingProvider.ts';
import { CURRENT_RULES } from '../../core/signing/signingRules.ts';
import type { Io } from '../terminal/io.ts';
import { type Approval, isConfirmed, parsePolicyRules } from './approval.ts';

/** Reviews what `signrawtransactionwithkey` would sign, and asks. */
export async function isApproved(
  values: readonly JsonValue[],
  line: Approval & { readonly policy: readonly string[] },
  { context, io }: { readonly context: RpcContext; readonly io: Io },
): Promise<boolean> {
  const { network, dialect, chain, ecc = nobleEcc } = context;
  const args = readArguments(signrawtransactionwithkey, values, context);
  const tx = transactionToSign(args.hexstring, context);
  const keys = parsePrivateKeys(args.privkeys, context);
  const outpoints = tx.inputs.map(({ outpoint }) => outpoint);
  const scripts: Uint8Array[] = [];
  const coins = parsePrevtxs(args.prevtxs, context, { scripts, before: chainCoins(outpoints, context) });
  const prevouts = coinsSpentBy(tx, coins).map((coin) => withoutMark(coin, network));
  const review = reviewTransaction(
    {
      tx,
      prevouts,
      previousTransactions: outpoints.map((outpoint) => chain?.transaction(outpoint)),
      provider: createSigningProvider({ keys, scripts }, { rules: CURRENT_RULES, ecc }),
    },
    {
      ecc,
      holder: createHolder({ network, ecc, keys: keys.map((key) => heldKeyFrom(key, ecc)) }),
      policy: parsePolicyRules(line.policy),
      sighashType: parseSighashType(args.sighashtype, dialect),
    },
  );
  return isConfirmed(review, line, io);
}
