import { equalBytes } from '../../bytes/compare.ts';
import { txid } from '../../tx/txid.ts';
import type { Outpoint, Transaction, Txid, TxOut } from '../../tx/types.ts';
import { type AnyPsbt, readOutline } from './parsePsbt.ts';
import type { Psbt, PsbtInput } from './types.ts';

const NO_VALUE = -1n;

/** Returns the witness UTXO, except the null coin of value -1. @see Bitcoin Core `CTxOut::IsNull` */
export function readWitnessUtxo({ witnessUtxo }: PsbtInput): TxOut | undefined {
  return witnessUtxo?.value === NO_VALUE ? undefined : witnessUtxo;
}

export function inputOutpoint({ global, inputs }: Psbt, index: number): Outpoint | undefined {
  if (global.unsignedTx) return global.unsignedTx.inputs[index]?.outpoint;
  const { previousTxid, outputIndex } = inputs[index] ?? {};
  return previousTxid && outputIndex !== undefined ? { txid: previousTxid, vout: outputIndex } : undefined;
}

/** The coin that an input spends: `proven` by its previous transaction, or only `claimed` by the PSBT. */
export interface InputCoin {
  readonly coin: TxOut;
  readonly trust: 'proven' | 'claimed';
}

/**
 * Returns the coin that an input spends, preferably from its previous transaction. `undefined` if that is not the one
 * spent, or the PSBT holds no coin.
 * @see Bitcoin Core `PSBTInput::GetUTXO`
 */
export const inputCoin = (given: AnyPsbt, index: number): InputCoin | undefined =>
  coinWith(txid, readOutline(given), index);

/** Returns the coins that all inputs spend. Hashes a transaction once that is the previous one of several inputs. */
export function inputCoins(psbt: Psbt): readonly (InputCoin | undefined)[] {
  const ids = new Map<Transaction, Txid>();
  const idOf = (tx: Transaction): Txid => {
    const id = ids.get(tx) ?? txid(tx);
    ids.set(tx, id);
    return id;
  };
  return psbt.inputs.map((_, index) => coinWith(idOf, psbt, index));
}

function coinWith(idOf: (tx: Transaction) => Txid, psbt: Psbt, index: number): InputCoin | undefined {
  const input = psbt.inputs[index];
  const outpoint = inputOutpoint(psbt, index);
  if (!input || !outpoint) return undefined;
  const { nonWitnessUtxo } = input;
  if (!nonWitnessUtxo) {
    const coin = readWitnessUtxo(input);
    return coin && { coin, trust: 'claimed' };
  }
  const coin = nonWitnessUtxo.outputs[outpoint.vout];
  return coin && equalBytes(idOf(nonWitnessUtxo), outpoint.txid) ? { coin, trust: 'proven' } : undefined;
}

/** Like `inputCoin`, without checking the txid. */
export function claimedCoin(psbt: Psbt, index: number): TxOut | undefined {
  const input = psbt.inputs[index] ?? {};
  const vout = inputOutpoint(psbt, index)?.vout ?? -1;
  return input.nonWitnessUtxo ? input.nonWitnessUtxo.outputs[vout] : readWitnessUtxo(input);
}
