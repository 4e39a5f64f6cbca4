import { bytesKey } from '../../bytes/compare.ts';
import { chainTx } from '../../chain/chainTx.ts';
import { coinsSpentBy, MISSING_INPUTS, mempoolFault, rivalFault, valuesFault } from '../../chain/mempool.ts';
import type { ChainTx } from '../../chain/types.ts';
import { RpcError } from '../../errors.ts';
import { nodeMethodRules } from '../../generations.ts';
import { type ScriptFlags, STANDARD_FLAGS } from '../../interpreter/flags.ts';
import { scriptErrorText } from '../../interpreter/result.ts';
import { verifyInput, verifyTransaction } from '../../interpreter/verifyTransaction.ts';
import { checkTransaction } from '../../tx/check.ts';
import { formatTxid, outputKey, txid, wtxid } from '../../tx/txid.ts';
import type { TxOut } from '../../tx/types.ts';
import { parseAmountArgument } from '../amountArgument.ts';
import { parseTxidArgument, readOptional, readValue } from '../argumentValues.ts';
import {
  invalidParameter,
  RPC_DESERIALIZATION_ERROR,
  RPC_INVALID_ADDRESS_OR_KEY,
  RPC_INVALID_PARAMETER,
  RPC_VERIFY_ALREADY_IN_CHAIN,
  RPC_VERIFY_ERROR,
  RPC_VERIFY_REJECTED,
} from '../errorCodes.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import { guessTransaction } from '../rawtransaction/rawTransaction.ts';
import { scriptErrorIn } from '../views/inputErrors.ts';
import type { NodeContext, NodeMethod } from '../wallet/context.ts';

/** @see Bitcoin Core `sendrawtransaction` */
export const sendrawtransaction: NodeMethod<string> = {
  name: 'sendrawtransaction',
  needs: 'node',
  params: [
    { name: 'hexstring', type: 'string' },
    { name: 'maxfeerate', type: 'any', isOptional: true },
    { name: 'maxburnamount', type: 'any', isOptional: true, since: 'core-31' },
  ],
  rehearsal: 'signatures',
  help: `Adds an unconfirmed transaction to the mempool, without broadcasting it. Its inputs and scripts are verified,
but not nodes' relay policy, such as minimum fees.

Arguments:
1. hexstring     (string, required) the transaction in hex
2. maxfeerate    (number or string, optional) an amount; must be valid, but is not enforced

Result:
the transaction id

Examples:
> countersign sendrawtransaction 0200000001...`,
  run: (args, context) => {
    const { node, dialect, network } = context;
    const hex = readValue(args[0], 'string', dialect).value;
    if (isGiven(args[2])) parseAmountArgument(args[2], network);
    const tx = guessTransaction(hex, { triesWitness: true, triesNoWitness: true, mweb: network.mweb });
    if (!tx) {
      const message = 'TX decode failed. Make sure the tx has at least one input.';
      throw new RpcError(RPC_DESERIALIZATION_ERROR, message);
    }
    if (isGiven(args[1])) assertFeeRate(args[1], context);
    const id = txid(tx);
    const entry = chainTx(tx, id);
    const { chain } = node;
    if (chain.mempool.has(entry.key)) return formatTxid(id);
    if (tx.outputs.some((_, vout) => chain.coins.get(outputKey(entry.key, vout)))) {
      throw new RpcError(RPC_VERIFY_ALREADY_IN_CHAIN, nodeMethodRules[dialect.generation].transactionKnown);
    }
    const fault =
      checkTransaction(tx, network) ??
      (entry.isCoinbase ? 'coinbase' : undefined) ??
      mempoolFault(chain, entry) ??
      valuesFault(chain, entry, network) ??
      rivalFault(chain, entry) ??
      scriptFault(entry, coinsSpentBy(chain, entry), context);
    if (fault !== undefined) {
      throw new RpcError(fault === MISSING_INPUTS ? RPC_VERIFY_ERROR : RPC_VERIFY_REJECTED, fault);
    }
    node.change({ type: 'transaction', tx });
    return formatTxid(id);
  },
};

