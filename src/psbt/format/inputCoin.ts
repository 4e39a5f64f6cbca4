import { equalBytes } from '../../bytes/compare.ts';
import { txid } from '../../tx/txid.ts';
import type { Outpoint, TxOut } from '../../tx/types.ts';
import type { Psbt, PsbtInput } from './types.ts';

const NO_VALUE = -1n;

/** The witness UTXO, unless its value says that there is none. @see Bitcoin Core `CTxOut::IsNull` */
export function witnessUtxoOf({ witnessUtxo }: PsbtInput): TxOut | undefined {
  return witnessUtxo?.value === NO_VALUE ? undefined : witnessUtxo;
}

/** The output that an input spends, where the PSBT says so. */
export function outpointOf({ global, inputs }: Psbt, index: number): Outpoint | undefined {
  if (global.unsignedTx) return global.unsignedTx.inputs[index]?.outpoint;
  const { previousTxid, outputIndex } = inputs[index] ?? {};
  return previousTxid && outputIndex !== undefined ? { txid: previousTxid, vout: outputIndex } : undefined;
}

/**
 * The coin that an input spends. `proven`: read from the whole previous transaction, whose id the outpoint names;
 * `claimed`: from the PSBT's word alone.
 */
export interface InputCoin {
  readonly coin: TxOut;
  readonly trust: 'proven' | 'claimed';
}

/**
 * The coin that an input spends: the previous transaction counts more than the witness UTXO.
 * @returns `undefined` where neither is there, or the previous transaction is not the one that is spent
 * @see Bitcoin Core `PSBTInput::GetUTXO`
 */
export function inputCoin(psbt: Psbt, index: number): InputCoin | undefined {
  const input = psbt.inputs[index];
  const outpoint = outpointOf(psbt, index);
  if (!input || !outpoint) return undefined;
  const { nonWitnessUtxo } = input;
  if (!nonWitnessUtxo) {
    const coin = witnessUtxoOf(input);
    return coin && { coin, trust: 'claimed' };
  }
  const coin = nonWitnessUtxo.outputs[outpoint.vout];
  return coin && equalBytes(txid(nonWitnessUtxo), outpoint.txid) ? { coin, trust: 'proven' } : undefined;
}

/** The coin that an input says to spend, whether its previous transaction is the right one or not. */
export function claimedCoin(psbt: Psbt, index: number): TxOut | undefined {
  const input = psbt.inputs[index] ?? {};
  const vout = outpointOf(psbt, index)?.vout ?? -1;
  return input.nonWitnessUtxo ? input.nonWitnessUtxo.outputs[vout] : witnessUtxoOf(input);
}
