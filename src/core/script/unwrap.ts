import { equalBytes } from '../bytes/compare.ts';
import { hash160, ripemd160, sha256 } from '../crypto/hash.ts';
import { CURRENT_TEMPLATES, classifyScript, type ScriptTemplate, type TemplateRules } from './template.ts';

/** The scripts that outputs commit to by hash. Verifies nothing by itself. */
export interface ScriptLookup {
  /** Finds a script by its HASH160. */
  readonly redeemScript: (hash: Uint8Array) => Uint8Array | undefined;
  /** Finds a script by its SHA256. */
  readonly witnessScript: (program: Uint8Array) => Uint8Array | undefined;
}

/** Converts a witness program to a script id, HASH160 of the script. @see Core `CScriptID` */
export const toScriptId = (program: Uint8Array): Uint8Array => ripemd160(program);

export const scriptsById = (findScript: ScriptLookup['redeemScript']): ScriptLookup => ({
  redeemScript: findScript,
  witnessScript: (program) => findScript(toScriptId(program)),
});

/** Looks up scripts of one PSBT map. */
export const matchingScripts = (scripts: {
  readonly redeemScript?: Uint8Array | undefined;
  readonly witnessScript?: Uint8Array | undefined;
}): ScriptLookup => ({
  redeemScript: (hash) => ifHashed(scripts.redeemScript, hash160, hash),
  witnessScript: (program) => ifHashed(scripts.witnessScript, sha256, program),
});

const ifHashed = (
  script: Uint8Array | undefined,
  hash: (bytes: Uint8Array) => Uint8Array,
  expected: Uint8Array,
): Uint8Array | undefined => (script && equalBytes(hash(script), expected) ? script : undefined);

export interface Unwrapped {
  readonly script: Uint8Array;
  readonly template: ScriptTemplate;
  readonly outer: ScriptTemplate;
  /** Of the redeem script, or without one of the scriptPubKey. */
  readonly inner: ScriptTemplate;
  readonly redeemScript: Uint8Array | undefined;
  readonly witnessScript: Uint8Array | undefined;
}

/** Follows P2SH, and P2WSH in it or by itself, to the script that runs. @see BIP16; BIP141 "P2WSH" and "P2SH-P2WSH" */
export function unwrap(
  scriptPubKey: Uint8Array,
  lookup: ScriptLookup,
  templates: TemplateRules = CURRENT_TEMPLATES,
): Unwrapped {
  const outer = classifyScript(scriptPubKey, templates);
  const redeemScript = outer.type === 'scripthash' ? lookup.redeemScript(outer.hash) : undefined;
  const inner = redeemScript ? classifyScript(redeemScript, templates) : outer;
  const witnessScript = inner.type === 'witness_v0_scripthash' ? lookup.witnessScript(inner.program) : undefined;
  return {
    script: witnessScript ?? redeemScript ?? scriptPubKey,
    template: witnessScript ? classifyScript(witnessScript, templates) : inner,
    outer,
    inner,
    redeemScript,
    witnessScript,
  };
}
