import { formatHex } from '../../bytes/hex.ts';
import { RpcError } from '../../errors.ts';
import { encodeTransaction } from '../../tx/codec.ts';
import { readOptional, readValue } from '../argumentValues.ts';
import { RPC_DESERIALIZATION_ERROR } from '../errorCodes.ts';
import { guessTransaction } from '../rawtransaction/rawTransaction.ts';
import type { FundedTransactionJson } from '../views/walletJsonTypes.ts';
import type { WalletMethod } from '../wallet/context.ts';
import { CHOICE_HELP, FUNDING_HELP } from './fundingHelp.ts';
import { FUNDING_OPTIONS } from './fundingOptions.ts';
import { fundingMembers, fundTransaction } from './fundTransaction.ts';

/** @see Bitcoin Core `fundrawtransaction` */
export const fundrawtransaction: WalletMethod<FundedTransactionJson> = {
  name: 'fundrawtransaction',
  needs: 'wallet',
  params: [
    { name: 'hexstring', type: 'string' },
    { name: 'options', type: 'any', isOptional: true, members: FUNDING_OPTIONS },
    { name: 'iswitness', type: 'bool', isOptional: true },
  ],
  help: `Adds inputs of the wallet to a transaction until they pay for its outputs, and an output for change.

${CHOICE_HELP}

Arguments:
1. hexstring    (string, required) the transaction in hex
2. options      (object, optional)
${FUNDING_HELP}
3. iswitness    (bool, optional) whether the transaction has the extended format; by default, both are tried

Result:
hex             the transaction, unsigned
fee             the fee
changepos       the place of the change among the outputs, or -1

Examples:
> countersign fundrawtransaction 0200000000... '{"fee_rate":2}' --wallet-dir wallets`,
  run: (args, context) => {
    const { dialect, network } = context;
    const isWitness = readOptional(args[2], 'bool', dialect)?.value;
    const formats = { triesWitness: isWitness ?? true, triesNoWitness: !(isWitness ?? false), mweb: network.mweb };
    const given = guessTransaction(readValue(args[0], 'string', dialect).value, formats);
    if (!given) throw new RpcError(RPC_DESERIALIZATION_ERROR, 'TX decode failed');
    const names = given.outputs.map(() => 'dummy');
    const asked = { tx: given, names, options: args[1], isForced: true, payersName: 'subtractFeeFromOutputs' } as const;
    const { tx, ...funded } = fundTransaction({ ...asked, addsCoins: true }, context);
    return { hex: formatHex(encodeTransaction(tx)), ...fundingMembers(funded) };
  },
};
