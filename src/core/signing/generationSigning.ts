import { type ByGeneration, byGeneration } from '../generations.ts';
import { MAX_SCRIPT_ELEMENT_SIZE } from '../script/instructions.ts';

export interface GenerationSigningRules {
  /** In 0.21, a compressed key brings its P2WPKH script along as a redeemScript; in Core 31, the caller gives it. */
  readonly knowsKeyHashScripts: boolean;
  /** In bytes: 0.21 drops a larger one without an error. */
  readonly maxScriptSize: number;
  readonly signsTaproot: boolean;
  /** Satisfies P2WSH scripts without a template. */
  readonly knowsMiniscript: boolean;
  /** 0.21 takes final fields of PSBT inputs without verifying them, and compares no sighash types. */
  readonly trustsPsbts: boolean;
  /** Core 31 writes the sighash type of an input into the PSBT unless it is the usual one. */
  readonly writesSighashTypes: boolean;
}

export const CORE_31_SIGNING: GenerationSigningRules = {
  knowsKeyHashScripts: false,
  maxScriptSize: 0xffff_ffff,
  signsTaproot: true,
  knowsMiniscript: true,
  trustsPsbts: false,
  writesSighashTypes: true,
};

export const signingRules: ByGeneration<GenerationSigningRules> = byGeneration<GenerationSigningRules>({
  'core-0.21': {
    knowsKeyHashScripts: true,
    maxScriptSize: MAX_SCRIPT_ELEMENT_SIZE,
    signsTaproot: false,
    knowsMiniscript: false,
    trustsPsbts: true,
    writesSighashTypes: false,
  },
  'core-31': CORE_31_SIGNING,
});
