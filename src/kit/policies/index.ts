export {
  proposeWallet,
  type RegisterOptions,
  registerProposal,
  type WalletProposal,
} from './registerWallet.ts';
export { formatRegistration, type RegistrationFormat } from './registration.ts';
export {
  accountFromPolicy,
  type PolicyOptions,
  policyDescriptor,
  policyOf,
  type WalletPolicy,
} from './walletPolicy.ts';
