import { byteName, equalBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { hash160 } from '../crypto/hash.ts';
import { BtcError } from '../errors.ts';
import type { EcdsaVersion } from '../interpreter/checker.ts';
import type { EcdsaDigest } from '../interpreter/transactionChecker.ts';
import type { Existing } from './extract.ts';
import type { Missing } from './missing.ts';
import type { Provider } from './provider.ts';
import { ecdsaItem, schnorrItem, signLowR } from './signature.ts';

/** One input while it is being solved: what is known for it, what was signed, and what turned out to be missing. */
export interface InputSigner {
  readonly provider: Provider;
  readonly existing: Existing;
  readonly ecc: Ecc;
  /** Its byte for ECDSA, where DEFAULT is ALL. */
  readonly ecdsaType: number;
  readonly schnorrType: number;
  readonly auxRand: Uint8Array;
  readonly digestOf: EcdsaDigest;
  /** `undefined` where not all coins are known. */
  readonly schnorrDigest: () => Uint8Array | undefined;
  readonly isMet: (kind: 'older' | 'after', lock: number) => boolean;
  /** Whether segwit's digest can be made: its amount is one that can be. */
  readonly hasAmount: boolean;
  /** The scripts that the input shows, until others are found for it. */
  readonly wrappers: { redeemScript: Uint8Array; witnessScript: Uint8Array };
  readonly signed: Uint8Array[];
  readonly missing: Missing[];
}

/** The public key of a hash: of a signature that is there, or that can be made. */
export function publicKeyOfHash({ existing, provider }: InputSigner, hash: Uint8Array): Uint8Array | undefined {
  return existing.signatures.get(byteName(hash))?.publicKey ?? provider.key(hash)?.publicKey;
}

/** The script of a hash: one that was given, else one around this one, or that the input showed. */
export function scriptOfHash({ provider, wrappers }: InputSigner, hash: Uint8Array): Uint8Array | undefined {
  const isWanted = (script: Uint8Array): boolean => equalBytes(hash160(script), hash);
  return provider.script(hash) ?? [wrappers.redeemScript, wrappers.witnessScript].find(isWanted);
}

/**
 * A signature of a key for a script, with its hash type: the one that is there, whatever its type, else a new one.
 * @see Bitcoin Core `CreateSig`
 */
export function signatureOf(
  signer: InputSigner,
  publicKey: Uint8Array,
  scriptCode: Uint8Array,
  sigVersion: EcdsaVersion,
): Uint8Array | undefined {
  const hash = hash160(publicKey);
  const known = signer.existing.signatures.get(byteName(hash));
  if (known) return known.signature;
  const key = signer.provider.key(hash);
  if (!key) {
    signer.missing.push({ kind: 'private-key', publicKey });
    return undefined;
  }
  if (sigVersion === 'witness-v0' && key.publicKey.length !== 33) {
    signer.missing.push({ kind: 'compressed-key', publicKey });
    return undefined;
  }
  if (sigVersion === 'witness-v0' && !signer.hasAmount) {
    signer.missing.push({ kind: 'amount' });
    return undefined;
  }
  const digest = signer.digestOf(scriptCode, signer.ecdsaType, sigVersion);
  const signature = signLowR(signer.ecc, digest, key.secretKey);
  if (!signer.ecc.isOwnEcdsa(signature, digest, key)) throw new BtcError('ecc/fault', {});
  const item = ecdsaItem(signature, signer.ecdsaType);
  signer.existing.signatures.set(byteName(hash), { publicKey, signature: item });
  signer.signed.push(publicKey);
  return item;
}

/** A signature for taproot's key path. @see Bitcoin Core `CreateSchnorrSig` */
export function keyPathSignature(signer: InputSigner, outputKey: Uint8Array): Uint8Array | undefined {
  const secretKey = signer.provider.taprootKey(outputKey);
  if (!secretKey) {
    signer.missing.push({ kind: 'output-key', outputKey });
    return undefined;
  }
  const digest = signer.schnorrDigest();
  if (!digest) {
    signer.missing.push({ kind: 'other-coins' });
    return undefined;
  }
  const signature = signer.ecc.signSchnorr(digest, secretKey, signer.auxRand);
  const key = { secretKey, publicKey: outputKey };
  if (!signer.ecc.isOwnSchnorr(signature, digest, key)) throw new BtcError('ecc/fault', {});
  signer.signed.push(outputKey);
  return schnorrItem(signature, signer.schnorrType);
}
