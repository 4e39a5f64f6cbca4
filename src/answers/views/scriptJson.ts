import { pubkeyHashAddress, templateAddress } from '../../core/address/address.ts';
import { hash160 } from '../../core/crypto/hash.ts';
import { shownDescriptor } from '../../core/descriptors/inferFromScript.ts';
import { formatAsm } from '../../core/script/asm.ts';
import { scriptKey } from '../../core/script/scriptKey.ts';
import { classifyScript } from '../../core/script/template.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import type { Json, JsonForm, Members } from '../json/jsonForm.ts';
import type { ScriptJson, ScriptPubKeyJson, ScriptSigJson, ScriptTypeJson } from './transactionResults.ts';

export function scriptSigJson(script: Uint8Array, json: JsonForm): Json<ScriptSigJson> {
  const asm = json.plain(formatAsm(script, { decodeSighash: true }));
  return json.object<ScriptSigJson>({ asm, hex: json.hex(script) });
}

/** @see Core `ScriptToUniv` without address */
export function scriptJson(script: Uint8Array, { dialect, json }: RpcContext): Json<ScriptJson> {
  const type = json.plain(classifyScript(script, dialect.templates).type);
  return json.object<ScriptJson>({ asm: json.plain(formatAsm(script)), hex: json.hex(script), type });
}

export function scriptPubKeyJson(script: Uint8Array, context: RpcContext): Json<ScriptPubKeyJson> {
  if (context.dialect.scriptPubKeyShape === 'address') return describedJson(script, context);
  return context.json.object<ScriptPubKeyJson>(scriptPubKeyMembers(script, context));
}

/** Has the dialect's shape. `describe` writes the descriptor, for callers that know more than the script shows. */
export function scriptPubKeyMembers(
  script: Uint8Array,
  context: RpcContext,
  describe: typeof shownDescriptor = shownDescriptor,
): Members<ScriptPubKeyJson> {
  if (context.dialect.scriptPubKeyShape === 'address') return describedMembers(script, context, describe);
  const { asm, ...facts } = addressedMembers(script, context);
  return { asm, hex: context.json.hex(script), ...facts };
}

/** Has a single `address` in every dialect. */
export function utxoScriptPubKeyJson(script: Uint8Array, context: RpcContext): Json<ScriptPubKeyJson> {
  const { dialect, network, json } = context;
  if (dialect.scriptPubKeyShape === 'address') return describedJson(script, context);
  const template = classifyScript(script, dialect.templates);
  const address = templateAddress(template, network);
  const members = { asm: json.plain(formatAsm(script)), hex: json.hex(script), type: json.plain(template.type) };
  return json.object<ScriptPubKeyJson>(address === undefined ? members : { ...members, address: json.text(address) });
}

/** More than lie between a coin and its repetition in most PSBTs. */
const MOST_SHOWN = 256;

function describedJson(script: Uint8Array, context: RpcContext): Json<ScriptPubKeyJson> {
  const { json, shown } = context;
  if (!shown) return json.object<ScriptPubKeyJson>(describedMembers(script, context));
  const key = scriptKey(script);
  const cached = shown.get(key);
  if (cached) return json.again(cached);
  const described = json.object<ScriptPubKeyJson>(describedMembers(script, context));
  if (shown.size === MOST_SHOWN) shown.clear();
  shown.set(key, described);
  return described;
}

/** @see Core 31 `ScriptToUniv` */
export function describedMembers(
  script: Uint8Array,
  { network, dialect, json }: RpcContext,
  describe: typeof shownDescriptor = shownDescriptor,
): Members<ScriptPubKeyJson> {
  const template = classifyScript(script, dialect.templates);
  const type = json.plain(template.type);
  const address = templateAddress(template, network);
  const desc = json.text(describe(script, template, address));
  const asm = json.plain(formatAsm(script));
  const hex = json.hex(script);
  return address === undefined ? { asm, desc, hex, type } : { asm, desc, hex, address: json.text(address), type };
}

/** @see Core 0.21 `ScriptPubKeyToUniv` without hex */
export function addressedMembers(script: Uint8Array, { network, dialect, json }: RpcContext): Members<ScriptTypeJson> {
  const template = classifyScript(script, dialect.templates);
  const asm = json.plain(formatAsm(script));
  const type = json.plain(template.type);
  if (template.type === 'multisig') {
    const addresses = json.list(template.pubkeys, (pubkey) => json.text(pubkeyHashAddress(hash160(pubkey), network)));
    return { asm, reqSigs: template.required, type, addresses };
  }
  const address = templateAddress(template, network);
  return address === undefined ? { asm, type } : { asm, reqSigs: 1, type, addresses: json.list([address], json.text) };
}
