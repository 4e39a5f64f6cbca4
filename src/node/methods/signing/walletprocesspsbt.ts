import { parseSighashType, SIGHASH_NAMES } from '../../../answers/arguments/signingArguments.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { bool, choice, optional, string } from '../../../answers/method/parameters.ts';
import { processedPsbtResult } from '../../../answers/psbt/descriptorprocesspsbt.ts';
import { formatPsbt, parsePsbt } from '../../../answers/psbt/psbtText.ts';
import { psbtRoleRules } from '../../../answers/views/psbtRules.ts';
import { formatHex } from '../../../core/bytes/hex.ts';
import { encodeTransaction } from '../../../core/tx/codec.ts';
import { assertUnlocked, walletMethod } from '../context.ts';
import { fillPsbt, signedTransaction } from '../fillPsbt.ts';

const CHECKED = { isChecked: true, refusesNull: true } as const;

export const walletprocesspsbt = walletMethod({
  name: 'walletprocesspsbt',
  checksLate: true,
  about: `Updates a PSBT with the wallet's transactions, scripts and keys, signs it with the wallet's private keys, and
finalizes it.`,
  params: [
    string('psbt', 'the PSBT in base64', { isChecked: true }),
    optional(bool('sign', 'whether to sign', CHECKED), true),
    optional(
      choice('sighashtype', SIGHASH_NAMES, 'the sighash type', {
        ...CHECKED,
        default: 'ALL, since core-29 DEFAULT for taproot',
      }),
    ),
    optional(bool('bip32derivs', 'whether to add the BIP32 derivation paths of keys', { default: 'true' })),
    lasting(optional(bool('finalize', 'whether to finalize complete inputs'), true), { since: 'core-29' }),
  ],
  result: processedPsbtResult,
  examples: ['walletprocesspsbt --file spend.psbt --wallet-dir wallets'],
  run: (args, context) => {
    const { wallet, dialect } = context;
    const { refusesLockedWallets, choosesTypeByCoin, verifiesFinalInputs } = psbtRoleRules[dialect.generation];
    const { psbt: text, sign: signs, sighashtype: sighashName } = args;
    const unfilled = parsePsbt(text, context);
    const choosesType = sighashName === undefined && choosesTypeByCoin;
    const sighashType = choosesType ? undefined : parseSighashType(sighashName, dialect);
    const hidesOrigins = args.bip32derivs === false;
    const finalizes = args.finalize;
    if (signs && refusesLockedWallets) assertUnlocked(wallet);
    const { psbt, isComplete } = fillPsbt(unfilled, { signs, sighashType, hidesOrigins, finalizes }, context);
    const answer = { psbt: formatPsbt(psbt, context), complete: isComplete };
    if (!isComplete || !verifiesFinalInputs) return answer;
    return { ...answer, hex: formatHex(encodeTransaction(signedTransaction(psbt))) };
  },
});
