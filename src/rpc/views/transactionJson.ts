import { formatHex } from '../../bytes/hex.ts';
import { isCoinbase } from '../../tx/check.ts';
import { hasWitness } from '../../tx/codec.ts';
import { formatTxid, txid as txidOf, wtxid } from '../../tx/txid.ts';
import type { Transaction, TxIn, Txid, TxOut } from '../../tx/types.ts';
import { transactionSize } from '../../tx/weight.ts';
import type { RpcContext } from '../dialect.ts';
import { keepExact, toCoins } from '../json/exactAmounts.ts';
import type { InputJson, OutputJson, TransactionJson } from './jsonTypes.ts';
import { scriptPubKeyJson, scriptSigJson } from './scriptJson.ts';

/**
 * Returns a transaction as `decoderawtransaction` shows it.
 *
 * - `id`: its txid, if the caller knows it already; saves hashing it again
 *
 * @see Bitcoin Core `TxToUniv`
 */
export function transactionJson(tx: Transaction, context: RpcContext, id: Txid = txidOf(tx)): TransactionJson {
  const { size, vsize, weight } = transactionSize(tx);
  const coinbase = isCoinbase(tx);
  const shownId = formatTxid(id);
  return {
    txid: shownId,
    hash: hasWitness(tx) ? formatTxid(wtxid(tx)) : shownId,
    version: tx.version,
    size,
    vsize,
    weight,
    locktime: tx.locktime,
    vin: tx.inputs.map((input) => inputJson(input, coinbase, context)),
    vout: tx.outputs.map((output, n) => outputJson(output, n, context)),
  };
}

function inputJson(input: TxIn, coinbase: boolean, { dialect }: RpcContext): InputJson {
  const json = coinbase ? coinbaseJson(input) : spendJson(input);
  return dialect.showsMweb ? { ismweb: false, ...json } : json;
}

function coinbaseJson({ scriptSig, witness, sequence }: TxIn): InputJson {
  const coinbase = formatHex(scriptSig);
  return witness.length > 0 ? { coinbase, txinwitness: witness.map(formatHex), sequence } : { coinbase, sequence };
}

function spendJson({ outpoint, scriptSig: script, witness, sequence }: TxIn): InputJson {
  const { vout } = outpoint;
  const txid = formatTxid(outpoint.txid);
  const scriptSig = scriptSigJson(script);
  return witness.length > 0
    ? { txid, vout, scriptSig, txinwitness: witness.map(formatHex), sequence }
    : { txid, vout, scriptSig, sequence };
}

function outputJson({ value, scriptPubKey }: TxOut, n: number, context: RpcContext): OutputJson {
  const rest = { value: toCoins(value), n, scriptPubKey: scriptPubKeyJson(scriptPubKey, context) };
  return keepExact(context.dialect.showsMweb ? { ismweb: false, ...rest } : rest, 'value', value);
}
