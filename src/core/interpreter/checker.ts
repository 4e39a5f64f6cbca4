import type { TapscriptPlace } from '../sighash/taproot.ts';
import type { ScriptError } from './result.ts';

/** The rules under which a script runs, which also determine its signature digest. @see Bitcoin Core `SigVersion` */
export type SigVersion = 'base' | 'witness-v0' | 'tapscript';

/** The versions with ECDSA signatures. */
export type EcdsaVersion = Exclude<SigVersion, 'tapscript'>;

/** The context of a Schnorr signature check: the annex and, in the script path, the leaf. */
export interface TaprootCheck {
  readonly annex: Uint8Array | undefined;
  readonly tapscript?: TapscriptPlace;
}

/**
 * The checks of a script that depend on the transaction. The interpreter has already checked encodings as the flags
 * require. No script or witness makes these functions throw.
 * @see Bitcoin Core `BaseSignatureChecker`
 */
export interface SignatureChecker {
  /** Tells whether an ECDSA signature, which ends in its hash type byte, is valid for a key. */
  readonly checkEcdsa: (
    signature: Uint8Array,
    publicKey: Uint8Array,
    scriptCode: Uint8Array,
    sigVersion: EcdsaVersion,
  ) => boolean;
  /** Returns the error of a Schnorr signature, which must have 64 or 65 bytes; `undefined` if it is valid. */
  readonly checkSchnorr: (signature: Uint8Array, publicKey: Uint8Array, check: TaprootCheck) => ScriptError | undefined;
  /** Tells whether the transaction's lock time satisfies OP_CHECKLOCKTIMEVERIFY with this height or time. @see BIP65 */
  readonly checkLockTime: (locktime: number) => boolean;
  /** Tells whether the input's sequence satisfies OP_CHECKSEQUENCEVERIFY with this relative lock time. @see BIP112 */
  readonly checkSequence: (sequence: number) => boolean;
}
