import { dustLimit } from '../../core/review/outputs.ts';
import { isUnspendable } from '../../core/script/instructions.ts';
import type { TxOut } from '../../core/tx/types.ts';

/** Returns the least satoshi that an output is worth at a fee rate, in satoshi per 1000 virtual bytes. */
export const dustAt = (scriptPubKey: Uint8Array, rate: bigint): bigint =>
  BigInt(dustLimit(scriptPubKey, { dustFeeRate: Number(rate) / 1000 }));

/** Tells whether an output is worth less than it costs to spend; one that cannot be spent never is. @see Core `IsDust` */
export const isDust = ({ value, scriptPubKey }: TxOut, rate: bigint): boolean =>
  !isUnspendable(scriptPubKey) && value < dustAt(scriptPubKey, rate);
