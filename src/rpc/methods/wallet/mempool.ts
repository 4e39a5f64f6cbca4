import { byteName } from '../../../bytes/compare.ts';
import { formatHex } from '../../../bytes/hex.ts';
import { RpcError } from '../../../errors.ts';
import { type ScriptFlags, STANDARD_FLAGS } from '../../../interpreter/flags.ts';
import { scriptErrorText } from '../../../interpreter/result.ts';
import { verifyInput, verifyTransaction } from '../../../interpreter/verifyTransaction.ts';
import { checkTransaction } from '../../../tx/check.ts';
import { encodeTransaction } from '../../../tx/codec.ts';
import { formatTxid, txid, wtxid } from '../../../tx/txid.ts';
import type { TxOut } from '../../../tx/types.ts';
import { type ChainTx, chainTx, outputName } from '../../../wallet/chainState.ts';
import { coinsSpentBy, MISSING_INPUTS, mempoolFault, rivalFault, valuesFault } from '../../../wallet/mempool.ts';
import { amountOf } from '../../amount.ts';
import {
  RPC_DESERIALIZATION_ERROR,
  RPC_INVALID_ADDRESS_OR_KEY,
  RPC_INVALID_PARAMETER,
  RPC_VERIFY_ALREADY_IN_CHAIN,
  RPC_VERIFY_ERROR,
  RPC_VERIFY_REJECTED,
} from '../../errorCodes.ts';
import { scriptErrorIn } from '../../inputErrors.ts';
import type { JsonValue } from '../../jsonValue.ts';
import { txidOf } from '../../members.ts';
import { guessTransaction } from '../../rawTransaction.ts';
import { taken, takenArg } from '../../wallet/args.ts';
import type { NodeContext, NodeMethod } from '../../wallet/context.ts';

/** @see Bitcoin Core `sendrawtransaction` */
export const sendrawtransaction: NodeMethod<string> = {
  name: 'sendrawtransaction',
  params: [
    { name: 'hexstring', type: 'string' },
    { name: 'maxfeerate', type: 'any', isOptional: true },
    { name: 'maxburnamount', type: 'any', isOptional: true, since: 'core-31' },
  ],
  help: `Feeds a transaction that is in no block yet. It is sent to nobody. Its scripts must let it spend
what it spends; what nodes want of those that they pass on, such as fees, is not looked at.

Arguments:
1. hexstring     (string, required) the transaction in hex
2. maxfeerate    (number or string, optional) an amount; fees are not held against it

Result:
its transaction id

Examples:
> countersign sendrawtransaction 0200000001...`,
  run: (args, context) => {
    const { node, dialect, network } = context;
    const hex = taken(args[0], 'string', dialect).value;
    if (isGiven(args[2])) amountOf(args[2], network);
    const tx = guessTransaction(hex, { triesWitness: true, triesNoWitness: true, mweb: network.mweb });
    if (!tx) {
      const message = 'TX decode failed. Make sure the tx has at least one input.';
      throw new RpcError(RPC_DESERIALIZATION_ERROR, message);
    }
    if (isGiven(args[1])) assertFeeRate(args[1], context);
    const id = txid(tx);
    const one = chainTx(tx, id);
    const { chain } = node;
    if (chain.mempool.has(one.name)) return formatTxid(id);
    if (tx.outputs.some((_, vout) => chain.coins.has(outputName(one.name, vout)))) {
      const isModern = dialect.generation === 'core-31';
      throw new RpcError(
        RPC_VERIFY_ALREADY_IN_CHAIN,
        isModern ? 'Transaction outputs already in utxo set' : 'Transaction already in block chain',
      );
    }
    const fault =
      checkTransaction(tx, network) ??
      (one.isCoinbase ? 'coinbase' : undefined) ??
      mempoolFault(chain, one) ??
      valuesFault(chain, one, network) ??
      rivalFault(chain, one) ??
      scriptFault(one, coinsSpentBy(chain, one), context);
    if (fault !== undefined) {
      throw new RpcError(fault === MISSING_INPUTS ? RPC_VERIFY_ERROR : RPC_VERIFY_REJECTED, fault);
    }
    node.change({ type: 'transaction', transaction: formatHex(encodeTransaction(tx)) });
    return formatTxid(id);
  },
};

