import type { Prevtx, SighashName } from '../arguments/argumentTypes.ts';
import { chainCoins, parsePrevtxs } from '../arguments/prevtxs.ts';
import { transactionToSign } from '../arguments/rawTransaction.ts';
import { parsePrivateKeys, parseSighashType, SIGHASH_NAMES } from '../arguments/signingArguments.ts';
import { method } from '../method/method.ts';
import { array, choice, json, of, optional, string } from '../method/parameters.ts';
import { signedTransactionResult, signingResult } from './signingResult.ts';

export const signrawtransactionwithkey = method({
  name: 'signrawtransactionwithkey',
  takesNull: true,
  usesChain: true,
  about: 'Signs the inputs of a transaction with these private keys only, and verifies all inputs.',
  params: [
    string('hexstring', 'the transaction in hex, unsigned or partly signed'),
    array(
      'privkeys',
      of<string>(),
      'private keys in wallet import format. Other users can read a command line: better use --keys-file, --keys-stdin or the prompt',
      { isSecret: true },
    ),
    optional(
      json(
        'prevtxs',
        of<readonly Prevtx[]>(),
        { type: 'array' },
        `the outputs being spent, unless the chain or mempool has them
     [{
       "txid": "hex",            (string, required) the transaction id
       "vout": n,                (number, required) the output number
       "scriptPubKey": "hex",    (string, required) the output script
       "redeemScript": "hex",    (string) required for P2SH
       "witnessScript": "hex",   (string) required for P2WSH and P2SH-P2WSH
       "amount": amount          (number or string) the amount in coins; required for segwit inputs
     }, ...]`,
      ),
    ),
    optional(choice('sighashtype', of<SighashName>(), `${SIGHASH_NAMES}; default ALL, since core-29 DEFAULT`)),
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
