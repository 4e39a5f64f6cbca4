import { pubkeyHashAddress, templateAddress } from '../../address/address.ts';
import { formatHex } from '../../bytes/hex.ts';
import { hash160 } from '../../crypto/hash.ts';
import { shownDescriptor } from '../../descriptors/inferFromScript.ts';
import { formatAsm } from '../../script/asm.ts';
import { classifyScript } from '../../script/template.ts';
import type { RpcContext } from '../dialect.ts';
import type { ScriptJson, ScriptPubKeyJson, ScriptSigJson } from './jsonTypes.ts';

export function scriptSigJson(script: Uint8Array): ScriptSigJson {
  return { asm: formatAsm(script, { decodeSighash: true }), hex: formatHex(script) };
}

/** @see Bitcoin Core `ScriptToUniv` without address */
export function scriptJson(script: Uint8Array, { dialect }: RpcContext): ScriptJson {
  return { asm: formatAsm(script), hex: formatHex(script), type: classifyScript(script, dialect.templates).type };
}

/** Returns the scriptPubKey of a transaction output, in the dialect's shape. */
export function scriptPubKeyJson(script: Uint8Array, context: RpcContext): ScriptPubKeyJson {
  if (context.dialect.scriptPubKeyShape === 'address') return describedScriptJson(script, context);
  const { asm, ...facts } = addressedScriptJson(script, context);
  return { asm, hex: formatHex(script), ...facts };
}

/** Returns the scriptPubKey of a PSBT's witness UTXO, which has a single `address` in every dialect. */
export function utxoScriptPubKeyJson(script: Uint8Array, context: RpcContext): ScriptPubKeyJson {
  if (context.dialect.scriptPubKeyShape === 'address') return describedScriptJson(script, context);
  const template = classifyScript(script, context.dialect.templates);
  const address = templateAddress(template, context.network);
  const json = { asm: formatAsm(script), hex: formatHex(script), type: template.type };
  return address === undefined ? json : { ...json, address };
}

/**
 * - `describe`: writes the descriptor; for callers that know more than the script shows
 *
 * @see Bitcoin Core 31 `ScriptToUniv`
 */
export function describedScriptJson(
  script: Uint8Array,
  { network, dialect, shown }: RpcContext,
  describe: typeof shownDescriptor = shownDescriptor,
): ScriptPubKeyJson {
  const hex = formatHex(script);
  const known = shown?.get(hex);
  if (known) return { ...known };
  const template = classifyScript(script, dialect.templates);
  const { type } = template;
  const address = templateAddress(template, network);
  const desc = describe(script, template, address);
  const asm = formatAsm(script);
  const json = address === undefined ? { asm, desc, hex, type } : { asm, desc, hex, address, type };
  shown?.set(hex, json);
  return json;
}

/** @see Bitcoin Core 0.21 `ScriptPubKeyToUniv` without hex */
export function addressedScriptJson(script: Uint8Array, { network, dialect }: RpcContext): ScriptPubKeyJson {
  const template = classifyScript(script, dialect.templates);
  const asm = formatAsm(script);
  if (template.type === 'multisig') {
    const addresses = template.pubkeys.map((pubkey) => pubkeyHashAddress(hash160(pubkey), network));
    return { asm, reqSigs: template.required, type: template.type, addresses };
  }
  const address = templateAddress(template, network);
  return address === undefined
    ? { asm, type: template.type }
    : { asm, reqSigs: 1, type: template.type, addresses: [address] };
}
