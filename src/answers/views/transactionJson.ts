import { isCoinbase } from '../../core/tx/check.ts';
import { encodeTransaction, hasWitness } from '../../core/tx/codec.ts';
import { formatTxid, txid as txidOf, wtxid } from '../../core/tx/txid.ts';
import type { Transaction, TxIn, Txid, TxOut } from '../../core/tx/types.ts';
import { transactionSize } from '../../core/tx/weight.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import type { Draft } from '../method/results.ts';
import { scriptPubKeyDraft, scriptSigDraft } from './scriptJson.ts';
import type { spendingTransactionResult, transactionResult } from './transactionResults.ts';

/** Takes the txid of a caller that has it, rather than hashing again. @see Core `TxToUniv` */
export const transactionDraft = (
  tx: Transaction,
  context: RpcContext,
  id: Txid = txidOf(tx),
): Draft<typeof transactionResult> => membersOf({ tx, id }, context);

interface SpentCoin extends TxOut {
  readonly height?: number | undefined;
  readonly isCoinbase: boolean;
}

export type BlockTransactionDraft = Draft<typeof spendingTransactionResult>;
type FoundInputDraft = BlockTransactionDraft['vin'][number];

function membersOf(
  { tx, id }: { readonly tx: Transaction; readonly id: Txid },
  context: RpcContext,
  prevouts?: readonly SpentCoin[],
): Omit<BlockTransactionDraft, 'fee' | 'hex'> {
  const { size, vsize, weight } = transactionSize(tx);
  const coinbase = isCoinbase(tx);
  const txid = formatTxid(id);
  return {
    txid,
    hash: hasWitness(tx) ? formatTxid(wtxid(tx)) : txid,
    version: tx.version,
    size,
    vsize,
    weight,
    locktime: tx.locktime,
    vin: tx.inputs.map((input, index) =>
      coinbase ? coinbaseDraft(input) : inputDraft(input, prevouts?.[index], context),
    ),
    vout: tx.outputs.map(({ value, scriptPubKey }, n) => ({
      ismweb: false,
      value,
      n,
      scriptPubKey: scriptPubKeyDraft(scriptPubKey, context),
    })),
  };
}

export interface TransactionDetails {
  readonly spent?: readonly SpentCoin[];
  readonly showsSpent?: boolean;
}

const sumOf = (outputs: readonly TxOut[]): bigint => outputs.reduce((total, { value }) => total + value, 0n);

/** @see Core `TxToUniv`, `TxToJSON` */
export const detailedTransactionDraft = (
  { tx, id }: { readonly tx: Transaction; readonly id: Txid },
  { spent, showsSpent }: TransactionDetails,
  context: RpcContext,
): BlockTransactionDraft => ({
  ...membersOf({ tx, id }, context, showsSpent ? spent : undefined),
  fee: spent && sumOf(spent) - sumOf(tx.outputs),
  hex: encodeTransaction(tx),
});

const coinbaseDraft = ({ scriptSig, witness, sequence }: TxIn): FoundInputDraft => ({
  ismweb: false,
  coinbase: scriptSig,
  txinwitness: witness.length > 0 ? witness : undefined,
  sequence,
});

function inputDraft(
  { outpoint, scriptSig, witness, sequence }: TxIn,
  prevout: SpentCoin | undefined,
  context: RpcContext,
): FoundInputDraft {
  return {
    ismweb: false,
    txid: formatTxid(outpoint.txid),
    vout: outpoint.vout,
    scriptSig: scriptSigDraft(scriptSig),
    txinwitness: witness.length > 0 ? witness : undefined,
    prevout: prevout && prevoutDraft(prevout, context),
    sequence,
  };
}

const prevoutDraft = (
  { isCoinbase: generated, height = 0, value, scriptPubKey }: SpentCoin,
  context: RpcContext,
): NonNullable<FoundInputDraft['prevout']> => ({
  generated,
  height,
  value,
  scriptPubKey: scriptPubKeyDraft(scriptPubKey, context),
});
