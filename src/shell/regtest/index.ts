export type { RefusalReason } from '../../node/mempool/plannedRefusals.ts';
export type { AccountKeys, RegtestAccount } from './accounts.ts';
export type { CongestionTerms } from './congestion.ts';
export type { Refusal } from './faults.ts';
export type { ImpersonatedCoin, Impersonation, SendOptions } from './impersonation.ts';
export type { DoubleSpend, FeeSpike, WithheldBlocks } from './incidents.ts';
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
