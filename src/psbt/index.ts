export { decodePsbtBytes, type PsbtDecodeOptions } from './decode.ts';
export { encodePsbt } from './encode.ts';
export { psbtVersion } from './fields.ts';
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
export {
  determineLocktime,
  toPsbtV0,
  toPsbtV2,
  unsignedTransaction,
} from './version.ts';
