export type { PsbtOptions, SigningOptions } from '../../core/job/job.ts';
export type { Account, AccountAddress, KnownOutput } from './account.ts';
export {
  type AccountOptions,
  accountFromDescriptors,
  accountFromKey,
  accountFromWords,
  type KeyAccountOptions,
  type Purpose,
  type WordsAccountOptions,
} from './accountKeys.ts';
export { accountFromWalletFile, type WalletFileAccountOptions } from './accountWalletFile.ts';
export type { BuildOptions, BuildOutput, SpendInput } from './buildOptions.ts';
export { buildPsbt } from './buildPsbt.ts';
export { type QuorumOptions, quorumDescriptor } from './quorum.ts';
export type { ShownBlock } from './shownBlock.ts';
export { type Holding, reviewWith, signWith, updateWith } from './signWith.ts';
export {
  type SilentPaymentAccount,
  type SilentPaymentAccountOptions,
  type SilentPaymentChange,
  type SilentPaymentCoin,
  type SilentPaymentOutput,
  type SilentPaymentWordsOptions,
  silentPaymentsFromDescriptor,
  silentPaymentsFromWords,
} from './silentPaymentAccount.ts';
export { type TapBranches, type TaprootOutputOptions, taprootOutput } from './taprootOutput.ts';
export { parseWalletFile, type WalletFileOptions } from './walletFiles/parseWalletFile.ts';
export type { MultisigScript, SignerKey, WalletFile, WalletFileFormat } from './walletFiles/walletFile.ts';
