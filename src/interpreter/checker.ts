import type { TapscriptPlace } from '../sighash/taproot.ts';
import type { ScriptError } from './result.ts';

/** Which rules a script runs under, and which digest its signatures sign. @see Bitcoin Core `SigVersion` */
export type SigVersion = 'base' | 'witness-v0' | 'tapscript';

/** Those of them that have ECDSA signatures. */
export type EcdsaVersion = Exclude<SigVersion, 'tapscript'>;

/** A taproot signature check: the annex of the spend, and the leaf if a script is run. */
export interface TaprootCheck {
  readonly annex: Uint8Array | undefined;
  readonly tapscript?: TapscriptPlace;
}

/**
 * What a script asks about the transaction that it stands in. Encodings have been checked as far as flags say; none of
 * these throws for what a script holds.
 * @see Bitcoin Core `BaseSignatureChecker`
 */
export interface SignatureChecker {
  /** Whether an ECDSA signature with its hash type byte is valid for a key. */
  readonly checkEcdsa: (
    signature: Uint8Array,
    publicKey: Uint8Array,
    scriptCode: Uint8Array,
    sigVersion: EcdsaVersion,
  ) => boolean;
  /** What is wrong with a Schnorr signature of 64 or 65 bytes, if anything. */
  readonly checkSchnorr: (signature: Uint8Array, publicKey: Uint8Array, check: TaprootCheck) => ScriptError | undefined;
  /** Whether the transaction cannot be mined before this height or time. @see BIP65 */
  readonly checkLockTime: (locktime: number) => boolean;
  /** Whether the input cannot be spent before its coin has this age. @see BIP112 */
  readonly checkSequence: (sequence: number) => boolean;
}
