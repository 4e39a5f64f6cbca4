import { NO_PROVIDER } from '../../signing/signingProvider.ts';
import { readValue } from '../argumentValues.ts';
import { chainCoins, coinsSpentBy, parsePrevtxs } from '../rawtransaction/prevtxs.ts';
import { transactionToSign } from '../rawtransaction/rawTransaction.ts';
import { parseSighashType } from '../rawtransaction/signingArguments.ts';
import { signingResultWith } from '../rawtransaction/signingResult.ts';
import type { SigningResultJson } from '../views/jsonTypes.ts';
import { assertUnlocked, type WalletMethod } from './context.ts';

/** @see Bitcoin Core `signrawtransactionwithwallet` */
export const signrawtransactionwithwallet: WalletMethod<SigningResultJson> = {
  name: 'signrawtransactionwithwallet',
  needs: 'wallet',
  params: [
    { name: 'hexstring', type: 'string' },
    { name: 'prevtxs', type: 'array', isOptional: true },
    { name: 'sighashtype', type: 'string', isOptional: true },
  ],
  takesNull: true,
  help: `Signs the inputs of a transaction with the wallet's keys, and verifies all inputs.

Arguments:
1. hexstring      (string, required) the transaction in hex, unsigned or partly signed
2. prevtxs        (array, optional) the outputs being spent that are not in the chain or mempool
     [{ "txid": "hex", "vout": n, "scriptPubKey": "hex", "amount": amount }, ...]
3. sighashtype    (string, optional) DEFAULT, ALL, NONE, SINGLE, ALL|ANYONECANPAY, NONE|ANYONECANPAY or
                  SINGLE|ANYONECANPAY; default ALL, in core-31 DEFAULT

Result:
hex               the transaction with the signatures
complete          whether every input is valid
errors            the inputs that are not valid, and why

Examples:
> countersign signrawtransactionwithwallet 0200000001...`,
  run: (args, context) => {
    const { wallet, dialect } = context;
    const tx = transactionToSign(readValue(args[0], 'string', dialect).value, context);
    assertUnlocked(wallet);
    const before = chainCoins(
      tx.inputs.map(({ outpoint }) => outpoint),
      context,
    );
    const coins = parsePrevtxs(args[1], context, { before });
    const sighashType = parseSighashType(args[2], dialect);
    const known = coinsSpentBy(tx, coins);
    const { legacy, descriptors } = wallet;
    const scripts = known.flatMap((coin) => (coin ? [coin.scriptPubKey] : []));
    const [first = NO_PROVIDER, ...others] = legacy
      ? [legacy.provider]
      : (descriptors?.signingProviders(scripts) ?? []);
    let answer = signingResultWith(() => first, { tx, known, sighashType }, context);
    // Each descriptor's provider adds the signatures of its own private keys.
    for (const provider of others) {
      if (answer.complete) break;
      const signed = transactionToSign(answer.hex, context);
      answer = signingResultWith(() => provider, { tx: signed, known, sighashType }, context);
    }
    return answer;
  },
};
