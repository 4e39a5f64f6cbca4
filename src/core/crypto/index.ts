export { createEcc, type Ecc, type EccPrimitives, type KeyPair, type TweakedKey } from './ecc.ts';
export type { EccOption } from './eccOption.ts';
export { encodeDer } from './ecdsa.ts';
export {
  type AggregateKey,
  aggregateKeys,
  aggregateNonces,
  aggregatePartialSignatures,
  type DeterministicSignInput,
  deterministicSign,
  generateNonce,
  type Musig2Nonce,
  type Musig2NonceInput,
  type Musig2Session,
  type Musig2SessionInput,
  musig2Session,
  type PartialSignatureInput,
  partialSign,
  type SecretNonce,
  sortPublicKeys,
  type TweakMode,
  tweakAggregateKey,
  verifyPartialSignature,
} from './musig2/index.ts';
export { nobleEcc } from './nobleEcc.ts';
export {
  createSignatureCache,
  type SignatureCache,
  type SignatureCacheOptions,
  withSignatureCache,
} from './signatureCache.ts';
