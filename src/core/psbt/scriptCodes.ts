import type { EcdsaVersion } from '../interpreter/checker.ts';
import { payToPubkeyHash } from '../script/build.ts';
import { parseWitnessProgram } from '../script/template.ts';
import { matchingScripts, unwrap } from '../script/unwrap.ts';
import type { PsbtInput } from './format/types.ts';

export type EcdsaScript =
  | { readonly scriptCode: Uint8Array; readonly version: EcdsaVersion }
  | { readonly missing: 'redeem-script' | 'witness-script' };

/**
 * Returns the script that ECDSA signatures commit to before any OP_CODESEPARATOR; `undefined` for coins that take none.
 * Records that the coin does not commit to count as missing.
 * @see BIP143 "Specification"
 */
export function ecdsaScript(scriptPubKey: Uint8Array, input: PsbtInput): EcdsaScript | undefined {
  const { outer, inner, redeemScript, witnessScript } = unwrap(scriptPubKey, matchingScripts(input));
  if (outer.type === 'scripthash' && !redeemScript) return { missing: 'redeem-script' };
  if (inner.type === 'witness_v0_keyhash') {
    return { scriptCode: payToPubkeyHash(inner.program), version: 'witness-v0' };
  }
  if (inner.type === 'witness_v0_scripthash') {
    return witnessScript ? { scriptCode: witnessScript, version: 'witness-v0' } : { missing: 'witness-script' };
  }
  const scriptCode = redeemScript ?? scriptPubKey;
  return parseWitnessProgram(scriptCode) ? undefined : { scriptCode, version: 'base' };
}
