import type { RpcCall } from '../../answers/method/call.ts';
import type { Transaction } from '../../core/tx/types.ts';
import type { RpcMethods } from '../../node/registry.ts';
import type { Node } from '../../node/state/node.ts';
import type { Faucet } from './faucet.ts';

type Call = RpcCall<RpcMethods>;

/** What acts on a chain are made of. */
export interface Tools {
  readonly call: Call;
  readonly node: Node;
  readonly faucet: () => Faucet;
  /** Pays satoshi to an address, in a new block. */
  readonly fund: (address: string, sats: bigint) => void;
  /** Mines a block with just this transaction, which may pay no fee. @returns its hash */
  readonly mineOnly: (tx: Transaction) => string;
  /** @returns the txid */
  readonly send: (tx: Transaction) => string;
  /** Builds a transaction of at least so many satoshi, and mines until the faucet has the coins. */
  readonly build: (sats: bigint, make: () => Transaction | undefined) => Transaction;
  /** Lets anybody spend the coins of a script, on all linked nodes; not if the work fails that needs it. */
  readonly waiving: <T>(scriptPubKey: Uint8Array, work: () => T) => T;
  /** Starts a node with the same state and no links. */
  readonly copy: () => Miner;
}

/** A node that mines what others do not see. */
interface Miner {
  readonly rpc: { readonly call: Call };
  readonly mine: (count: number) => readonly string[];
  readonly close: () => Promise<void>;
}
