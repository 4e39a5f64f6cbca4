export { createEcc, type Ecc, type EccPrimitives, type KeyPair, type TweakedKey } from './ecc.ts';
export { encodeDer } from './ecdsa.ts';
export { nobleEcc } from './nobleEcc.ts';
export { createSignatureCache, rememberSignatures, type SignatureCache } from './signatureCache.ts';
