import { formatHex } from '../../bytes/hex.ts';
import { argumentRules, psbtRoleRules } from '../../generations.ts';
import { encodeTransaction } from '../../tx/codec.ts';
import { assertTypes, readOptional, readValue } from '../argumentValues.ts';
import { formatPsbt, parsePsbt } from '../psbt/psbtText.ts';
import { parseSighashType } from '../rawtransaction/signingArguments.ts';
import type { ProcessedPsbtJson } from '../views/jsonTypes.ts';
import { assertUnlocked, type WalletMethod } from './context.ts';
import { fillPsbt, signedTransaction } from './fillPsbt.ts';

/** @see Bitcoin Core `walletprocesspsbt` */
export const walletprocesspsbt: WalletMethod<ProcessedPsbtJson> = {
  name: 'walletprocesspsbt',
  needs: 'wallet',
  params: [
    { name: 'psbt', type: 'string' },
    { name: 'sign', type: 'bool', isOptional: true },
    { name: 'sighashtype', type: 'string', isOptional: true },
    { name: 'bip32derivs', type: 'bool', isOptional: true },
    { name: 'finalize', type: 'bool', isOptional: true, since: 'core-31' },
  ],
  checksLate: true,
  help: `Updates a PSBT with the wallet's transactions, scripts and keys, signs it with the wallet's private keys, and
finalizes it.

Arguments:
1. psbt           (string, required) the PSBT in base64
2. sign           (bool, optional, default true) whether to sign
3. sighashtype    (string, optional) DEFAULT, ALL, NONE, SINGLE, ALL|ANYONECANPAY, NONE|ANYONECANPAY or
                  SINGLE|ANYONECANPAY; default ALL, in core-31 DEFAULT for taproot
4. bip32derivs    (bool, optional, default true) whether to add the BIP32 derivation paths of keys
5. finalize       (bool, optional, default true) whether to finalize complete inputs; core-31 only

Result:
psbt              the PSBT in base64
complete          whether every input is final; in core-31, also valid
hex               (core-31) the signed transaction, if complete

Examples:
> countersign walletprocesspsbt --file spend.psbt --wallet-dir wallets`,
  run: (args, context) => {
    const { wallet, dialect } = context;
    const { refusesLockedWallets, choosesTypeByCoin, verifiesFinalInputs } = psbtRoleRules[dialect.generation];
    if (!argumentRules[dialect.generation].checksAllTypes) assertTypes(args, ['string', 'bool', 'string']);
    const given = parsePsbt(readValue(args[0], 'string', dialect).value, context);
    const named = readOptional(args[2], 'string', dialect);
    const sighashType = named || !choosesTypeByCoin ? parseSighashType(named, dialect) : undefined;
    const signs = readOptional(args[1], 'bool', dialect)?.value ?? true;
    const hidesOrigins = readOptional(args[3], 'bool', dialect)?.value === false;
    const finalizes = readOptional(args[4], 'bool', dialect)?.value ?? true;
    if (signs && refusesLockedWallets) assertUnlocked(wallet);
    const { psbt, isComplete } = fillPsbt(given, { signs, sighashType, hidesOrigins, finalizes }, context);
    const answer = { psbt: formatPsbt(psbt, context), complete: isComplete };
    if (!isComplete || !verifiesFinalInputs) return answer;
    return { ...answer, hex: formatHex(encodeTransaction(signedTransaction(psbt))) };
  },
};
