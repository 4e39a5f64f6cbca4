import { hmac } from '@noble/hashes/hmac.js';
import { etc, hashes, Point, schnorr, sign, verify } from '@noble/secp256k1';
import { concatBytes, copyBytes, equalBytes } from '../bytes/compare.ts';
import { bip340Signer, computeChallenge } from './bip340.ts';
import { createEcc, type Ecc } from './ecc.ts';
import { sha256 } from './hash.ts';
import { keepPoint, liftKept, liftX } from './noblePoints.ts';
import { isValidXOnlyPublicKey } from './publicKey.ts';
import { multiplyAdd } from './scalar.ts';

hashes.sha256 = sha256;
hashes.hmacSha256 = (key, message) => hmac(sha256, key, message);

const { n: ORDER, p: FIELD } = Point.CURVE();
const EVEN = Uint8Array.of(0x02);

const bytesToNumber = etc.bytesToNumberBE;
const numberToBytes = etc.numberToBytesBE;
const mod = (value: bigint): bigint => etc.mod(value, ORDER);

/** Inverts Z once, which `toBytes` of a projective point does twice. */
const encodePoint = (point: Point, isCompressed = true): Uint8Array =>
  Point.fromAffine(point.toAffine()).toBytes(isCompressed);

const computePublicKey = (secretKey: Uint8Array, isCompressed = true): Uint8Array =>
  encodePoint(Point.BASE.multiply(bytesToNumber(secretKey)), isCompressed);

function evenKey(secretKey: Uint8Array): { secretKey: Uint8Array; x: Uint8Array } {
  const point = computePublicKey(secretKey);
  const isOdd = point[0] === 0x03;
  return {
    secretKey: isOdd ? numberToBytes(ORDER - bytesToNumber(secretKey)) : copyBytes(secretKey),
    x: point.slice(1),
  };
}

/** Tells whether the x of k·G is r modulo the order, without inverting Z. */
function matchesNonce(k: bigint, r: bigint): boolean {
  if (k === 0n) return false;
  const { X, Z } = Point.BASE.multiply(k);
  // The field is larger than the order, so x may be r plus the order.
  return [r, r + ORDER].some((x) => x < FIELD && etc.mod(x * Z - X, FIELD) === 0n);
}

/**
 * Recovers the keys Q with Q·r = R·s - G·z. R and -R give two keys, whose sum is -G·2z/r; a known one saves a
 * multiplication.
 * @see SEC 1 section 4.1.6
 */
function ecdsaKeys(signature: Uint8Array, digest: Uint8Array, validKey?: Uint8Array): readonly Uint8Array[] {
  const [r, s] = [bytesToNumber(signature.slice(0, 32)), bytesToNumber(signature.slice(32))];
  const inverse = etc.invert(r, ORDER);
  if (validKey && r + ORDER >= FIELD) {
    const key = Point.fromBytes(validKey);
    const other = key.add(Point.BASE.multiplyUnsafe(mod(2n * bytesToNumber(digest) * inverse))).negate();
    return [key, other].filter((point) => !point.is0()).map((point) => encodePoint(point));
  }
  const base = Point.BASE.multiplyUnsafe(mod(-bytesToNumber(digest) * inverse));
  const nonces = [r, r + ORDER].filter((x) => x < FIELD).map(numberToBytes);
  return nonces.filter(isValidXOnlyPublicKey).flatMap((x) => {
    const product = liftX(x).multiplyUnsafe(mod(s * inverse));
    const keys = [base.add(product), base.add(product.negate())];
    return keys.filter((key) => !key.is0()).map((key) => encodePoint(key));
  });
}

/** The default backend, @noble/secp256k1: plain JavaScript that runs everywhere. */
export const nobleEcc: Ecc = /* @__PURE__ */ createEcc({
  publicKey: computePublicKey,
  verifyEcdsa: (signature, digest, publicKey) => verify(signature, digest, publicKey, { prehash: false }),
  verifySchnorr: schnorr.verify,
  signEcdsa: (digest, secretKey, extraEntropy) =>
    sign(digest, secretKey, { prehash: false, ...(extraEntropy && { extraEntropy }) }),
  signSchnorr: /* @__PURE__ */ bip340Signer({ evenKey, multiplyAdd }),
  // With the secret key d, the verifier's u1·G + u2·Q is (u1 + u2·d)·G: one multiplication, of the generator.
  isOwnEcdsa: (signature, digest, secretKey) => {
    const [r, s] = [bytesToNumber(signature.slice(0, 32)), bytesToNumber(signature.slice(32))];
    return matchesNonce(mod((bytesToNumber(digest) + r * bytesToNumber(secretKey)) * etc.invert(s, ORDER)), r);
  },
  isOwnSchnorr: (signature, message, secretKey) => {
    const [r, s] = [signature.slice(0, 32), bytesToNumber(signature.slice(32))];
    const key = evenKey(secretKey);
    const k = mod(s - bytesToNumber(computeChallenge(r, key.x, message)) * bytesToNumber(key.secretKey));
    return k !== 0n && equalBytes(encodePoint(Point.BASE.multiply(k)), concatBytes(EVEN, r));
  },
  ecdsaKeys,
  tweakPublicKey: (publicKey, tweak) => {
    const t = bytesToNumber(tweak);
    const internal = liftKept(publicKey);
    const sum = t === 0n ? internal : internal.add(Point.BASE.multiply(t));
    if (sum.is0()) return undefined;
    const bytes = keepPoint(sum);
    return { publicKey: bytes.slice(1), parity: bytes[0] === 0x03 ? 1 : 0 };
  },
  tweakSecretKey: (secretKey, tweak) => {
    const sum = mod(bytesToNumber(evenKey(secretKey).secretKey) + bytesToNumber(tweak));
    return sum === 0n ? undefined : numberToBytes(sum);
  },
});
