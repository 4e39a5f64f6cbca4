import { hasHighS } from '../crypto/ecdsa.ts';
import { isEcdsaSighashType, isStrictDer } from '../script/signatureEncoding.ts';
import type { ScriptContext } from './machine.ts';
import type { ScriptError } from './result.ts';

/**
 * Checks the encoding of an ECDSA signature by the rules of the flags. Accepts an empty one, which fails its check without
 * ending the script.
 * @see BIP66; BIP146; Bitcoin Core `CheckSignatureEncoding`
 */
export function signatureFault(signature: Uint8Array, { flags }: ScriptContext): ScriptError | undefined {
  if (signature.length === 0) return undefined;
  const isStrict = flags.has('DERSIG') || flags.has('LOW_S') || flags.has('STRICTENC');
  if (isStrict && !isStrictDer(signature)) return 'SIG_DER';
  if (flags.has('LOW_S') && hasHighS(signature.slice(0, -1))) return 'SIG_HIGH_S';
  const sighashType = signature[signature.length - 1] ?? 0;
  return flags.has('STRICTENC') && !isEcdsaSighashType(sighashType) ? 'SIG_HASHTYPE' : undefined;
}

/**
 * Checks the encoding of a public key by the rules of the flags. Leaves it to the signature check whether the key is on
 * the curve.
 * @see BIP143 "Restrictions on public key type"; Bitcoin Core `CheckPubKeyEncoding`
 */
export function publicKeyFault(publicKey: Uint8Array, { flags, sigVersion }: ScriptContext): ScriptError | undefined {
  const first = publicKey[0];
  const isCompressed = publicKey.length === 33 && (first === 0x02 || first === 0x03);
  const isUncompressed = publicKey.length === 65 && first === 0x04;
  if (flags.has('STRICTENC') && !isCompressed && !isUncompressed) return 'PUBKEYTYPE';
  const isWitness = flags.has('WITNESS_PUBKEYTYPE') && sigVersion === 'witness-v0';
  return isWitness && !isCompressed ? 'WITNESS_PUBKEYTYPE' : undefined;
}
