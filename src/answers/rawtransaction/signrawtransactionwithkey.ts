import { chainCoins, PREVTXS, parsePrevtxs } from '../arguments/prevtxs.ts';
import { transactionToSign } from '../arguments/rawTransaction.ts';
import { parsePrivateKeys, parseSighashType, SIGHASH_TYPE } from '../arguments/signingArguments.ts';
import { method } from '../method/method.ts';
import { array, hexString, optional, string } from '../method/parameters.ts';
import { signedTransactionResult, signingResult } from './signingResult.ts';

export const signrawtransactionwithkey = method({
  name: 'signrawtransactionwithkey',
  category: 'rawtransactions',
  takesNull: true,
  usesChain: true,
  about: 'Signs the inputs of a transaction with these private keys only, and verifies all inputs.',
  params: [
    hexString('hexstring', 'the transaction, unsigned or partly signed'),
    array(
      'privkeys',
      string('privatekey', 'a private key in wallet import format'),
      'the private keys. Other users can read a command line: better use --keys-file, --keys-stdin or the prompt',
      { isSecret: true },
    ),
    optional(PREVTXS),
    SIGHASH_TYPE,
  ],
  result: signedTransactionResult,
  examples: [
    'signrawtransactionwithkey --keys-file keys.json 0200000001... \'[{"txid":"...","vout":0,"scriptPubKey":"76a9...88ac"}]\'',
  ],
  run: (args, context) => {
    const { dialect } = context;
    const tx = transactionToSign(args.hexstring, context);
    const keys = parsePrivateKeys(args.privkeys, context);
    const scripts: Uint8Array[] = [];
    const before = chainCoins(
      tx.inputs.map(({ outpoint }) => outpoint),
      context,
    );
    const coins = parsePrevtxs(args.prevtxs, context, { scripts, before });
    return signingResult(
      { tx, coins, keys, scripts, sighashType: parseSighashType(args.sighashtype, dialect) },
      context,
    );
  },
});
