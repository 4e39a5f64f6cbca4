import { formatHex } from '../../core/bytes/hex.ts';
import type { Chain } from './chainState.ts';

/** Lets anybody spend the coins of a script, or no longer. No other node follows a chain with such a spend. */
export function setWaived({ waived }: Chain, scriptPubKey: Uint8Array, isOn: boolean): void {
  if (isOn) waived.set(formatHex(scriptPubKey), true);
  else waived.delete(formatHex(scriptPubKey));
}

/** Tells whether the coins of a script may be spent whatever the input says. */
export const isWaived = ({ waived }: Chain, scriptPubKey: Uint8Array): boolean => waived.has(formatHex(scriptPubKey));

/** Says of a chain that other nodes do not follow it, if so. */
export function waiverWarnings({ waived }: Chain): readonly string[] {
  const count = [...waived.keys()].length;
  if (count === 0) return [];
  const whose = count === 1 ? 'a script' : `${count} scripts`;
  return [`This chain lets anybody spend the coins of ${whose}: no other node follows it`];
}
