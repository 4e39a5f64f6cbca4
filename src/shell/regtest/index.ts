export type { AccountKeys, RegtestAccount } from './accounts.ts';
export type { CongestionTerms } from './congestion.ts';
export type { Refusal } from './faults.ts';
export type { EsploraOptions, Listening, ListenOptions, RpcListening } from './listen.ts';
export {
  type FundOptions,
  type Payment,
  type Regtest,
  type RegtestOptions,
  type Snapshot,
  startRegtest,
} from './startRegtest.ts';
export type { RegtestWallet } from './wallet.ts';
