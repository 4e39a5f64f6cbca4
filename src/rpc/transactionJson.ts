import { formatHex } from '../bytes/hex.ts';
import { hasWitness } from '../tx/codec.ts';
import { formatTxid, txid, wtxid } from '../tx/txid.ts';
import type { Transaction, TxIn, Txid, TxOut } from '../tx/types.ts';
import { transactionSize } from '../tx/weight.ts';
import type { InputJson, OutputJson, TransactionJson } from './answers.ts';
import type { RpcContext } from './dialect.ts';
import { type Draft, keepExact, toCoins } from './exact.ts';
import { scriptPubKeyJson, scriptSigJson } from './scriptJson.ts';

const NULL_VOUT = 0xffff_ffff;

/** Whether a transaction creates coins: one input, and that spends nothing. @see Bitcoin Core `CTransaction::IsCoinBase` */
export function isCoinbase({ inputs }: Transaction): boolean {
  const [first] = inputs;
  return inputs.length === 1 && first?.outpoint.vout === NULL_VOUT && first.outpoint.txid.every((byte) => byte === 0);
}

/**
 * A transaction as `decoderawtransaction` shows it.
 *
 * - `id`: its txid where the caller knows it, so that it is not hashed twice
 *
 * @see Bitcoin Core `TxToUniv`
 */
export function transactionJson(tx: Transaction, context: RpcContext, id: Txid = txid(tx)): TransactionJson {
  const { size, vsize, weight } = transactionSize(tx);
  const coinbase = isCoinbase(tx);
  return {
    txid: formatTxid(id),
    hash: formatTxid(hasWitness(tx) ? wtxid(tx) : id),
    version: tx.version,
    size,
    vsize,
    weight,
    locktime: tx.locktime,
    vin: tx.inputs.map((input) => inputJson(input, coinbase, context)),
    vout: tx.outputs.map((output, n) => outputJson(output, n, context)),
  };
}

function inputJson(
  { outpoint, scriptSig, witness, sequence }: TxIn,
  coinbase: boolean,
  { dialect }: RpcContext,
): InputJson {
  const json: Draft<Partial<InputJson>> = {};
  if (dialect.showsMweb) json.ismweb = false;
  if (coinbase) {
    json.coinbase = formatHex(scriptSig);
  } else {
    json.txid = formatTxid(outpoint.txid);
    json.vout = outpoint.vout;
    json.scriptSig = scriptSigJson(scriptSig);
  }
  if (witness.length > 0) json.txinwitness = witness.map(formatHex);
  return Object.assign(json, { sequence });
}

function outputJson({ value, scriptPubKey }: TxOut, n: number, context: RpcContext): OutputJson {
  const rest = { value: toCoins(value), n, scriptPubKey: scriptPubKeyJson(scriptPubKey, context) };
  return keepExact(context.dialect.showsMweb ? { ismweb: false, ...rest } : rest, 'value', value);
}
