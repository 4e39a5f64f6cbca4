import { createPsbt } from '../../psbt/roles/creator.ts';
import { checkValue, readOptional } from '../argumentValues.ts';
import { JSON_NULL, memberOf } from '../json/jsonValue.ts';
import { formatPsbt, parsePsbtVersion } from '../psbt/psbtText.ts';
import { constructTransaction } from '../rawtransaction/constructTransaction.ts';
import type { FundedPsbtJson } from '../views/walletJsonTypes.ts';
import type { WalletMethod } from '../wallet/context.ts';
import { fillPsbt } from '../wallet/fillPsbt.ts';
import { isGiven } from './feeTerms.ts';
import { CHOICE_HELP, FUNDING_HELP } from './fundingHelp.ts';
import { FUNDING_OPTIONS } from './fundingOptions.ts';
import { fundingMembers, fundTransaction } from './fundTransaction.ts';
import { namesOf } from './recipients.ts';

/** @see Bitcoin Core `walletcreatefundedpsbt` */
export const walletcreatefundedpsbt: WalletMethod<FundedPsbtJson> = {
  name: 'walletcreatefundedpsbt',
  needs: 'wallet',
  params: [
    { name: 'inputs', type: 'array', isOptional: true },
    { name: 'outputs', type: 'any' },
    { name: 'locktime', type: 'number', isOptional: true },
    { name: 'options', type: 'object', isOptional: true, members: FUNDING_OPTIONS },
    { name: 'bip32derivs', type: 'bool', isOptional: true },
    { name: 'version', type: 'number', isOptional: true, since: 'core-31' },
    { name: 'psbt_version', type: 'number', isOptional: true, since: 'core-31' },
  ],
  takesNull: true,
  help: `Creates a PSBT that pays these outputs from the wallet's coins, with change, and with the wallet's
records of inputs and outputs. Signs nothing.

${CHOICE_HELP}

Arguments:
1. inputs          (array, optional) coins to spend in any case
     [{ "txid": "hex", "vout": n, "sequence": n (optional), "weight": n (optional, core-31) }, ...]
2. outputs         (array or object, required) amounts by address, and at most one data output
     [{ "address": amount }, ..., { "data": "hex" }]
3. locktime        (number, optional, default 0)
4. options         (object, optional)
${FUNDING_HELP}
5. bip32derivs     (bool, optional, default true) whether to add the BIP32 derivation paths of keys
6. version         (number, optional, default 2) the transaction version, 1 to 3; core-31 only
7. psbt_version    (number, optional, default 0, in core-31 2) the PSBT version, 0 or 2; core-31 only

Result:
psbt               the PSBT in base64
fee                the fee
changepos          the place of the change among the outputs, or -1

Examples:
> countersign walletcreatefundedpsbt '[]' '[{"bc1q...":0.5}]' 0 '{"fee_rate":2}' --wallet-dir wallets`,
  run: (args, context) => {
    const { dialect } = context;
    const [inputs, outputs = JSON_NULL, locktime, given, derivations, version] = args;
    const members = isGiven(given) ? checkValue(given, 'object').members : [];
    const replaceable = memberOf(members, 'replaceable');
    const flag = isGiven(replaceable) ? checkValue(replaceable, 'bool') : undefined;
    const raw = constructTransaction([inputs, outputs, locktime, flag, version], context);
    const { tx, ...funded } = fundTransaction(
      {
        tx: raw,
        names: namesOf(outputs),
        options: { type: 'object', members },
        inputs: inputs ?? JSON_NULL,
        payersName: 'subtractFeeFromOutputs',
        isForced: true,
        addsCoins: raw.inputs.length === 0,
      },
      context,
    );
    const hidesOrigins = readOptional(derivations, 'bool', dialect)?.value === false;
    const created = createPsbt(tx, { version: parsePsbtVersion(args[6], context) });
    const { psbt } = fillPsbt(created, { signs: false, hidesOrigins, finalizes: false }, context);
    return { psbt: formatPsbt(psbt, context), ...fundingMembers(funded) };
  },
};
