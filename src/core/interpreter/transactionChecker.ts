import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { consensusVerifier } from '../crypto/ecdsa.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { legacySighash } from '../sighash/legacy.ts';
import { inputAt, resolveMidstate, type SighashMidstate } from '../sighash/midstate.ts';
import { segwitV0Sighash } from '../sighash/segwitV0.ts';
import { isTaprootSighashType, outputMode, SIGHASH } from '../sighash/sighashType.ts';
import { taprootSighash } from '../sighash/taproot.ts';
import { LOCKTIME_THRESHOLD, SEQUENCE_FINAL } from '../tx/absoluteLock.ts';
import { getRelativeLock, parseRelativeLock } from '../tx/relativeLock.ts';
import type { Transaction, TxIn, TxOut } from '../tx/types.ts';
import type { EcdsaVersion, SignatureChecker, TaprootCheck } from './checker.ts';
import type { Watch } from './machine.ts';

/** The input whose signatures and locks are checked. */
export interface TransactionCheckerInput {
  readonly tx: Transaction;
  /** 0-based. */
  readonly inputIndex: number;
  /** Of the output being spent, in satoshi. */
  readonly value: bigint;
  /** One per input. Without them, Schnorr signatures fail with SCHNORR_SIG_HASHTYPE, as in Core. */
  readonly prevouts?: readonly TxOut[];
  readonly midstate?: SighashMidstate;
  readonly ecc?: Ecc;
}

const CHECKER_INPUT: OptionNames<TransactionCheckerInput> = {
  tx: 'needed',
  inputIndex: 'needed',
  value: 'needed',
  prevouts: true,
  midstate: true,
  ecc: true,
};

/**
 * Creates the signature checker for one input.
 * @throws `sighash/input-index`, `sighash/prevouts`, `sighash/midstate`
 * @see Core `TransactionSignatureChecker`
 */
export function transactionChecker(options: TransactionCheckerInput): SignatureChecker {
  assertKnownOptions(options, CHECKER_INPUT);
  return createChecker(options);
}

export function createChecker(options: TransactionCheckerInput, watch?: Watch): SignatureChecker {
  const { tx, inputIndex, ecc = nobleEcc } = options;
  const input = inputAt(tx, inputIndex);
  const midstate = resolveMidstate(options);
  const computeDigest = ecdsaDigests({ ...options, midstate });
  const verifyEcdsa = consensusVerifier(ecc);
  return {
    checkEcdsa: (signature, publicKey, scriptCode, sigVersion) => {
      const sighashType = signature[signature.length - 1];
      if (sighashType === undefined) return false;
      const digest = computeDigest(scriptCode, sighashType, sigVersion);
      watch?.digest(digest, scriptCode);
      return verifyEcdsa(signature.slice(0, -1), digest, publicKey);
    },
    checkSchnorr: (signature, publicKey, check) => {
      if (signature.length !== 64 && signature.length !== 65) return 'SCHNORR_SIG_SIZE';
      const digest = schnorrDigest({ ...options, midstate }, signature[64], check);
      if (!digest) return 'SCHNORR_SIG_HASHTYPE';
      watch?.digest(digest);
      return ecc.verifySchnorr(signature.slice(0, 64), digest, publicKey) ? undefined : 'SCHNORR_SIG';
    },
    checkLockTime: (locktime) => meetsLockTime(tx, input, locktime),
    checkSequence: (sequence) => meetsSequence(tx, input, sequence),
  };
}

export type EcdsaDigest = (scriptCode: Uint8Array, sighashType: number, sigVersion: EcdsaVersion) => Uint8Array;

type Checked = TransactionCheckerInput & { readonly midstate: SighashMidstate };

export function ecdsaDigests({ tx, inputIndex, value, midstate }: Omit<Checked, 'prevouts' | 'ecc'>): EcdsaDigest {
  return (scriptCode, sighashType, sigVersion) => {
    const digestInput = { tx, inputIndex, scriptCode, sighashType, midstate };
    return sigVersion === 'base' ? legacySighash(digestInput) : segwitV0Sighash({ value, ...digestInput });
  };
}

/** Refuses DEFAULT as the 65th byte of a signature, `typeByte`: 64 bytes express it. */
function schnorrDigest(
  { tx, inputIndex, prevouts, midstate }: Checked,
  typeByte: number | undefined,
  { annex, tapscript }: TaprootCheck,
): Uint8Array | undefined {
  const sighashType = typeByte ?? SIGHASH.DEFAULT;
  if (typeByte === SIGHASH.DEFAULT || !isTaprootSighashType(sighashType) || !prevouts) return undefined;
  if (outputMode(sighashType) === 'single' && inputIndex >= tx.outputs.length) return undefined;
  const place = { ...(annex && { annex }), ...(tapscript && { tapscript }) };
  return taprootSighash({ tx, inputIndex, prevouts, sighashType, midstate, ...place });
}

/** @see BIP65; Core `CheckLockTime` */
function meetsLockTime(tx: Transaction, input: TxIn, locktime: number): boolean {
  const isSameKind = tx.locktime < LOCKTIME_THRESHOLD === locktime < LOCKTIME_THRESHOLD;
  return isSameKind && locktime <= tx.locktime && input.sequence !== SEQUENCE_FINAL;
}

/** Compares only the bits of BIP68. @see BIP112; Core `CheckSequence` */
function meetsSequence(tx: Transaction, input: TxIn, sequence: number): boolean {
  const has = getRelativeLock(tx, input);
  const wants = parseRelativeLock(sequence);
  return has !== undefined && has.kind === wants.kind && wants.value <= has.value;
}

export const meetsLock = (
  tx: Transaction,
  input: TxIn,
  { kind, lock }: { readonly kind: 'older' | 'after'; readonly lock: number },
): boolean => (kind === 'older' ? meetsSequence : meetsLockTime)(tx, input, lock);
