import type { ChainTx } from '../chain/types.ts';
import type { Descriptor } from '../descriptors/types.ts';
import type { KeyOrigin } from '../keys/path.ts';
import type { Outpoint, Txid } from '../tx/types.ts';
import type { SeenBlock } from './chainSync.ts';
import type { SealedMasterKey, SealedSecret } from './sealedSecrets.ts';
import type { StoredSecret } from './vault.ts';

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
  | { readonly type: 'label'; readonly script: Uint8Array; readonly label: string }
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
  /** The wallet was unlocked and needed new indexes: see `topUpActive`. */
  | { readonly type: 'top-up' }
  /** `found`: what the rescan found; missing until it is applied. */
  | { readonly type: 'rescan'; readonly from: number; readonly found?: Findings }
  | { readonly type: 'abandon'; readonly txid: Txid }
  | { readonly type: 'lock'; readonly outpoints: readonly Outpoint[]; readonly isPersistent?: true }
  | { readonly type: 'unlock'; readonly outpoints: readonly Outpoint[] }
  | {
      readonly type: 'encrypt';
      readonly master: SealedMasterKey;
      readonly secrets: readonly StoredKey<SealedSecret>[];
    };
