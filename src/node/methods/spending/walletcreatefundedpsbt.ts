import { constructTransaction, LOCKTIME, OUTPUTS, VERSION } from '../../../answers/arguments/constructTransaction.ts';
import { JSON_NULL } from '../../../answers/json/jsonValue.ts';
import { bool, optional, options } from '../../../answers/method/parameters.ts';
import { members, text } from '../../../answers/method/results.ts';
import { formatPsbt } from '../../../answers/psbt/psbtText.ts';
import { choosePsbtVersion, PSBT_VERSION_PARAM } from '../../../answers/psbt/psbtVersion.ts';
import { createPsbt } from '../../../core/psbt/roles/creator.ts';
import { walletMethod } from '../context.ts';
import { fillPsbt } from '../fillPsbt.ts';
import { CHOICE_HELP } from './fundingHelp.ts';
import { COINS, OLDER, PSBT_TERMS, TOLERATED } from './fundingOptions.ts';
import { fundingMembers, fundingResult, fundTransaction } from './fundTransaction.ts';
import { WEIGHED_INPUTS } from './inputWeights.ts';
import { outputNames } from './recipients.ts';

export const walletcreatefundedpsbt = walletMethod({
  name: 'walletcreatefundedpsbt',
  takesNull: true,
  about: `Creates a PSBT that pays these outputs from the wallet's coins, with change, and with the wallet's
records of inputs and outputs. Signs nothing.

${CHOICE_HELP}`,
  params: [
    WEIGHED_INPUTS,
    OUTPUTS,
    LOCKTIME,
    options('options', [...COINS, ...OLDER, ...PSBT_TERMS], '', {
      tolerates: TOLERATED,
      isChecked: true,
      shownAs: 'options',
    }),
    optional(
      bool('bip32derivs', 'whether to add the BIP32 derivation paths of keys', {
        default: 'true',
      }),
    ),
    VERSION,
    PSBT_VERSION_PARAM,
  ],
  result: members({ psbt: text('the PSBT in base64'), ...fundingResult.members }),
  examples: ["walletcreatefundedpsbt '[]' '[{\"bc1q...\":0.5}]' 0 '{\"fee_rate\":2}' --wallet-dir wallets"],
  run: (args, context) => {
    const { options: given, version, locktime, inputs, outputs = JSON_NULL } = args;
    const replaceable = given.replaceable ?? context.settings.isReplaceable;
    const raw = constructTransaction({ version, locktime, inputs, outputs, replaceable }, context);
    const { tx, ...funded } = fundTransaction(
      {
        tx: raw,
        names: outputNames(outputs),
        options: given,
        inputs,
        payersName: 'subtractFeeFromOutputs',
        isForced: true,
        addsCoins: raw.inputs.length === 0,
      },
      context,
    );
    const hidesOrigins = args.bip32derivs === false;
    const created = createPsbt(tx, { version: choosePsbtVersion(args, context) });
    const { psbt } = fillPsbt(created, { signs: false, hidesOrigins, finalizes: false }, context);
    return { psbt: formatPsbt(psbt, context), ...fundingMembers(funded) };
  },
});
