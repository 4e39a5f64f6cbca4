import { CURRENT_TEMPLATES, type TemplateRules } from '../script/template.ts';

/** How generations of nodes differ when they sign. */
export interface SigningRules {
  readonly templates: TemplateRules;
  /** Whether a compressed key also adds its P2WPKH script as a redeem script. */
  readonly knowsKeyHashScripts: boolean;
  /** In bytes; larger scripts are dropped silently. */
  readonly maxScriptSize: number;
  /** Whether taproot inputs are signed. */
  readonly signsTaproot: boolean;
  /** Whether P2WSH scripts without a template are satisfied as miniscript. */
  readonly knowsMiniscript: boolean;
  /** Whether a key signs for the taproot output whose internal key it is, if that has no scripts. @see BIP86 */
  readonly tweaksKeys: boolean;
  /** Whether final fields of PSBT inputs count without verification, and hash types are not compared. */
  readonly trustsPsbts: boolean;
  /**
   * Whether to sign PSBT inputs with SIGHASH_SINGLE and no output at their index; the legacy digest is the number one.
   */
  readonly signsLoneSingle: boolean;
}

/** The newest Bitcoin Core, and BIP86. */
export const CURRENT_RULES: SigningRules = {
  templates: CURRENT_TEMPLATES,
  knowsKeyHashScripts: false,
  maxScriptSize: Number.POSITIVE_INFINITY,
  signsTaproot: true,
  knowsMiniscript: true,
  tweaksKeys: true,
  trustsPsbts: false,
  signsLoneSingle: false,
};
