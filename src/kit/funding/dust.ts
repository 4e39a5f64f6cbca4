import { dustLimit } from '../../core/review/outputs.ts';
import { isUnspendable } from '../../core/script/instructions.ts';
import type { TxOut } from '../../core/tx/types.ts';

/** Returns satoshi. `rate`: satoshi per 1000 virtual bytes. */
export const dustAt = (scriptPubKey: Uint8Array, rate: bigint): bigint =>
  BigInt(dustLimit(scriptPubKey, { dustFeeRate: Number(rate) / 1000 }));

/** @see Bitcoin Core `IsDust` */
export const isDust = ({ value, scriptPubKey }: TxOut, rate: bigint): boolean =>
  !isUnspendable(scriptPubKey) && value < dustAt(scriptPubKey, rate);
