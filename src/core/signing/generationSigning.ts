import { type ByGeneration, byGeneration } from '../generations.ts';
import { MAX_SCRIPT_ELEMENT_SIZE } from '../script/instructions.ts';

export interface GenerationSigningRules {
  /** In 0.21, a compressed key brings its P2WPKH script along as a redeemScript; in Core 29, the caller gives it. */
  readonly knowsKeyHashScripts: boolean;
  /** In bytes: 0.21 drops a larger one without an error. */
  readonly maxScriptSize: number;
  readonly signsTaproot: boolean;
  /** Core 30 keeps the records of MuSig2, but signs with none. @see BIP327 */
  readonly signsMusig2: boolean;
  /** Core 31 adds the origin of a taproot output key to a PSBT, too, earlier ones that of an internal key only. */
  readonly namesOutputKeys: boolean;
  /** Drops previous transactions from PSBTs whose taproot signatures commit to all amounts. */
  readonly dropsTransactions: boolean;
  /** Satisfies P2WSH scripts without a template. */
  readonly knowsMiniscript: boolean;
  /** 0.21 takes final fields of PSBT inputs without verifying them. */
  readonly trustsPsbts: boolean;
  /** Core 30 refuses an input whose record or signatures have another sighash type. */
  readonly comparesSighashTypes: boolean;
  /** Core 30 writes the sighash type of an input into the PSBT unless it is the usual one. */
  readonly writesSighashTypes: boolean;
}

export const signingRules: ByGeneration<GenerationSigningRules> = byGeneration<GenerationSigningRules>({
  'core-0.21': {
    knowsKeyHashScripts: true,
    maxScriptSize: MAX_SCRIPT_ELEMENT_SIZE,
    signsTaproot: false,
    signsMusig2: false,
    namesOutputKeys: false,
    dropsTransactions: false,
    knowsMiniscript: false,
    trustsPsbts: true,
    comparesSighashTypes: false,
    writesSighashTypes: false,
  },
  'core-29': {
    knowsKeyHashScripts: false,
    maxScriptSize: 0xffff_ffff,
    signsTaproot: true,
    dropsTransactions: true,
    knowsMiniscript: true,
    trustsPsbts: false,
  },
  'core-30': { writesSighashTypes: true, comparesSighashTypes: true },
  'core-31': { signsMusig2: true, namesOutputKeys: true },
});
