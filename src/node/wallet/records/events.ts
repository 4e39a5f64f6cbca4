import type { Descriptor } from '../../../core/descriptors/types.ts';
import type { KeyOrigin } from '../../../core/keys/path.ts';
import type { Outpoint, Transaction, Txid } from '../../../core/tx/types.ts';
import type { ChainTx } from '../../chain/types.ts';
import type { OutputKind, Side } from '../keys/activeDescriptors.ts';
import type { HardenedRun } from '../keys/hardenedKeys.ts';
import type { NotedKeys, SeedKeys, SeedTerms } from '../keys/hdSeeds.ts';
import type { SealedMasterKey, SealedSecret } from '../keys/sealedSecrets.ts';
import type { StoredSecret } from '../keys/vault.ts';
import type { ScanRange, SeenBlock } from './chainSync.ts';
import type { BlockPlace, TxNotes } from './walletState.ts';

/** A public key and its private key, as the vault stores it. */
export interface StoredKey<S = StoredSecret> {
  readonly publicKey: Uint8Array;
  readonly secret: S;
}

/** A transaction that concerns a wallet: the transaction, or the txid of one that the node's wallets have already. */
export type FoundTx = ChainTx | Txid;

/** A transaction of a block that concerns a wallet. */
export interface FoundMinedTx {
  /** Its position in the block. */
  readonly index: number;
  readonly tx: FoundTx;
}

/** The transactions of a block that concern a wallet. */
export interface FoundBlock {
  readonly block: SeenBlock;
  readonly txs: readonly FoundMinedTx[];
}

/** The transactions that concern a wallet, in the blocks and the mempool that it went through. */
export interface Findings {
  readonly blocks: readonly FoundBlock[];
  readonly mempool: readonly FoundTx[];
}

/** A change of a wallet. Timestamps are UNIX times; scripts are scriptPubKeys unless stated otherwise. */
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
      readonly first: number;
      readonly end: number;
      readonly next: number;
    }
  /**
   * The seed of new keys, which an event before added as a private key.
   *
   * - `flushesPool`: whether keys of the seed take the place of those in the pool
   * - `keys`: the public keys that the wallet derived from it; only once the wallet is encrypted
   */
  | (SeedTerms & { readonly type: 'seed'; readonly flushesPool: boolean; readonly keys?: readonly SeedKeys[] })
  /** Public keys that the next events derive from a seed, as a locked wallet cannot. */
  | (NotedKeys & { readonly type: 'seed-keys' })
  /** Public keys that the next events derive from a descriptor by its private keys, as a locked wallet cannot. */
  | (HardenedRun & { readonly type: 'descriptor-keys' })
  /** The wallet needed new keys or indexes. `size`: how many of each; by default as many as the wallet keeps ahead. */
  | { readonly type: 'top-up'; readonly size?: number }
  /** An imported public key that the wallet will hand out. */
  | { readonly type: 'pool-key'; readonly publicKey: Uint8Array; readonly side: Side }
  /** The wallet handed out its next address of a side and kind; `label`: missing for change. */
  | { readonly type: 'address'; readonly side: Side; readonly kind: OutputKind; readonly label?: string }
  /** `found`: what the rescan found; missing until it is applied. */
  | (ScanRange & { readonly type: 'rescan'; readonly found?: Findings })
  | { readonly type: 'abandon'; readonly txid: Txid }
  /** The wallet made a payment, whether or not the mempool takes it. */
  | { readonly type: 'payment'; readonly tx: Transaction }
  /** A transaction of an active block, which the wallet takes without going through the block. `time`: of the block. */
  | {
      readonly type: 'pruned-funds';
      readonly tx: Transaction;
      readonly block: BlockPlace;
      readonly time: number;
      readonly index: number;
    }
  /** The wallet forgets a recorded transaction. */
  | { readonly type: 'remove'; readonly txid: Txid }
  /** Adds notes to those of a recorded transaction. */
  | ({ readonly type: 'note'; readonly txid: Txid } & TxNotes)
  | { readonly type: 'lock'; readonly outpoints: readonly Outpoint[]; readonly isPersistent?: true }
  | { readonly type: 'unlock'; readonly outpoints: readonly Outpoint[] }
  | { readonly type: 'flag'; readonly flag: 'avoid_reuse'; readonly isSet: boolean }
  /** The wallet pays this fee rate, in satoshi per 1000 virtual bytes, or if 0 chooses one by itself. */
  | { readonly type: 'pay-tx-fee'; readonly rate: number }
  | {
      readonly type: 'encrypt';
      readonly master: SealedMasterKey;
      readonly secrets: readonly StoredKey<SealedSecret>[];
    };
