export { type CombineTransactionsOptions, combineTransactions } from './combineTransactions.ts';
export type { KeySignerOptions } from './keySigner.ts';
export type { SessionOptions } from './sessionOptions.ts';
export type { ShareSignerOptions } from './shareSigner.ts';
export type { Missing } from './signatureData.ts';
export {
  createDescriptorProvider,
  createSigningProvider,
  type DescriptorProviderOptions,
  type SigningKey,
  type SigningProvider,
  type SigningProviderOptions,
} from './signingProvider.ts';
export type { SigningRules } from './signingRules.ts';
export {
  type SignedTransaction,
  type SigningOutcome,
  type SignTransactionInput,
  signTransaction,
} from './signTransaction.ts';
export type { SpentOutput } from './txContext.ts';
