import type { Descriptor } from '../../../core/descriptors/types.ts';
import type { KeyOrigin } from '../../../core/keys/path.ts';
import type { Outpoint, Transaction, Txid } from '../../../core/tx/types.ts';
import type { OutputKind, Side } from '../keys/activeDescriptors.ts';
import type { SeedTerms } from '../keys/hdSeeds.ts';
import type { SealedMasterKey, SealedSecret } from '../keys/sealedSecrets.ts';
import type { StoredSecret } from '../keys/vault.ts';
import type { ScanRange } from './chainSync.ts';
import type { BlockPlace } from './walletRow.ts';
import type { TxNotes } from './walletTx.ts';

interface StoredKey<S = StoredSecret> {
  readonly publicKey: Uint8Array;
  readonly secret: S;
}

/** Timestamps are UNIX times; scripts are scriptPubKeys unless stated otherwise. */
export type WalletEvent =
  | (StoredKey & { readonly type: 'key'; readonly timestamp: number })
  /** `script`: a redeem or witness script. */
  | { readonly type: 'script'; readonly script: Uint8Array; readonly timestamp?: number }
  | { readonly type: 'public-key'; readonly publicKey: Uint8Array; readonly timestamp: number }
  | { readonly type: 'origin'; readonly publicKey: Uint8Array; readonly origin: KeyOrigin }
  | { readonly type: 'watch'; readonly script: Uint8Array; readonly timestamp: number }
  /** `purpose`: by default `receive`. */
  | { readonly type: 'label'; readonly script: Uint8Array; readonly label: string; readonly purpose?: 'send' }
  | {
      readonly type: 'descriptor';
      /** Without private keys. */
      readonly descriptor: Descriptor;
      readonly normalized: Descriptor;
      readonly secrets: readonly StoredKey[];
      readonly timestamp: number;
      readonly isActive: boolean;
      readonly isInternal?: boolean;
      /** The wallet made it: a blank wallet is no longer blank. @see Bitcoin Core `SetupDescriptorGeneration` */
      readonly isGenerated?: true;
      readonly first: number;
      readonly end: number;
      readonly next: number;
    }
  /**
   * The seed of new keys, which an earlier event added as a private key. `flushesPool`: whether keys of the seed
   * replace those in the pool.
   */
  | (SeedTerms & { readonly type: 'seed'; readonly flushesPool: boolean })
  /** `size`: how many keys or indexes; by default as many as the wallet keeps ahead. */
  | { readonly type: 'top-up'; readonly size?: number }
  /** An imported key that the wallet will hand out. */
  | { readonly type: 'pool-key'; readonly publicKey: Uint8Array; readonly side: Side }
  /** `label`: missing for change. */
  | { readonly type: 'address'; readonly side: Side; readonly kind: OutputKind; readonly label?: string }
  | (ScanRange & { readonly type: 'rescan' })
  /** Saves the last processed block. @see Bitcoin Core 29 `CWallet::chainStateFlushed` */
  | { readonly type: 'save-tip' }
  | { readonly type: 'abandon'; readonly txid: Txid }
  /** A payment, whether or not the mempool takes it. */
  | { readonly type: 'payment'; readonly tx: Transaction }
  /** A transaction of an active block that the wallet does not go through. `time`: of the block. */
  | {
      readonly type: 'pruned-funds';
      readonly tx: Transaction;
      readonly block: BlockPlace;
      readonly time: number;
      readonly index: number;
    }
  | { readonly type: 'remove'; readonly txid: Txid }
  | ({ readonly type: 'note'; readonly txid: Txid } & TxNotes)
  | { readonly type: 'lock'; readonly outpoints: readonly Outpoint[]; readonly isPersistent?: true }
  | { readonly type: 'unlock'; readonly outpoints: readonly Outpoint[] }
  | { readonly type: 'flag'; readonly flag: 'avoid_reuse'; readonly isSet: boolean }
  /** `rate`: satoshi per 1000 virtual bytes; 0 lets the wallet choose. */
  | { readonly type: 'pay-tx-fee'; readonly rate: number }
  /** Seals the master key under another passphrase. */
  | { readonly type: 'passphrase'; readonly master: SealedMasterKey }
  | {
      readonly type: 'encrypt';
      readonly master: SealedMasterKey;
      readonly secrets: readonly StoredKey<SealedSecret>[];
    };
