import type { FundingOptions, InputArgument } from '../../../answers/arguments/argumentTypes.ts';
import { checkValue, isGiven } from '../../../answers/arguments/argumentValues.ts';
import {
  constructTransaction,
  LOCKTIME_PARAM,
  OUTPUTS_PARAM,
  VERSION_PARAM,
} from '../../../answers/arguments/constructTransaction.ts';
import { inCoins } from '../../../answers/json/exactNumbers.ts';
import { findMember, JSON_NULL } from '../../../answers/json/jsonValue.ts';
import { bool, json, named, object, of, optional } from '../../../answers/method/parameters.ts';
import { members, text } from '../../../answers/method/results.ts';
import { formatPsbt } from '../../../answers/psbt/psbtText.ts';
import { PSBT_VERSION_PARAM, parsePsbtVersion } from '../../../answers/psbt/psbtVersion.ts';
import { createPsbt } from '../../../core/psbt/roles/creator.ts';
import { walletMethod } from '../context.ts';
import { fillPsbt } from '../fillPsbt.ts';
import { signalFlag } from './createPayment.ts';
import { CHOICE_HELP, FUNDING_HELP } from './fundingHelp.ts';
import { FUNDING_OPTIONS } from './fundingOptions.ts';
import { fundingMembers, fundingResult, fundTransaction } from './fundTransaction.ts';
import { outputNames } from './recipients.ts';

export const walletcreatefundedpsbt = walletMethod({
  name: 'walletcreatefundedpsbt',
  takesNull: true,
  about: `Creates a PSBT that pays these outputs from the wallet's coins, with change, and with the wallet's
records of inputs and outputs. Signs nothing.

${CHOICE_HELP}`,
  params: [
    optional(
      json(
        'inputs',
        of<readonly InputArgument[]>(),
        { type: 'array' },
        `coins to spend in any case
     [{ "txid": "hex", "vout": n, "sequence": n (optional), "weight": n (optional, since core-29) }, ...]`,
      ),
    ),
    OUTPUTS_PARAM,
    LOCKTIME_PARAM,
    named(
      optional(
        object(
          'options',
          of<FundingOptions>(),
          `
${FUNDING_HELP}`,
          { isChecked: true },
        ),
      ),
      FUNDING_OPTIONS,
    ),
    optional(
      bool('bip32derivs', 'whether to add the BIP32 derivation paths of keys', {
        default: 'true',
      }),
    ),
    VERSION_PARAM,
    PSBT_VERSION_PARAM,
  ],
  result: members({ psbt: text('the PSBT in base64'), ...fundingResult.members }),
  examples: ["walletcreatefundedpsbt '[]' '[{\"bc1q...\":0.5}]' 0 '{\"fee_rate\":2}' --wallet-dir wallets"],
  run: (args, context) => {
    const { inputs, locktime, version } = args;
    const outputs = args.outputs ?? JSON_NULL;
    const members = args.options ?? [];
    const replaceable = findMember(members, 'replaceable');
    const flag = isGiven(replaceable) ? checkValue(replaceable, 'bool') : signalFlag(context);
    const raw = constructTransaction({ inputs, outputs, locktime, replaceable: flag, version }, context);
    const { tx, ...funded } = fundTransaction(
      {
        tx: raw,
        names: outputNames(outputs),
        options: { type: 'object', members },
        inputs: inputs ?? JSON_NULL,
        payersName: 'subtractFeeFromOutputs',
        isForced: true,
        addsCoins: raw.inputs.length === 0,
      },
      context,
    );
    const hidesOrigins = args.bip32derivs === false;
    const created = createPsbt(tx, { version: parsePsbtVersion(args.psbt_version, context) });
    const { psbt } = fillPsbt(created, { signs: false, hidesOrigins, finalizes: false }, context);
    return inCoins({ psbt: formatPsbt(psbt, context), ...fundingMembers(funded) });
  },
});
