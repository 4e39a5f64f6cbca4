import type { SealedMasterKey, SealedSecret } from './secrets.ts';
import type { StoredSecret } from './vault.ts';

/** An outpoint in JSON, with the txid in display order. */
interface OutpointJson {
  readonly txid: string;
  readonly vout: number;
}

/** A change of a wallet. Bytes are hex, times UNIX seconds. */
export type WalletEvent =
  | { readonly type: 'key'; readonly publicKey: string; readonly secret: StoredSecret; readonly timestamp: number }
  | { readonly type: 'script'; readonly script: string; readonly timestamp?: number }
  | { readonly type: 'public-key'; readonly publicKey: string; readonly timestamp: number }
  | {
      readonly type: 'origin';
      readonly publicKey: string;
      readonly fingerprint: string;
      readonly path: readonly number[];
    }
  | { readonly type: 'watch'; readonly script: string; readonly timestamp: number }
  /** `script`: the scriptPubKey of the address. */
  | { readonly type: 'label'; readonly script: string; readonly label: string }
  | {
      readonly type: 'descriptor';
      readonly descriptor: string;
      readonly normalized: string;
      readonly secrets: readonly { readonly publicKey: string; readonly secret: StoredSecret }[];
      readonly timestamp: number;
      readonly isActive: boolean;
      readonly isInternal?: boolean;
      readonly first: number;
      readonly end: number;
      readonly next: number;
    }
  | { readonly type: 'rescan'; readonly from: number }
  | { readonly type: 'abandon'; readonly txid: string }
  | { readonly type: 'lock'; readonly outpoints: readonly OutpointJson[]; readonly isPersistent?: true }
  | { readonly type: 'unlock'; readonly outpoints: readonly OutpointJson[] }
  | {
      readonly type: 'encrypt';
      readonly master: SealedMasterKey;
      /** By public key. */
      readonly secrets: Readonly<Record<string, SealedSecret>>;
    };

/** A change of a node. */
export type NodeEvent =
  /** The first event: the network and the rules of the node. */
  | { readonly type: 'begin'; readonly network: string; readonly rules: string }
  | { readonly type: 'block'; readonly block: string }
  | { readonly type: 'invalidate' | 'reconsider'; readonly hash: string }
  | { readonly type: 'transaction'; readonly transaction: string }
  | { readonly type: 'drop'; readonly txid: string }
  | {
      readonly type: 'create';
      readonly name: string;
      readonly disablesPrivateKeys: boolean;
      readonly avoidsReuse: boolean;
      /** Default true, for journals of older versions. */
      readonly isBlank?: boolean;
    }
  | { readonly type: 'load' | 'unload'; readonly name: string }
  | { readonly type: 'wallet'; readonly name: string; readonly event: WalletEvent };

/** An event with its time. */
export interface TimedEvent {
  /** UNIX time of the node's clock. */
  readonly at: number;
  readonly event: NodeEvent;
}
