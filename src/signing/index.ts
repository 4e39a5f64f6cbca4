export type { Missing } from './missing.ts';
export { signLowR } from './signature.ts';
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
  type SpentOutput,
  signTransaction,
} from './signTransaction.ts';