const isGiven = (value: JsonValue | undefined): value is JsonValue => value !== undefined && value.type !== 'null';

/** From here on, newer nodes take a number for a mistake. */
const TOO_HIGH_FEE_RATE = 100_000_000n;

/** @throws RpcError -3, -8 @see Bitcoin Core `ParseFeeRate` */
function assertFeeRate(value: JsonValue, { dialect, network }: NodeContext): void {
  const rate = amountOf(value, network);
  if (dialect.generation === 'core-0.21' || rate < TOO_HIGH_FEE_RATE) return;
  throw new RpcError(RPC_INVALID_PARAMETER, 'Fee rates larger than or equal to 1BTC/kvB are not accepted');
}

/** What 0.21 calls mandatory: where this alone refuses a script, it says so. */
const MANDATORY_IN_021: ScriptFlags = new Set(['P2SH']);

/**
 * Why the scripts of a transaction do not let it spend what it spends, in a node's words; `undefined` where they do.
 *
 * - `prevouts`: one an input, in their order
 *
 * @see Bitcoin Core `CheckInputScripts`, of what is not in a block
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
  if (dialect.generation === 'core-31') {
    const { txid: spent, vout } = input.outpoint;
    const where = `input ${inputIndex} of ${formatTxid(id)} (wtxid ${formatTxid(wtxid(tx))})`;
    return `mempool-script-verify-flag-failed (${text}), ${where}, spending ${formatTxid(spent)}:${vout}`;
  }
  const { kind } = verifyInput({ tx, prevouts, inputIndex, flags: MANDATORY_IN_021, ...withEcc });
  return kind === 'invalid'
    ? `mandatory-script-verify-flag-failed (${text})`
    : `non-mandatory-script-verify-flag (${text})`;
}

/** Ours: nodes drop what has waited too long, or what there is no room for, without being asked. */
export const droptransaction: NodeMethod<null> = {
  name: 'droptransaction',
  params: [{ name: 'txid', type: 'string' }],
  checksLate: true,
  help: `Feeds that a transaction has left the mempool without being mined, with all that spend of it.

Arguments:
1. txid    (string, required) the transaction id

Result:
null

Examples:
> countersign droptransaction b56862e91da29eadd13d6ca1ded756ed...`,
  run: (args, { node, dialect }) => {
    const id = txidOf('txid', taken(args[0], 'string', dialect).value);
    if (!node.chain.mempool.has(byteName(id))) {
      throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Transaction not in mempool');
    }
    node.change({ type: 'drop', txid: formatTxid(id) });
    return null;
  },
};

/** @see Bitcoin Core `getrawmempool` */
export const getrawmempool: NodeMethod<readonly string[] | Readonly<Record<string, never>>> = {
  name: 'getrawmempool',
  params: [
    { name: 'verbose', type: 'bool', isOptional: true },
    { name: 'mempool_sequence', type: 'bool', isOptional: true },
  ],
  checksLate: true,
  help: `Lists the transactions that were fed and are in no block, those that others spend of before these.

Arguments:
1. verbose             (boolean, optional, default false) entries instead of ids: only of an empty mempool
2. mempool_sequence    (boolean, optional) only false

Result:
their transaction ids; with verbose {}

Examples:
> countersign getrawmempool`,
  run: (args, { node, dialect }) => {
    const isVerbose = takenArg(args[0], 'bool', dialect)?.value ?? false;
    const withSequence = takenArg(args[1], 'bool', dialect)?.value ?? false;
    if (isVerbose && withSequence) throw invalid('Verbose results cannot contain mempool sequence values.');
    if (withSequence) throw invalid('The mempool sequence is not known here: leave mempool_sequence out');
    if (isVerbose && node.chain.mempool.size === 0) return {};
    if (isVerbose) throw invalid('Entries of the mempool are not known here, only ids: leave verbose out');
    return [...node.chain.mempool.values()].map(({ id }) => formatTxid(id));
  },
};

const invalid = (message: string): RpcError => new RpcError(RPC_INVALID_PARAMETER, message);
