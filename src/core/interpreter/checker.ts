import type { TapscriptPlace } from '../sighash/taproot.ts';
import type { ScriptError } from './result.ts';

/** The rules under which a script runs, which also determine its signature digest. @see Core `SigVersion` */
export type SigVersion = 'base' | 'witness-v0' | 'tapscript';

export type EcdsaVersion = Exclude<SigVersion, 'tapscript'>;

/** The annex and, in the script path, the leaf of a Schnorr signature. */
export interface TaprootCheck {
  readonly annex: Uint8Array | undefined;
  readonly tapscript?: TapscriptPlace;
}

/**
 * The checks that depend on the transaction. The interpreter has checked encodings as the flags require; no script or
 * witness makes these functions throw.
 * @see Core `BaseSignatureChecker`
 */
export interface SignatureChecker {
  /** The signature ends in its hash type byte. */
  readonly checkEcdsa: (
    signature: Uint8Array,
    publicKey: Uint8Array,
    scriptCode: Uint8Array,
    sigVersion: EcdsaVersion,
  ) => boolean;
  /** Returns the error of a signature, which must have 64 or 65 bytes; `undefined` if it is valid. */
  readonly checkSchnorr: (signature: Uint8Array, publicKey: Uint8Array, check: TaprootCheck) => ScriptError | undefined;
  /** OP_CHECKLOCKTIMEVERIFY. @see BIP65 */
  readonly checkLockTime: (locktime: number) => boolean;
  /** OP_CHECKSEQUENCEVERIFY. @see BIP112 */
  readonly checkSequence: (sequence: number) => boolean;
}
