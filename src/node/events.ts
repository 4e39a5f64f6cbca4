import type { Block } from '../chain/block.ts';
import type { Transaction, Txid } from '../tx/types.ts';
import type { WalletEvent } from '../wallet/events.ts';

/** A change of a node. */
export type NodeEvent =
  /** The first event: the network and the rules of the node. */
  | { readonly type: 'begin'; readonly network: string; readonly rules: string }
  /** `bytes`: the block as submitted, including any bytes after its transactions. */
  | { readonly type: 'block'; readonly block: Block; readonly bytes: Uint8Array }
  | { readonly type: 'invalidate' | 'reconsider'; readonly hash: Uint8Array }
  | { readonly type: 'transaction'; readonly tx: Transaction }
  | { readonly type: 'drop'; readonly txid: Txid }
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
