export { type AnalyzeOptions, analyzePsbt, type InputAnalysis, type PsbtAnalysis, type PsbtRole } from './analyzer.ts';
export { answerWithKeys } from './answerer.ts';
export { asNodeWrites, inNodeOrder } from './canonical.ts';
export { type InputCoin, inputCoin } from './coins.ts';
export { type CombinedPsbt, type Conflict, combinePsbts } from './combiner.ts';
export { addInput, addOutput, removeInput, removeOutput } from './constructor.ts';
export { createPsbt } from './creator.ts';
export { decodePsbtBytes, type PsbtDecodeOptions } from './decode.ts';
export { encodePsbt } from './encode.ts';
export { extractTransaction } from './extractor.ts';
export { psbtVersion } from './fields.ts';
export { type FinalizedPsbt, type FinalizeOptions, finalizePsbt } from './finalizer.ts';
export { joinPsbts } from './joiner.ts';
export {
  addNonce,
  addPartialSignature,
  isPartialSignatureValid,
  type Musig2Share,
  musig2Shares,
} from './musig2.ts';
export type { EcdsaRequest, SchnorrRequest, SignatureRequest } from './requests.ts';
export * from './review/index.ts';
export { openSession, type PsbtSession, type SessionOptions } from './session.ts';
export { psbtSighash } from './sighash.ts';
export { deriveForPsbt, signPsbt } from './sign.ts';
export {
  type Answerer,
  applySignature,
  type SignedInput,
  type SignedPsbt,
  type SignOptions,
  signingRequests,
} from './signer.ts';
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
} from './types.ts';
export { type UpdateOptions, updatePsbt } from './updater.ts';
export {
  determineLocktime,
  toPsbtV0,
  toPsbtV2,
  unsignedTransaction,
} from './version.ts';
