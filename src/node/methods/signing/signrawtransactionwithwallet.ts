import { chainCoins, coinsSpentBy, PREVTXS, parsePrevtxs } from '../../../answers/arguments/prevtxs.ts';
import { transactionToSign } from '../../../answers/arguments/rawTransaction.ts';
import { parseSighashType, SIGHASH_TYPE } from '../../../answers/arguments/signingArguments.ts';
import { hexString, optional } from '../../../answers/method/parameters.ts';
import { signedTransactionResult, signingResultWith } from '../../../answers/rawtransaction/signingResult.ts';
import { NO_PROVIDER } from '../../../core/signing/signingProvider.ts';
import { assertUnlocked, walletMethod } from '../context.ts';

export const signrawtransactionwithwallet = walletMethod({
  name: 'signrawtransactionwithwallet',
  takesNull: true,
  about: "Signs the inputs of a transaction with the wallet's keys, and verifies all inputs.",
  params: [
    hexString('hexstring', 'the transaction, unsigned or partly signed'),
    optional({ ...PREVTXS, about: 'the outputs being spent that are not in the chain or mempool' }),
    SIGHASH_TYPE,
  ],
  result: signedTransactionResult,
  examples: ['signrawtransactionwithwallet 0200000001...'],
  run: (args, context) => {
    const { wallet, dialect } = context;
    const tx = transactionToSign(args.hexstring, context);
    assertUnlocked(wallet);
    const before = chainCoins(
      tx.inputs.map(({ outpoint }) => outpoint),
      context,
    );
    const coins = parsePrevtxs(args.prevtxs, context, { before });
    const sighashType = parseSighashType(args.sighashtype, dialect);
    const spentCoins = coinsSpentBy(tx, coins);
    const { legacy, descriptors } = wallet;
    const scripts = spentCoins.flatMap((coin) => (coin ? [coin.scriptPubKey] : []));
    const [first = NO_PROVIDER, ...others] = legacy
      ? [legacy.provider]
      : (descriptors?.signingProviders(scripts) ?? []);
    let answer = signingResultWith(() => first, { tx, known: spentCoins, sighashType }, context);
    // Each descriptor's provider adds the signatures of its own private keys.
    for (const provider of others) {
      if (answer.complete) break;
      const signed = transactionToSign(answer.hex, context);
      answer = signingResultWith(() => provider, { tx: signed, known: spentCoins, sighashType }, context);
    }
    return answer;
  },
});
