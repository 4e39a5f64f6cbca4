import { equalBytes } from '../../bytes/compare.ts';
import { txid } from '../../tx/txid.ts';
import type { Outpoint, TxOut } from '../../tx/types.ts';
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
export function inputCoin(given: AnyPsbt, index: number): InputCoin | undefined {
  const psbt = readOutline(given);
  const input = psbt.inputs[index];
  const outpoint = inputOutpoint(psbt, index);
  if (!input || !outpoint) return undefined;
  const { nonWitnessUtxo } = input;
  if (!nonWitnessUtxo) {
    const coin = readWitnessUtxo(input);
    return coin && { coin, trust: 'claimed' };
  }
  const coin = nonWitnessUtxo.outputs[outpoint.vout];
  return coin && equalBytes(txid(nonWitnessUtxo), outpoint.txid) ? { coin, trust: 'proven' } : undefined;
}

/** Like `inputCoin`, without checking the txid. */
export function claimedCoin(psbt: Psbt, index: number): TxOut | undefined {
  const input = psbt.inputs[index] ?? {};
  const vout = inputOutpoint(psbt, index)?.vout ?? -1;
  return input.nonWitnessUtxo ? input.nonWitnessUtxo.outputs[vout] : readWitnessUtxo(input);
}
