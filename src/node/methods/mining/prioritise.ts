import { parseTxidArgument } from '../../../answers/arguments/argumentValues.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { invalidParameter } from '../../../answers/method/errorCodes.ts';
import { hexString, int64, number, optional } from '../../../answers/method/parameters.ts';
import { type Answer, dictionary, flag, maybe, members, numeric } from '../../../answers/method/results.ts';
import { formatTxid, parseTxKey, txKey } from '../../../core/tx/txid.ts';
import { modifiedFee } from '../../chain/mempool.ts';
import { isDust } from '../../mempool/standardness.ts';
import { type NodeContext, nodeMethod } from '../context.ts';
import { miningMethodRules } from './miningMethodRules.ts';

export const prioritisetransaction = nodeMethod({
  name: 'prioritisetransaction',
  category: 'mining',
  checksLate: true,
  about: 'Mines a transaction as if it paid another fee, as does the policy of the mempool. Calls add up.',
  params: [
    hexString('txid', 'the transaction id'),
    optional(number('dummy', 'must be 0 or null')),
    int64('fee_delta', 'what to add to the fee, in satoshi; may be negative'),
  ],
  result: flag('true'),
  examples: ['prioritisetransaction b56862e91da29eadd13d6ca1ded756ed... 0 10000'],
  run: (args, context) => {
    const { node, dialect } = context;
    const txid = parseTxidArgument('txid', args.txid);
    const { dummy, fee_delta: added } = args;
    if (dummy && parseFloat(dummy.text) !== 0) {
      throw invalidParameter('Priority is no longer supported, dummy argument to prioritisetransaction must be 0.');
    }
    const { keepsZeroDeltas } = miningMethodRules[dialect.generation];
    if (paysDust(txid, context)) {
      throw invalidParameter('Priority is not supported for transactions with dust outputs.');
    }
    node.change({ type: 'prioritise', txid, added: BigInt(added), keepsZero: keepsZeroDeltas });
    return true;
  },
});

function paysDust(txid: Parameters<typeof txKey>[0], { node, mempool }: NodeContext): boolean {
  const entry = node.chain.mempool.get(txKey(txid));
  if (!entry || !mempool.rules.knowsEphemeralDust || !mempool.requiresStandard) return false;
  return entry.tx.outputs.some((output) => isDust(output, mempool));
}

const prioritisedResult = dictionary(
  members({
    fee_delta: numeric('in satoshi'),
    in_mempool: flag(),
    modified_fee: maybe(numeric('in satoshi, of a mempool transaction')),
  }),
  'by txid',
);

/** The answer of `getprioritisedtransactions`. */
export type PrioritisedTransactionsJson = Answer<typeof prioritisedResult>;

export const getprioritisedtransactions = lasting(
  nodeMethod({
    name: 'getprioritisedtransactions',
    category: 'mining',
    about: 'Shows what prioritisetransaction has added to fees.',
    params: [],
    result: prioritisedResult,
    examples: ['getprioritisedtransactions'],
    run: (_, { node: { chain } }): PrioritisedTransactionsJson => {
      const deltas = [...chain.feeDeltas.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
      return Object.fromEntries(
        deltas.map(([key, delta]) => {
          const pooled = chain.mempool.get(key);
          const modified = pooled && { modified_fee: Number(modifiedFee(pooled)) };
          return [
            formatTxid(parseTxKey(key)),
            { fee_delta: Number(delta), in_mempool: pooled !== undefined, ...modified },
          ];
        }),
      );
    },
  }),
  { since: 'core-29' },
);
