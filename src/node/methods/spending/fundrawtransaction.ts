import type { FundingOptions } from '../../../answers/arguments/argumentTypes.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { inCoins } from '../../../answers/json/exactNumbers.ts';
import { RPC_DESERIALIZATION_ERROR } from '../../../answers/method/errorCodes.ts';
import { bool, json, named, of, optional, string } from '../../../answers/method/parameters.ts';
import { hex, members } from '../../../answers/method/results.ts';
import { formatHex } from '../../../core/bytes/hex.ts';
import { RpcError } from '../../../core/errors.ts';
import { encodeTransaction } from '../../../core/tx/codec.ts';
import { guessTransaction } from '../../../core/tx/guess.ts';
import { walletMethod } from '../context.ts';
import { CHOICE_HELP, FUNDING_HELP } from './fundingHelp.ts';
import { FUNDING_OPTIONS } from './fundingOptions.ts';
import { fundingMembers, fundingResult, fundTransaction } from './fundTransaction.ts';

/** Releases before 32 take a flag in its place, too, and check the type later. */
const options = (checked: { readonly type: 'object' } | { readonly shownType: 'object' }) =>
  named(optional(json('options', of<FundingOptions>(), checked, `\n${FUNDING_HELP}`)), FUNDING_OPTIONS);

export const fundrawtransaction = walletMethod({
  name: 'fundrawtransaction',
  about: `Adds inputs of the wallet to a transaction until they pay for its outputs, and an output for change.

${CHOICE_HELP}`,
  params: [
    string('hexstring', 'the transaction in hex'),
    lasting(options({ shownType: 'object' }), { until: 'core-31' }),
    lasting(options({ type: 'object' }), { since: 'core-32' }),
    optional(bool('iswitness', 'whether the transaction has the extended format; by default, both are tried')),
  ],
  result: members({ hex: hex('the transaction, unsigned'), ...fundingResult.members }),
  examples: ['fundrawtransaction 0200000000... \'{"fee_rate":2}\' --wallet-dir wallets'],
  run: (args, context) => {
    const { network } = context;
    const isWitness = args.iswitness;
    const formats = { triesWitness: isWitness ?? true, triesNoWitness: !(isWitness ?? false), mweb: network.mweb };
    const raw = guessTransaction(args.hexstring, formats);
    if (!raw) throw new RpcError(RPC_DESERIALIZATION_ERROR, 'TX decode failed');
    const names = raw.outputs.map(() => 'dummy');
    const call = {
      tx: raw,
      names,
      options: args.options,
      isForced: true,
      payersName: 'subtractFeeFromOutputs',
    } as const;
    const { tx, ...funded } = fundTransaction({ ...call, addsCoins: true }, context);
    return inCoins({ hex: formatHex(encodeTransaction(tx)), ...fundingMembers(funded) });
  },
});
