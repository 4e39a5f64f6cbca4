import { etc, Point } from '@noble/secp256k1';
import { concatBytes } from '../bytes/compare.ts';
import { isValidXOnlyPublicKey } from './publicKey.ts';
import { isSecretKey, reduceScalar } from './scalar.ts';

interface Recovery {
  /** Bit 0 is the parity of the nonce's y; bit 1 is set if its x is not below the order. */
  readonly recoveryId: number;
  /** Default true. */
  readonly isCompressed?: boolean;
}

/**
 * Recovers a public key; s may be high. Computes with noble, since not every library can.
 * @see SEC 1 section 4.1.6; libsecp256k1 `secp256k1_ecdsa_recover`
 */
export function recoverPublicKey(
  signature: Uint8Array,
  digest: Uint8Array,
  { recoveryId, isCompressed = true }: Recovery,
): Uint8Array | undefined {
  const [rBytes, sBytes] = [signature.slice(0, 32), signature.slice(32)];
  if (!isSecretKey(rBytes) || !isSecretKey(sBytes)) return undefined;
  // Not outside the function, as bundlers keep what a module runs when it is loaded.
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
