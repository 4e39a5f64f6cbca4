import { isCoinbase } from '../../tx/check.ts';
import { hasWitness } from '../../tx/codec.ts';
import { formatTxid, txid as txidOf, wtxid } from '../../tx/txid.ts';
import type { Transaction, TxIn, Txid, TxOut } from '../../tx/types.ts';
import { transactionSize } from '../../tx/weight.ts';
import type { RpcContext } from '../dialect.ts';
import type { Json, JsonForm, Members } from '../json/jsonForm.ts';
import type { InputJson, OutputJson, TransactionJson } from './jsonTypes.ts';
import { scriptPubKeyJson, scriptSigJson } from './scriptJson.ts';

/**
 * Returns a transaction as `decoderawtransaction` shows it.
 *
 * - `id`: its txid, if the caller knows it already; saves hashing it again
 *
 * @see Bitcoin Core `TxToUniv`
 */
export function transactionJson(tx: Transaction, context: RpcContext, id: Txid = txidOf(tx)): Json<TransactionJson> {
  const { json } = context;
  const { size, vsize, weight } = transactionSize(tx);
  const coinbase = isCoinbase(tx);
  const shownId = json.plain(formatTxid(id));
  return json.object<TransactionJson>({
    txid: shownId,
    hash: hasWitness(tx) ? json.plain(formatTxid(wtxid(tx))) : shownId,
    version: tx.version,
    size,
    vsize,
    weight,
    locktime: tx.locktime,
    vin: json.list(tx.inputs, (input) => inputJson(input, coinbase, context)),
    vout: json.list(tx.outputs, (output, n) => outputJson(output, n, context)),
  });
}

function inputJson(input: TxIn, coinbase: boolean, { dialect, json }: RpcContext): Json<InputJson> {
  const members = coinbase ? coinbaseMembers(input, json) : spendMembers(input, json);
  return json.object<InputJson>(dialect.showsMweb ? { ismweb: false, ...members } : members);
}

function coinbaseMembers({ scriptSig, witness, sequence }: TxIn, json: JsonForm): Members<InputJson> {
  const coinbase = json.hex(scriptSig);
  return witness.length > 0
    ? { coinbase, txinwitness: json.list(witness, json.hex), sequence }
    : { coinbase, sequence };
}

function spendMembers({ outpoint, scriptSig: script, witness, sequence }: TxIn, json: JsonForm): Members<InputJson> {
  const { vout } = outpoint;
  const txid = json.plain(formatTxid(outpoint.txid));
  const scriptSig = scriptSigJson(script, json);
  return witness.length > 0
    ? { txid, vout, scriptSig, txinwitness: json.list(witness, json.hex), sequence }
    : { txid, vout, scriptSig, sequence };
}

function outputJson({ value, scriptPubKey }: TxOut, n: number, context: RpcContext): Json<OutputJson> {
  const { dialect, json } = context;
  const members = { value: json.amount(value), n, scriptPubKey: scriptPubKeyJson(scriptPubKey, context) };
  return json.object<OutputJson>(dialect.showsMweb ? { ismweb: false, ...members } : members);
}
