export { type CombineOptions, combineTransactions } from './combineTransactions.ts';
export { signLowR } from './keySigner.ts';
export type { Missing } from './signatureData.ts';
export {
  createDescriptorProvider,
  createSigningProvider,
  type SigningKey,
  type SigningProvider,
} from './signingProvider.ts';
export { CURRENT_RULES, type SigningRules } from './signingRules.ts';
export {
  type SignedTransaction,
  type SigningOutcome,
  type SignTransactionInput,
  signTransaction,
} from './signTransaction.ts';
export type { SpentOutput } from './txContext.ts';
