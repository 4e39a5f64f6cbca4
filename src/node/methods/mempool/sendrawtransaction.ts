import { parseAmountArgument } from '../../../answers/arguments/amountArgument.ts';
import { isGiven, parseTxidArgument } from '../../../answers/arguments/argumentValues.ts';
import type { RpcContext } from '../../../answers/dialect/dialect.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import {
  RPC_DESERIALIZATION_ERROR,
  RPC_INVALID_ADDRESS_OR_KEY,
  RPC_INVALID_PARAMETER,
  RPC_VERIFY_ERROR,
} from '../../../answers/method/errorCodes.ts';
import { own } from '../../../answers/method/method.ts';
import { coinAmount, hexString, optional, reading } from '../../../answers/method/parameters.ts';
import { hex, nothing } from '../../../answers/method/results.ts';
import { RpcError } from '../../../core/errors.ts';
import { hasValidOps, isUnspendable } from '../../../core/script/instructions.ts';
import { guessTransaction } from '../../../core/tx/guess.ts';
import { formatTxid, txKey } from '../../../core/tx/txid.ts';
import type { Transaction } from '../../../core/tx/types.ts';
import { nodeMethodRules } from '../chainRules.ts';
import { nodeMethod } from '../context.ts';
import { submitTransaction } from '../submitTransaction.ts';
import { walletDialects } from '../walletDialect.ts';

/** Limits the fee rate of what is sent. */
export const maxFeeRateParam = (byDefault: string) =>
  optional(
    reading(
      coinAmount('maxfeerate', 'the highest fee rate in coins per 1000 virtual bytes; 0 for any', {
        default: byDefault,
      }),
      parseMaxFeeRate,
    ),
  );

/** Limits what unspendable outputs pay. */
export const maxBurnParam = (byDefault: string) =>
  optional(coinAmount('maxburnamount', 'the most that an unspendable output may pay', { default: byDefault }));

export const sendrawtransaction = nodeMethod({
  name: 'sendrawtransaction',
  category: 'rawtransactions',
  about: `Adds an unconfirmed transaction to the mempool, without broadcasting it, if the policy of a node lets it in.
Where the chain lacks blocks, a transaction whose coins are unknown is taken without the checks that need them.`,
  params: [
    hexString('hexstring', 'the transaction'),
    maxFeeRateParam('0.10, in documented any'),
    lasting(maxBurnParam('0, in documented any'), { since: 'core-29' }),
  ],
  result: hex('the transaction id'),
  examples: ['sendrawtransaction 0200000001...'],
  run: (args, context) => {
    const { network, dialect } = context;
    const hex = args.hexstring;
    const { limitsSends } = walletDialects[dialect.name];
    const limitsBurns = limitsSends && nodeMethodRules[dialect.generation].limitsBurns;
    const maxBurn = args.maxburnamount ?? (limitsBurns ? 0n : undefined);
    const tx = guessTransaction(hex, { triesWitness: true, triesNoWitness: true, mweb: network.mweb });
    if (!tx) {
      const message = 'TX decode failed. Make sure the tx has at least one input.';
      throw new RpcError(RPC_DESERIALIZATION_ERROR, message);
    }
    if (maxBurn !== undefined) assertNoBurn(tx, maxBurn);
    const maxFeeRate = args.maxfeerate ?? (limitsSends ? DEFAULT_MAX_FEE_RATE : 0n);
    return formatTxid(submitTransaction(tx, maxFeeRate, context));
  },
});

export function assertNoBurn({ outputs }: Transaction, most: bigint): void {
  const burns = outputs.some(
    ({ value, scriptPubKey }) => (isUnspendable(scriptPubKey) || !hasValidOps(scriptPubKey)) && value > most,
  );
  if (!burns) return;
  const message = 'Unspendable output exceeds maximum configured by user (maxburnamount)';
  throw new RpcError(RPC_VERIFY_ERROR, message);
}

/** @see Bitcoin Core `DEFAULT_MAX_RAW_TX_FEE_RATE` */
export const DEFAULT_MAX_FEE_RATE = 10_000_000n;
/** Rates from here on are likely mistakes. */
const TOO_HIGH_FEE_RATE = 100_000_000n;

/** Returns satoshi per 1000 virtual bytes; 0 for any. @see Bitcoin Core `ParseFeeRate` */
function parseMaxFeeRate(value: JsonValue | undefined, { dialect, network }: RpcContext): bigint | undefined {
  if (!isGiven(value)) return undefined;
  const rate = parseAmountArgument(value, network);
  if (!nodeMethodRules[dialect.generation].limitsFeeRates || rate < TOO_HIGH_FEE_RATE) return rate;
  throw new RpcError(RPC_INVALID_PARAMETER, 'Fee rates larger than or equal to 1BTC/kvB are not accepted');
}

/** Not a method of Core: nodes drop transactions by themselves if they expire or the mempool is full. */
export const droptransaction = own(
  nodeMethod({
    name: 'droptransaction',
    category: 'rawtransactions',
    checksLate: true,
    about: 'Removes a transaction and all its descendants from the mempool, as a node does if it expires unmined.',
    params: [hexString('txid', 'the transaction id')],
    result: nothing(),
    examples: ['droptransaction b56862e91da29eadd13d6ca1ded756ed...'],
    run: (args, { node }) => {
      const id = parseTxidArgument('txid', args.txid);
      if (!node.chain.mempool.has(txKey(id))) {
        throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Transaction not in mempool');
      }
      node.change({ type: 'drop', txid: id });
      return null;
    },
  }),
);
