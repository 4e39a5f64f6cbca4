import { etc, Point } from '@noble/secp256k1';
import { concatBytes } from '../bytes/compare.ts';
import { isValidXOnlyPublicKey } from './publicKey.ts';
import { isSecretKey, reduceScalar } from './scalar.ts';

/**
 * Recovers the public key of an ECDSA signature, whose s may be high. Computes with noble whatever library is in use:
 * all of it is public, and not every library can recover keys.
 *
 * - `signature`: 64 bytes, r and s
 * - `recoveryId`: 0 to 3; bit 0 is the parity of y of the nonce's point, bit 1 tells that its x is not below the order
 *
 * @returns 33 bytes, or 65 unless `isCompressed`; `undefined` if there is no such key
 * @see SEC 1 section 4.1.6; libsecp256k1 `secp256k1_ecdsa_recover`
 */
export function recoverPublicKey(
  signature: Uint8Array,
  digest: Uint8Array,
  recoveryId: number,
  isCompressed = true,
): Uint8Array | undefined {
  const [rBytes, sBytes] = [signature.slice(0, 32), signature.slice(32)];
  // Both must be from 1 to the order minus 1, as secret keys are.
  if (!isSecretKey(rBytes) || !isSecretKey(sBytes)) return undefined;
  // In the function, since bundlers keep what a module runs when it is loaded.
  const { n: order, p: field } = Point.CURVE();
  const mod = (value: bigint): bigint => etc.mod(value, order);
  const r = etc.bytesToNumberBE(rBytes);
  const x = (recoveryId & 2) === 0 ? r : r + order;
  if (x >= field) return undefined;
  const xBytes = etc.numberToBytesBE(x);
  if (!isValidXOnlyPublicKey(xBytes)) return undefined;
  const nonce = Point.fromBytes(concatBytes(Uint8Array.of(2 + (recoveryId & 1)), xBytes));
  const inverse = etc.invert(r, order);
  const ofDigest = mod(-etc.bytesToNumberBE(reduceScalar(digest)) * inverse);
  const product = nonce.multiplyUnsafe(mod(etc.bytesToNumberBE(sBytes) * inverse));
  const key = ofDigest === 0n ? product : product.add(Point.BASE.multiplyUnsafe(ofDigest));
  return key.is0() ? undefined : Point.fromAffine(key.toAffine()).toBytes(isCompressed);
}
