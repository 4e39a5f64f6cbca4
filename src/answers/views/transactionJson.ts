import { isCoinbase } from '../../core/tx/check.ts';
import { encodeTransaction, hasWitness } from '../../core/tx/codec.ts';
import { formatTxid, txid as txidOf, wtxid } from '../../core/tx/txid.ts';
import type { Transaction, TxIn, Txid, TxOut } from '../../core/tx/types.ts';
import { transactionSize } from '../../core/tx/weight.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import type { Json, JsonForm, Members } from '../json/jsonForm.ts';
import { scriptPubKeyJson, scriptSigJson } from './scriptJson.ts';
import type {
  FoundInputJson,
  FoundTransactionJson,
  OutputJson,
  PrevoutJson,
  TransactionJson,
} from './transactionResults.ts';

/** Takes the txid of a caller that has it, rather than hashing again. @see Core `TxToUniv` */
export function transactionJson(tx: Transaction, context: RpcContext, id: Txid = txidOf(tx)): Json<TransactionJson> {
  return context.json.object<TransactionJson>(transactionMembers({ tx, id }, context));
}

function transactionMembers(
  { tx, id }: { readonly tx: Transaction; readonly id: Txid },
  context: RpcContext,
  prevouts?: readonly SpentCoin[],
): Members<Omit<TransactionJson, 'vin'> & Pick<FoundTransactionJson, 'vin'>> {
  const { json } = context;
  const { size, vsize, weight } = transactionSize(tx);
  const coinbase = isCoinbase(tx);
  const shownId = json.plain(formatTxid(id));
  return {
    txid: shownId,
    hash: hasWitness(tx) ? json.plain(formatTxid(wtxid(tx))) : shownId,
    version: tx.version,
    size,
    vsize,
    weight,
    locktime: tx.locktime,
    vin: json.list(tx.inputs, (input, index) => inputJson(input, { coinbase, prevout: prevouts?.[index] }, context)),
    vout: json.list(tx.outputs, (output, n) => outputJson(output, n, context)),
  };
}

interface SpentCoin extends TxOut {
  readonly height?: number | undefined;
  readonly isCoinbase: boolean;
}

export interface TransactionDetails {
  readonly before?: Members<Partial<FoundTransactionJson>>;
  readonly after?: Members<Partial<FoundTransactionJson>>;
  readonly withHex: boolean;
  readonly spent?: readonly SpentCoin[];
  readonly showsSpent?: boolean;
}

/** @see Core `TxToUniv`, `TxToJSON` */
export function detailedTransactionJson(
  { tx, id }: { readonly tx: Transaction; readonly id: Txid },
  { before, after, withHex, spent, showsSpent }: TransactionDetails,
  context: RpcContext,
): Json<FoundTransactionJson> {
  const { json } = context;
  const sum = (outputs: readonly TxOut[]): bigint => outputs.reduce((total, { value }) => total + value, 0n);
  return json.object<FoundTransactionJson>({
    ...before,
    ...transactionMembers({ tx, id }, context, showsSpent ? spent : undefined),
    ...(spent && { fee: json.amount(sum(spent) - sum(tx.outputs)) }),
    ...(withHex && { hex: json.hex(encodeTransaction(tx)) }),
    ...after,
  });
}

function inputJson(
  input: TxIn,
  { coinbase, prevout }: { readonly coinbase: boolean; readonly prevout: SpentCoin | undefined },
  context: RpcContext,
): Json<FoundInputJson> {
  const { dialect, json } = context;
  const prevoutMember = prevout && { prevout: prevoutJson(prevout, context) };
  const members = coinbase ? coinbaseMembers(input, json) : spendMembers(input, prevoutMember, json);
  return json.object<FoundInputJson>(dialect.showsMweb ? { ismweb: false, ...members } : members);
}

function coinbaseMembers({ scriptSig, witness, sequence }: TxIn, json: JsonForm): Members<FoundInputJson> {
  const coinbase = json.hex(scriptSig);
  return witness.length > 0
    ? { coinbase, txinwitness: json.list(witness, json.hex), sequence }
    : { coinbase, sequence };
}

function prevoutJson({ isCoinbase: generated, height = 0, value, scriptPubKey }: SpentCoin, context: RpcContext) {
  const { json } = context;
  return json.object<PrevoutJson>({
    generated,
    height,
    value: json.amount(value),
    scriptPubKey: scriptPubKeyJson(scriptPubKey, context),
  });
}

function spendMembers(
  { outpoint, scriptSig: script, witness, sequence }: TxIn,
  prevout: { readonly prevout: Json<PrevoutJson> } | undefined,
  json: JsonForm,
): Members<FoundInputJson> {
  const { vout } = outpoint;
  const txid = json.plain(formatTxid(outpoint.txid));
  const scriptSig = scriptSigJson(script, json);
  return witness.length > 0
    ? { txid, vout, scriptSig, txinwitness: json.list(witness, json.hex), ...prevout, sequence }
    : { txid, vout, scriptSig, ...prevout, sequence };
}

function outputJson({ value, scriptPubKey }: TxOut, n: number, context: RpcContext): Json<OutputJson> {
  const { dialect, json } = context;
  const members = { value: json.amount(value), n, scriptPubKey: scriptPubKeyJson(scriptPubKey, context) };
  return json.object<OutputJson>(dialect.showsMweb ? { ismweb: false, ...members } : members);
}
