import { type ByGeneration, byGeneration } from '../generations.ts';
import { MAX_SCRIPT_ELEMENT_SIZE } from '../script/instructions.ts';

/** Rules by which keys and scripts sign inputs. */
export interface GenerationSigningRules {
  /** In 0.21, a compressed key brings its P2WPKH script along as a redeemScript; in Core 31, the caller gives it. */
  readonly knowsKeyHashScripts: boolean;
  /** The largest script kept, in bytes: 0.21 drops a larger one without an error; Core 31 keeps any. */
  readonly maxScriptSize: number;
  /** Core 31 signs key path and leaves of taproot outputs; 0.21 does not. */
  readonly signsTaproot: boolean;
  /** Core 31 satisfies P2WSH scripts without a template as miniscript; 0.21 does not. */
  readonly knowsMiniscript: boolean;
  /** 0.21 takes final fields of PSBT inputs without verifying them, and compares no sighash types; Core 31 does both. */
  readonly trustsPsbts: boolean;
  /** Core 31 writes the sighash type of an input into the PSBT unless it is the usual one; 0.21 never writes it. */
  readonly writesSighashTypes: boolean;
}

/** The signing of Core 31. */
export const CORE_31_SIGNING: GenerationSigningRules = {
  knowsKeyHashScripts: false,
  maxScriptSize: 0xffff_ffff,
  signsTaproot: true,
  knowsMiniscript: true,
  trustsPsbts: false,
  writesSighashTypes: true,
};

/** The rows of {@link GenerationSigningRules}. */
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
