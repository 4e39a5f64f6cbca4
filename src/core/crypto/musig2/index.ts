/** MuSig2. @see BIP327 */
export {
  type AggregateKey,
  aggregateKeys,
  sortPublicKeys,
  type TweakMode,
  tweakAggregateKey,
} from './keyAggregation.ts';
export { aggregateNonces, generateNonce, type Musig2Nonce, type Musig2NonceInput } from './nonces.ts';
export type { SecretNonce } from './secretNonce.ts';
export { type Musig2Session, type Musig2SessionInput, musig2Session } from './session.ts';
export {
  aggregatePartialSignatures,
  type DeterministicSignInput,
  deterministicSign,
  type PartialSignatureInput,
  partialSign,
  verifyPartialSignature,
} from './signing.ts';
