export type { ReviewOptions } from '../review/reviewPsbt.ts';
export type { SessionOptions } from '../signing/sessionOptions.ts';
export type { FinishedPsbt, PsbtOptions, SignedByAccount, SigningOptions } from './job.ts';
export type { OpenReason } from './openReason.ts';
export { type InputProgress, progressText } from './progress.ts';
export { deriveForPsbt, signPsbt } from './signPsbt.ts';
