import { formatHex } from '../bytes/hex.ts';
import { decodeMiniscript, printMiniscript } from '../descriptors/miniscript/index.ts';

/** A longer miniscript is no easier to read than a hash. */
const MAX_TEXT = 200;
const SHOWN_HASH = 8;

/** Names a leaf of a taproot tree by its miniscript if that is short, or else by the first bytes of its hash. */
export function leafText(leafHash: Uint8Array, script: Uint8Array | undefined): string {
  const root = script && decodeMiniscript(script, () => undefined, 'tapscript');
  const text = root && printMiniscript(root, formatHex);
  return text !== undefined && text.length <= MAX_TEXT ? text : `${formatHex(leafHash.slice(0, SHOWN_HASH))}...`;
}
