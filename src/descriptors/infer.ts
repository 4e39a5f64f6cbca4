import { formatHex } from '../bytes/hex.ts';
import { isValidXOnlyPublicKey } from '../crypto/publicKey.ts';
import { classifyScript, type ScriptTemplate } from '../script/template.ts';
import { withChecksum } from './checksum.ts';

/** Descriptors have no form for hybrid keys. */
const isWritable = (pubkey: Uint8Array): boolean => (pubkey[0] ?? 0) <= 4;

/** The key expression of a bare key or multisig script, as far as the script itself shows keys. */
function inferKeys(template: ScriptTemplate): string | undefined {
  if (template.type === 'pubkey' && isWritable(template.pubkey)) return `pk(${formatHex(template.pubkey)})`;
  if (template.type === 'multisig' && template.pubkeys.every(isWritable)) {
    return `multi(${[template.required, ...template.pubkeys.map(formatHex)].join(',')})`;
  }
  return undefined;
}

/**
 * The descriptor, with checksum, that a node infers for a script of which it knows no keys and no inner scripts.
 *
 * - `address`: the script's address, where it has one
 *
 * @see Bitcoin Core `InferDescriptor`
 */
export function inferDescriptor(script: Uint8Array, template: ScriptTemplate, address: string | undefined): string {
  return withChecksum(inferBody(script, template, address));
}

function inferBody(script: Uint8Array, template: ScriptTemplate, address: string | undefined): string {
  const keys = inferKeys(template);
  if (keys !== undefined) return keys;
  if (template.type === 'witness_v1_taproot' && isValidXOnlyPublicKey(template.program)) {
    return `rawtr(${formatHex(template.program)})`;
  }
  return address === undefined ? `raw(${formatHex(script)})` : `addr(${address})`;
}

/**
 * Inference for the P2WSH form of a script that is known: `wsh(…)` where its inside has a descriptor. For any other
 * scriptPubKey, as without knowledge.
 */
export function inferWitnessScript(witnessScript: Uint8Array): typeof inferDescriptor {
  return (script, template, address) => {
    const inner = template.type === 'witness_v0_scripthash' ? inferKeys(classifyScript(witnessScript)) : undefined;
    return inner === undefined ? inferDescriptor(script, template, address) : withChecksum(`wsh(${inner})`);
  };
}
