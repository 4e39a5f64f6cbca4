import { checkValue, isAbsent } from '../../../answers/arguments/argumentValues.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { RPC_DESERIALIZATION_ERROR } from '../../../answers/method/errorCodes.ts';
import { bool, hexString, optional, options } from '../../../answers/method/parameters.ts';
import { hex, members } from '../../../answers/method/results.ts';
import { RpcError } from '../../../core/errors.ts';
import { encodeTransaction } from '../../../core/tx/codec.ts';
import { guessTransaction } from '../../../core/tx/guess.ts';
import { walletMethod } from '../context.ts';
import { CHOICE_HELP } from './fundingHelp.ts';
import { COINS, OLDER, TERMS, TOLERATED } from './fundingOptions.ts';
import { fundingMembers, fundingResult, fundTransaction } from './fundTransaction.ts';
import { INPUT_WEIGHTS } from './inputWeights.ts';
import { spendingRules } from './spendingRules.ts';

const OPTIONS = options('options', [...COINS, ...OLDER, INPUT_WEIGHTS, ...TERMS], '', {
  tolerates: TOLERATED,
  shownAs: 'options',
});

/** Releases before 32 take a flag in its place, too, and check the type later. */
const FLAG_OR_OPTIONS: typeof OPTIONS = {
  ...OPTIONS,
  type: 'any',
  read: (value, context) => {
    if (value?.type !== 'bool') return OPTIONS.read(isAbsent(value) ? value : checkValue(value, 'object'), context);
    const { readsWatchFlag } = spendingRules[context.dialect.generation];
    return OPTIONS.read({ type: 'object', members: readsWatchFlag ? [['includeWatching', value]] : [] }, context);
  },
};

export const fundrawtransaction = walletMethod({
  name: 'fundrawtransaction',
  category: 'rawtransactions',
  about: `Adds inputs of the wallet to a transaction until they pay for its outputs, and an output for change.

${CHOICE_HELP}`,
  params: [
    hexString('hexstring', 'the transaction'),
    lasting(FLAG_OR_OPTIONS, { until: 'core-31' }),
    lasting(OPTIONS, { since: 'core-32' }),
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
    return { hex: encodeTransaction(tx), ...fundingMembers(funded) };
  },
});
