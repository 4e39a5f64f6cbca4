import { pubkeyHashAddress, templateAddress } from '../../core/address/address.ts';
import { hash160 } from '../../core/crypto/hash.ts';
import { shownDescriptor } from '../../core/descriptors/inferFromScript.ts';
import { formatAsm } from '../../core/script/asm.ts';
import { scriptKey } from '../../core/script/scriptKey.ts';
import { classifyScript } from '../../core/script/template.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import type { Draft } from '../method/results.ts';
import type { scriptPubKeyResult, scriptResult, scriptSigResult, scriptTypeResult } from './transactionResults.ts';

type ScriptPubKeyDraft = Draft<typeof scriptPubKeyResult>;

export const scriptSigDraft = (script: Uint8Array): Draft<typeof scriptSigResult> => ({
  asm: formatAsm(script, { decodeSighash: true }),
  hex: script,
});

/** @see Core `ScriptToUniv` without address */
export const scriptDraft = (script: Uint8Array, { dialect }: RpcContext): Draft<typeof scriptResult> => ({
  asm: formatAsm(script),
  hex: script,
  type: classifyScript(script, dialect.templates).type,
});

/** Has the dialect's shape. */
export function scriptPubKeyDraft(script: Uint8Array, context: RpcContext): ScriptPubKeyDraft {
  if (context.dialect.scriptPubKeyShape === 'address') return cachedDraft(script, context);
  return { ...addressedDraft(script, context), hex: script };
}

/** Has a single `address` in every dialect. */
export function utxoScriptPubKeyDraft(script: Uint8Array, context: RpcContext): ScriptPubKeyDraft {
  const { dialect, network } = context;
  if (dialect.scriptPubKeyShape === 'address') return cachedDraft(script, context);
  const template = classifyScript(script, dialect.templates);
  return {
    asm: formatAsm(script),
    hex: script,
    type: template.type,
    address: templateAddress(template, network),
  };
}

/** More than lie between a coin and its repetition in most PSBTs. */
const MOST_SHOWN = 256;

function cachedDraft(script: Uint8Array, context: RpcContext): ScriptPubKeyDraft {
  const { shown } = context;
  if (!shown) return describedDraft(script, context);
  const key = scriptKey(script);
  const cached = shown.get(key);
  if (cached) return cached;
  const described = describedDraft(script, context);
  if (shown.size === MOST_SHOWN) shown.clear();
  shown.set(key, described);
  return described;
}

/**
 * `describe` writes the descriptor, for callers that know more than the script shows.
 * @see Core 31 `ScriptToUniv`
 */
export function describedDraft(
  script: Uint8Array,
  { network, dialect }: RpcContext,
  describe: typeof shownDescriptor = shownDescriptor,
): ScriptPubKeyDraft {
  const template = classifyScript(script, dialect.templates);
  const address = templateAddress(template, network);
  return {
    asm: formatAsm(script),
    desc: describe(script, template, address),
    hex: script,
    address,
    type: template.type,
  };
}

/** @see Core 0.21 `ScriptPubKeyToUniv` without hex */
export function addressedDraft(script: Uint8Array, { network, dialect }: RpcContext): Draft<typeof scriptTypeResult> {
  const template = classifyScript(script, dialect.templates);
  const shown = { asm: formatAsm(script), type: template.type };
  if (template.type === 'multisig') {
    const addresses = template.pubkeys.map((pubkey) => pubkeyHashAddress(hash160(pubkey), network));
    return { ...shown, reqSigs: template.required, addresses };
  }
  const address = templateAddress(template, network);
  return address === undefined ? shown : { ...shown, reqSigs: 1, addresses: [address] };
}