const isGiven = (value: JsonValue | undefined): value is JsonValue => value !== undefined && value.type !== 'null';

/** Fee rates from here on are likely mistakes. */
const TOO_HIGH_FEE_RATE = 100_000_000n;

/** @throws RpcError -3, -8 @see Bitcoin Core `ParseFeeRate` */
function assertFeeRate(value: JsonValue, { dialect, network }: NodeContext): void {
  const rate = parseAmountArgument(value, network);
  if (!nodeMethodRules[dialect.generation].limitsFeeRates || rate < TOO_HIGH_FEE_RATE) return;
  throw new RpcError(RPC_INVALID_PARAMETER, 'Fee rates larger than or equal to 1BTC/kvB are not accepted');
}

/** The flags that are mandatory in 0.21, whose error text tells whether they alone make a script fail. */
const MANDATORY_IN_021: ScriptFlags = new Set(['P2SH']);

/**
 * Verifies the scripts of an unconfirmed transaction.
 *
 * - `prevouts`: one per input, in input order
 *
 * @returns the node's reject reason, or `undefined` if all scripts are valid
 * @see Bitcoin Core `CheckInputScripts`
 */
function scriptFault(
  { tx, id }: ChainTx,
  prevouts: readonly TxOut[],
  { dialect, ecc }: NodeContext,
): string | undefined {
  const withEcc = ecc && { ecc };
  const options = { flags: STANDARD_FLAGS, knowsAnchors: dialect.templates.anchor, ...withEcc };
  const { inputs } = verifyTransaction(tx, prevouts, options);
  const inputIndex = inputs.findIndex(({ kind }) => kind === 'invalid');
  const [failure, input] = [inputs[inputIndex], tx.inputs[inputIndex]];
  if (failure?.kind !== 'invalid' || !input) return undefined;
  const text = scriptErrorText(scriptErrorIn(failure, dialect));
  if (nodeMethodRules[dialect.generation].locatesScriptFailures) {
    const { txid: spent, vout } = input.outpoint;
    const where = `input ${inputIndex} of ${formatTxid(id)} (wtxid ${formatTxid(wtxid(tx))})`;
    return `mempool-script-verify-flag-failed (${text}), ${where}, spending ${formatTxid(spent)}:${vout}`;
  }
  const { kind } = verifyInput({ tx, prevouts, inputIndex, flags: MANDATORY_IN_021, ...withEcc });
  return kind === 'invalid'
    ? `mandatory-script-verify-flag-failed (${text})`
    : `non-mandatory-script-verify-flag (${text})`;
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

/** @see Bitcoin Core `getrawmempool` */
export const getrawmempool: NodeMethod<readonly string[] | Readonly<Record<string, never>>> = {
  name: 'getrawmempool',
  needs: 'node',
  params: [
    { name: 'verbose', type: 'bool', isOptional: true },
    { name: 'mempool_sequence', type: 'bool', isOptional: true },
  ],
  checksLate: true,
  help: `Lists the transactions in the mempool, parents before their children.

Arguments:
1. verbose             (boolean, optional, default false) must be false, unless the mempool is empty
2. mempool_sequence    (boolean, optional) must be false

Result:
the transaction ids; with verbose {}

Examples:
> countersign getrawmempool`,
  run: (args, { node, dialect }) => {
    const isVerbose = readOptional(args[0], 'bool', dialect)?.value ?? false;
    const withSequence = readOptional(args[1], 'bool', dialect)?.value ?? false;
    if (isVerbose && withSequence) throw invalidParameter('Verbose results cannot contain mempool sequence values.');
    if (withSequence) throw invalidParameter('The mempool sequence is not available: leave mempool_sequence out');
    if (isVerbose && node.chain.mempool.size === 0) return {};
    if (isVerbose) throw invalidParameter('Mempool entries are not available, only ids: leave verbose out');
    return [...node.chain.mempool.values()].map(({ id }) => formatTxid(id));
  },
};
