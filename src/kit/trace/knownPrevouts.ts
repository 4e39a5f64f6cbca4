import { classifyScript } from '../../core/script/template.ts';
import type { TxOut } from '../../core/tx/types.ts';

const NO_COIN: TxOut = { value: 0n, scriptPubKey: new Uint8Array(0) };

/**
 * Returns the coins with which an input may be traced, or the index of one that is needed and not known. Only a Schnorr signature
 * commits to the coins of other inputs: of other kinds, zeros stand for those.
 */
export function knownPrevouts(coins: readonly (TxOut | undefined)[], inputIndex: number): readonly TxOut[] | number {
  const own = coins[inputIndex];
  if (!own) return inputIndex;
  const isTaproot = classifyScript(own.scriptPubKey).type === 'witness_v1_taproot';
  const missing = isTaproot ? coins.indexOf(undefined) : -1;
  return missing < 0 ? coins.map((coin) => coin ?? NO_COIN) : missing;
}
