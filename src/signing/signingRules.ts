import { CURRENT_TEMPLATES, type TemplateRules } from '../script/template.ts';

/** In what generations of nodes differ when they sign. */
export interface SigningRules {
  readonly templates: TemplateRules;
  /** Whether a compressed key brings its P2WPKH script along, as a redeemScript. */
  readonly knowsKeyHashScripts: boolean;
  /** Larger scripts are forgotten without a word. */
  readonly maxScriptSize: number;
  /** Whether taproot's key path is signed. */
  readonly signsTaproot: boolean;
  /** Whether other P2WSH scripts are satisfied as miniscript. */
  readonly knowsMiniscript: boolean;
  /** Whether a key signs for the taproot output that it is the internal key of, without scripts. @see BIP86 */
  readonly tweaksKeys: boolean;
  /** Whether the final fields of PSBT inputs count without being verified, and hash types are not compared. */
  readonly trustsPsbts: boolean;
  /** Whether PSBT inputs with SIGHASH_SINGLE and no output of their number are signed: for the number one, in legacy. */
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
