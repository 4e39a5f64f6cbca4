export {
  type EcdsaRequest,
  type KeySignerOptions,
  keySigner,
  type SchnorrRequest,
  type SignatureRequest,
  type Signer,
} from '../signing/keySigner.ts';
export type { SessionOptions } from '../signing/sessionOptions.ts';
export {
  type ShareKey,
  type ShareRequest,
  type ShareSigner,
  type ShareSignerOptions,
  shareSigner,
} from '../signing/shareSigner.ts';
export type { PsbtDecodeOptions } from './format/decodePsbt.ts';
export { encodePsbt, formatPsbt } from './format/encodePsbt.ts';
export { type InputCoin, inputCoin } from './format/inputCoin.ts';
export { type AnyPsbt, parsePsbt } from './format/parsePsbt.ts';
export type {
  HashPreimage,
  KeyOrigin,
  Musig2Participants,
  Musig2Signer,
  ProprietaryRecord,
  Psbt,
  PsbtGeneration,
  PsbtGlobal,
  PsbtInput,
  PsbtOutput,
  SilentPaymentProof,
  SilentPaymentShare,
  TapKeyOrigin,
  UnknownRecord,
} from './format/types.ts';
export {
  determineLocktime,
  toPsbtV0,
  toPsbtV2,
  unsignedTransaction,
} from './format/version.ts';
export { type PsbtSighashOptions, psbtSighash } from './psbtSighash.ts';
export {
  type AnalyzeOptions,
  analyzePsbt,
  type InputAnalysis,
  type PsbtAnalysis,
  type PsbtRole,
} from './roles/analyzer.ts';
export { type CombinedPsbt, type Conflict, combinePsbts } from './roles/combiner.ts';
export { addInput, addOutput, removeInput, removeOutput } from './roles/constructor.ts';
export { type CreatePsbtOptions, createPsbt } from './roles/creator.ts';
export { extractHex, extractTransaction } from './roles/extractor.ts';
export { type FinalizedInput, type FinalizedPsbt, type FinalizeOptions, finalizePsbt } from './roles/finalizer.ts';
export { type JoinPsbtsOptions, joinPsbts } from './roles/joiner.ts';
export {
  addNonce,
  addPartialSignature,
  isPartialSignatureValid,
  type Musig2Share,
  musig2Shares,
  type NonceOptions,
} from './roles/musig2Signer.ts';
export {
  addStoredNonce,
  addStoredPartialSignature,
  type NonceStore,
  type StoredNonceOptions,
} from './roles/musig2Stored.ts';
export {
  applySignature,
  type SignedInput,
  type SignedPsbt,
  type SignOptions,
  signingRequests,
} from './roles/signer.ts';
export { type UpdateOptions, updatePsbt } from './roles/updater.ts';
export { openSession, type PsbtSession } from './session.ts';
export type { SignatureCause, SignatureVerdict, UnverifiableReason } from './signatureVerifier.ts';
export type { SilentPaymentFault } from './silentPayments/faults.ts';
export { addSilentPaymentShares } from './silentPayments/shares.ts';
export { type SilentPayment, type SilentPaymentOptions, verifySilentPayments } from './silentPayments/verify.ts';
