import { compareBytes } from '../../../core/bytes/compare.ts';
import { isMwebKeys } from '../../../core/encoding/mwebAddress.ts';
import { classifyScript, type ScriptTemplate, type TemplateRules } from '../../../core/script/template.ts';

/** In the order of Core's `CTxDestination`. */
const KINDS: readonly ScriptTemplate['type'][] = [
  'pubkeyhash',
  'scripthash',
  'witness_v0_scripthash',
  'witness_v0_keyhash',
  'witness_v1_taproot',
  'anchor',
];

/**
 * Orders addresses, given by their scripts, by kind, then by hash; other witness programs by version, then by length.
 * Stealth addresses of Litecoin come last.
 * @see Bitcoin Core `operator<` of `CTxDestination` and of `WitnessUnknown`
 */
export const destinationOrder =
  (templates: TemplateRules) =>
  (a: Uint8Array, b: Uint8Array): number =>
    // Scripts of a kind differ only in their hashes; other programs begin with version and length.
    kindRank(a, templates) - kindRank(b, templates) || compareBytes(a, b);

function kindRank(script: Uint8Array, templates: TemplateRules): number {
  if (isMwebKeys(script)) return KINDS.length + 1;
  const { type } = classifyScript(script, templates);
  const rank = KINDS.indexOf(type);
  return rank === -1 ? KINDS.length : rank;
}
