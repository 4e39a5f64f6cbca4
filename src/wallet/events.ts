import type { Descriptor } from '../descriptors/types.ts';
import type { KeyOrigin } from '../keys/path.ts';
import type { Outpoint, Txid } from '../tx/types.ts';
import type { SealedMasterKey, SealedSecret } from './sealedSecrets.ts';
import type { StoredSecret } from './vault.ts';

/** A public key and its private key, as the vault stores it. */
export interface StoredKey<S = StoredSecret> {
  readonly publicKey: Uint8Array;
  readonly secret: S;
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
  | { readonly type: 'rescan'; readonly from: number }
  | { readonly type: 'abandon'; readonly txid: Txid }
  | { readonly type: 'lock'; readonly outpoints: readonly Outpoint[]; readonly isPersistent?: true }
  | { readonly type: 'unlock'; readonly outpoints: readonly Outpoint[] }
  | {
      readonly type: 'encrypt';
      readonly master: SealedMasterKey;
      readonly secrets: readonly StoredKey<SealedSecret>[];
    };
