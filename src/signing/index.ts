export type { Missing } from './missing.ts';
export { createProvider, type Provider, providerOfDescriptors, type SigningKey } from './provider.ts';
export { CURRENT_RULES, type SigningRules } from './rules.ts';
export { signLowR } from './signature.ts';
export {
  type SignedTransaction,
  type SigningOutcome,
  type SignTransactionInput,
  type SpentOutput,
  signTransaction,
} from './signTransaction.ts';
