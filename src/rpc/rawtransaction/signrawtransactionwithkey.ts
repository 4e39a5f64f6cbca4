import { readValue } from '../argumentValues.ts';
import type { RpcMethod } from '../method.ts';
import type { SigningResultJson } from '../views/jsonTypes.ts';
import { chainCoins, parsePrevtxs } from './prevtxs.ts';
import { transactionToSign } from './rawTransaction.ts';
import { parsePrivateKeys, parseSighashType } from './signingArguments.ts';
import { signingResult } from './signingResult.ts';

/** @see Bitcoin Core `signrawtransactionwithkey` */
export const signrawtransactionwithkey: RpcMethod<SigningResultJson> = {
  name: 'signrawtransactionwithkey',
  needs: 'nothing',
  params: [
    { name: 'hexstring', type: 'string' },
    { name: 'privkeys', type: 'array', isSecret: true },
    { name: 'prevtxs', type: 'array', isOptional: true },
    { name: 'sighashtype', type: 'string', isOptional: true },
  ],
  takesNull: true,
  usesChain: true,
  help: `Signs the inputs of a transaction with these private keys only, and verifies all inputs.

Arguments:
1. hexstring      (string, required) the transaction in hex, unsigned or partly signed
2. privkeys       (array, required) private keys in wallet import format. Other users can read a command line: better
                  use --keys-file, --keys-stdin or the prompt
3. prevtxs        (array, optional) the outputs being spent, unless the chain or mempool has them
     [{
       "txid": "hex",            (string, required) the transaction id
       "vout": n,                (number, required) the output number
       "scriptPubKey": "hex",    (string, required) the output script
       "redeemScript": "hex",    (string) required for P2SH
       "witnessScript": "hex",   (string) required for P2WSH and P2SH-P2WSH
       "amount": amount          (number or string) the amount in coins; required for segwit inputs
     }, ...]
4. sighashtype    (string, optional) DEFAULT, ALL, NONE, SINGLE, ALL|ANYONECANPAY, NONE|ANYONECANPAY or
                  SINGLE|ANYONECANPAY; default ALL, in core-31 DEFAULT

Result:
hex               the transaction with the signatures
complete          whether every input is valid
errors            the inputs that are not valid, and why

Examples:
> countersign signrawtransactionwithkey --keys-file keys.json 0200000001... '[{"txid":"...","vout":0,"scriptPubKey":"76a9...88ac"}]'`,
  run: (args, context) => {
    const { dialect } = context;
    const tx = transactionToSign(readValue(args[0], 'string', dialect).value, context);
    const keys = parsePrivateKeys(readValue(args[1], 'array', dialect).items, context);
    const scripts: Uint8Array[] = [];
    const before = chainCoins(
      tx.inputs.map(({ outpoint }) => outpoint),
      context,
    );
    const coins = parsePrevtxs(args[2], context, { scripts, before });
    return signingResult({ tx, coins, keys, scripts, sighashType: parseSighashType(args[3], dialect) }, context);
  },
};
