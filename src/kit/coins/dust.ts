import { isUnspendable } from '../../core/script/instructions.ts';
import { dustThreshold } from '../../core/tx/dust.ts';
import type { TxOut } from '../../core/tx/types.ts';

/** Returns satoshi. `rate`: satoshi per 1000 virtual bytes. */
export const dustAt = (scriptPubKey: Uint8Array, rate: bigint): bigint =>
  BigInt(dustThreshold(scriptPubKey, Number(rate) / 1000));

/** @see Bitcoin Core `IsDust` */
export const isDust = ({ value, scriptPubKey }: TxOut, rate: bigint): boolean =>
  !isUnspendable(scriptPubKey) && value < dustAt(scriptPubKey, rate);
