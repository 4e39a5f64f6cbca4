import { equalBytes } from '../../bytes/compare.ts';
import { txid } from '../../tx/txid.ts';
import type { Outpoint, TxOut } from '../../tx/types.ts';
import type { Psbt, PsbtInput } from './types.ts';

const NO_VALUE = -1n;

/** Returns the witness UTXO, unless its value of -1 marks it as null. @see Bitcoin Core `CTxOut::IsNull` */
export function witnessUtxoOf({ witnessUtxo }: PsbtInput): TxOut | undefined {
  return witnessUtxo?.value === NO_VALUE ? undefined : witnessUtxo;
}

/** Returns the outpoint of an input, if the PSBT names it. */
export function outpointOf({ global, inputs }: Psbt, index: number): Outpoint | undefined {
  if (global.unsignedTx) return global.unsignedTx.inputs[index]?.outpoint;
  const { previousTxid, outputIndex } = inputs[index] ?? {};
  return previousTxid && outputIndex !== undefined ? { txid: previousTxid, vout: outputIndex } : undefined;
}

/**
 * The coin that an input spends. `proven`: read from the previous transaction, whose txid the outpoint names;
 * `claimed`: only the PSBT asserts it.
 */
export interface InputCoin {
  readonly coin: TxOut;
  readonly trust: 'proven' | 'claimed';
}

/**
 * Returns the coin that an input spends. The previous transaction takes precedence over the witness UTXO.
 * @returns `undefined` if the PSBT holds neither, or the previous transaction is not the one spent
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

/** Returns the coin that an input claims to spend, even if its previous transaction is the wrong one. */
export function claimedCoin(psbt: Psbt, index: number): TxOut | undefined {
  const input = psbt.inputs[index] ?? {};
  const vout = outpointOf(psbt, index)?.vout ?? -1;
  return input.nonWitnessUtxo ? input.nonWitnessUtxo.outputs[vout] : witnessUtxoOf(input);
}
