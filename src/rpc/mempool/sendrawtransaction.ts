import { bytesKey } from '../../bytes/compare.ts';
import { chainTx } from '../../chain/chainTx.ts';
import { MISSING_INPUTS } from '../../chain/mempool.ts';
import type { ChainTx, PoolEntry } from '../../chain/types.ts';
import { RpcError } from '../../errors.ts';
import { nodeMethodRules } from '../../generations.ts';
import { judge } from '../../mempool/acceptance.ts';
import { feeOfSize, rejectionText } from '../../mempool/mempoolPolicy.ts';
import { hasValidOps, isUnspendable } from '../../script/instructions.ts';
import { formatTxid, outputKey } from '../../tx/txid.ts';
import type { Transaction } from '../../tx/types.ts';
import { transactionSize } from '../../tx/weight.ts';
import { parseAmountArgument } from '../amountArgument.ts';
import { parseTxidArgument, readValue } from '../argumentValues.ts';
import {
  RPC_DESERIALIZATION_ERROR,
  RPC_INVALID_ADDRESS_OR_KEY,
  RPC_INVALID_PARAMETER,
  RPC_VERIFY_ALREADY_IN_CHAIN,
  RPC_VERIFY_ERROR,
  RPC_VERIFY_REJECTED,
} from '../errorCodes.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import { guessTransaction } from '../rawtransaction/rawTransaction.ts';
import type { NodeContext, NodeMethod } from '../wallet/context.ts';
import { gateOf } from './gate.ts';

/** @see Bitcoin Core `sendrawtransaction` */
export const sendrawtransaction: NodeMethod<string> = {
  name: 'sendrawtransaction',
  needs: 'node',
  params: [
    { name: 'hexstring', type: 'string' },
    { name: 'maxfeerate', type: 'any', isOptional: true },
    { name: 'maxburnamount', type: 'any', isOptional: true, since: 'core-31' },
  ],
  help: `Adds an unconfirmed transaction to the mempool, without broadcasting it, if the policy of a node lets it in.
Where the chain lacks blocks, a transaction whose coins are unknown is taken without the checks that need them.

Arguments:
1. hexstring        (string, required) the transaction in hex
2. maxfeerate       (number or string, optional, default any) the highest fee rate in coins per 1000 virtual bytes;
                    0 for any
3. maxburnamount    (number or string, optional, default any) the most that an unspendable output may pay (core-31)

Result:
the transaction id

Examples:
> countersign sendrawtransaction 0200000001...`,
  run: (args, context) => {
    const { node, dialect, network } = context;
    const hex = readValue(args[0], 'string', dialect).value;
    const maxBurn = isGiven(args[2]) ? parseAmountArgument(args[2], network) : undefined;
    const tx = guessTransaction(hex, { triesWitness: true, triesNoWitness: true, mweb: network.mweb });
    if (!tx) {
      const message = 'TX decode failed. Make sure the tx has at least one input.';
      throw new RpcError(RPC_DESERIALIZATION_ERROR, message);
    }
    if (maxBurn !== undefined) assertNoBurn(tx, maxBurn);
    // Nothing is broadcast: only a limit that the caller gives counts, unlike in a node.
    const maxFeeRate = isGiven(args[1]) ? parseMaxFeeRate(args[1], context) : 0n;
    const entry = chainTx(tx);
    const evicted = assertAcceptable(entry, maxFeeRate, context);
    node.change(...evicted.map(({ id: txid }) => ({ type: 'drop', txid }) as const), { type: 'transaction', tx });
    return formatTxid(entry.id);
  },
};

/** Refuses outputs that destroy more than the caller allows. @throws RpcError -25 */
function assertNoBurn({ outputs }: Transaction, most: bigint): void {
  const burns = outputs.some(
    ({ value, scriptPubKey }) => (isUnspendable(scriptPubKey) || !hasValidOps(scriptPubKey)) && value > most,
  );
  if (!burns) return;
  const message = 'Unspendable output exceeds maximum configured by user (maxburnamount)';
  throw new RpcError(RPC_VERIFY_ERROR, message);
}

/**
 * Refuses a transaction that is mined, or that the mempool does not take.
 * @returns the transactions that it evicts without spending their coins
 * @throws RpcError -25, -26, -27
 * @see Bitcoin Core `BroadcastTransaction`
 */
function assertAcceptable(entry: ChainTx, maxFeeRate: bigint, context: NodeContext): readonly PoolEntry[] {
  const { chain } = context.node;
  // It counts as sent again.
  if (chain.mempool.has(entry.key)) return [];
  if (entry.tx.outputs.some((_, vout) => chain.coins.has(outputKey(entry.key, vout)))) {
    throw new RpcError(RPC_VERIFY_ALREADY_IN_CHAIN, nodeMethodRules[context.dialect.generation].transactionKnown);
  }
  const verdict = judge(gateOf(context), entry);
  if (verdict.kind === 'missing-inputs') throw new RpcError(RPC_VERIFY_ERROR, MISSING_INPUTS);
  if (verdict.kind === 'refused') throw new RpcError(RPC_VERIFY_REJECTED, rejectionText(verdict.rejection));
  if (verdict.kind === 'unknown-coins') return [];
  const { fee = 0n } = verdict.admission.entry;
  const most = feeOfSize(maxFeeRate, transactionSize(entry.tx).vsize, context.mempool.rules);
  if (most > 0n && fee > most) {
    const message = 'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)';
    throw new RpcError(RPC_VERIFY_ERROR, message);
  }
  const { conflicts, evictsSibling } = verdict.admission.replacement;
  return evictsSibling ? conflicts.slice(-1) : [];
}

const isGiven = (value: JsonValue | undefined): value is JsonValue => value !== undefined && value.type !== 'null';

/** The highest fee rate by default. @see Bitcoin Core `DEFAULT_MAX_RAW_TX_FEE_RATE` */
const DEFAULT_MAX_FEE_RATE = 10_000_000n;
/** Fee rates from here on are likely mistakes. */
const TOO_HIGH_FEE_RATE = 100_000_000n;

/**
 * Parses the highest fee rate that the caller allows.
 * @returns satoshi per 1000 virtual bytes; 0 for any
 * @throws RpcError -3, -8
 * @see Bitcoin Core `ParseFeeRate`
 */
export function parseMaxFeeRate(value: JsonValue | undefined, { dialect, network }: NodeContext): bigint {
  if (!isGiven(value)) return DEFAULT_MAX_FEE_RATE;
  const rate = parseAmountArgument(value, network);
  if (!nodeMethodRules[dialect.generation].limitsFeeRates || rate < TOO_HIGH_FEE_RATE) return rate;
  throw new RpcError(RPC_INVALID_PARAMETER, 'Fee rates larger than or equal to 1BTC/kvB are not accepted');
}

/** Our own method: nodes drop transactions themselves, if they expire or the mempool is full. */
export const droptransaction: NodeMethod<null> = {
  name: 'droptransaction',
  needs: 'node',
  params: [{ name: 'txid', type: 'string' }],
  checksLate: true,
  help: `Removes a transaction and all its descendants from the mempool, as a node does if it expires unmined.

Arguments:
1. txid    (string, required) the transaction id

Result:
null

Examples:
> countersign droptransaction b56862e91da29eadd13d6ca1ded756ed...`,
  run: (args, { node, dialect }) => {
    const id = parseTxidArgument('txid', readValue(args[0], 'string', dialect).value);
    if (!node.chain.mempool.has(bytesKey(id))) {
      throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Transaction not in mempool');
    }
    node.change({ type: 'drop', txid: id });
    return null;
  },
};
