import { concatBytes, equalBytes, xorBytes } from '../bytes/compare.ts';
import { parseHex } from '../bytes/hex.ts';
import { assertLength, assertSecretKey, type Ecc, isScalar, signatureFault } from './ecc.ts';
import { taggedHash } from './hash.ts';
import { pointsOf } from './noblePoints.ts';
import { pointOr } from './points.ts';
import { isSecretKey, multiplyAdd, negateScalar, reduceScalar } from './scalar.ts';
import { rememberedProof, type SignatureCache } from './signatureCache.ts';

const hashAux = /* @__PURE__ */ taggedHash('BIP0374/aux');
const hashNonce = /* @__PURE__ */ taggedHash('BIP0374/nonce');
const hashChallenge = /* @__PURE__ */ taggedHash('BIP0374/challenge');

/** @see SEC 2 section 2.4.1 */
const SECP256K1_GENERATOR = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

/** Terms that both the proof and its verification take. Points have 33 bytes. */
interface DleqTerms {
  /** B. */
  readonly base: Uint8Array;
  /** G, if it is not that of secp256k1. */
  readonly generator?: Uint8Array;
  /** 32 bytes that the proof commits to. */
  readonly message?: Uint8Array;
}

/** Says that A = a·G and C = a·B for the same a. */
export interface DleqStatement extends DleqTerms {
  /** A. */
  readonly publicKey: Uint8Array;
  /** C. */
  readonly product: Uint8Array;
}

/** The terms and secrets of a proof. */
export interface DleqSecret extends DleqTerms {
  /** a, 32 bytes. */
  readonly secretKey: Uint8Array;
  /** 32 random bytes. */
  readonly auxRand: Uint8Array;
}

/** A product, and the proof of 64 bytes. */
export interface ProvenProduct {
  readonly product: Uint8Array;
  readonly proof: Uint8Array;
}

/**
 * Multiplies a point by a secret key, and proves that it is the key of the public key. The proof is verified.
 * @throws `ecc/secret-key`, `ecc/size`, `ecc/point` if the base or the generator is not a point
 * @see BIP374 "DLEQ Proof Generation"
 */
export function proveProduct(
  { secretKey, auxRand, ...terms }: DleqSecret,
  ecc: Ecc,
  cache?: SignatureCache,
): ProvenProduct {
  assertSecretKey(secretKey);
  assertLength('auxRand', auxRand, 32);
  if (terms.message) assertLength('message', terms.message, 32);
  const { multiplyGenerator, multiplyBase } = arithmeticOf(terms, ecc);
  const product = pointOr('base', multiplyBase(secretKey));
  const publicKey = pointOr('generator', multiplyGenerator(secretKey));
  const masked = xorBytes(secretKey, hashAux(auxRand));
  const nonce = reduceScalar(hashNonce(masked, publicKey, product, ...messageOf(terms)));
  const [r1, r2] = [multiplyGenerator(nonce), multiplyBase(nonce)];
  const statement = { ...terms, publicKey, product };
  if (!r1 || !r2) throw signatureFault();
  const e = challenge(statement, r1, r2);
  const proof = concatBytes(e, multiplyAdd(reduceScalar(e), secretKey, nonce));
  // A hardware fault could produce a proof that reveals the key.
  if (!verifyProduct(proof, statement, ecc, cache)) throw signatureFault();
  return { product, proof };
}

/**
 * Verifies a proof, which takes several multiplications, unless the cache remembers it. Returns false for malformed proofs,
 * points and messages.
 * @see BIP374 "DLEQ Proof Verification"
 */
export function verifyProduct(proof: Uint8Array, statement: DleqStatement, ecc: Ecc, cache?: SignatureCache): boolean {
  const verify = (): boolean => isProof(proof, statement, ecc);
  const { publicKey, base, product, generator, message } = statement;
  // The usual proof has neither, and all parts of one size.
  return cache && !generator && !message ? rememberedProof([publicKey, base, product, proof], verify, cache) : verify();
}

function isProof(proof: Uint8Array, statement: DleqStatement, ecc: Ecc): boolean {
  const { publicKey, product, message } = statement;
  const [e, s] = [proof.slice(0, 32), proof.slice(32)];
  if (!isScalar(s) || (message && message.length !== 32)) return false;
  const { multiplyGenerator, multiplyBase, subtractProduct } = arithmeticOf(statement, ecc);
  const r1 = subtractProduct(multiplyGenerator(s), publicKey, e);
  const r2 = subtractProduct(multiplyBase(s), product, e);
  return r1 !== undefined && r2 !== undefined && equalBytes(challenge(statement, r1, r2), e);
}

function arithmeticOf({ base, generator }: DleqTerms, ecc: Ecc) {
  const points = pointsOf(ecc);
  return {
    multiplyGenerator: (scalar: Uint8Array) =>
      generator ? points.multiply(generator, scalar) : isSecretKey(scalar) ? ecc.publicKey(scalar) : undefined,
    multiplyBase: (scalar: Uint8Array) => points.multiply(base, scalar),
    /** Fails for scalars of 0, with which no proof can be found. */
    subtractProduct: (from: Uint8Array | undefined, point: Uint8Array, scalar: Uint8Array) => {
      const product = points.multiply(point, negateScalar(reduceScalar(scalar)));
      return from && product && points.add([from, product]);
    },
  };
}

const messageOf = ({ message }: DleqTerms): readonly Uint8Array[] => (message ? [message] : []);

function challenge(statement: DleqStatement, r1: Uint8Array, r2: Uint8Array): Uint8Array {
  const { publicKey, base, product, generator = parseHex(SECP256K1_GENERATOR) } = statement;
  return hashChallenge(publicKey, base, product, generator, r1, r2, ...messageOf(statement));
}
