import type { Transaction } from '../../core/tx/types.ts';
import type { Node } from '../../node/state/node.ts';
import type { Faucet } from './faucet.ts';
import type { Regtest } from './startRegtest.ts';

/** What acts on a chain are made of. */
export interface Tools {
  readonly call: Regtest['rpc']['call'];
  readonly node: Node;
  readonly faucet: () => Faucet;
  readonly fund: Regtest['fund'];
  /** Mines a block with just this transaction, which may pay no fee. @returns its hash */
  readonly mineOnly: (tx: Transaction) => string;
  /** @returns the txid */
  readonly send: (tx: Transaction) => string;
  /** Builds a transaction of at least so many satoshi, and mines until the faucet has the coins. */
  readonly build: (sats: bigint, make: () => Transaction | undefined) => Transaction;
  /** Lets anybody spend the coins of a script, on all linked nodes. */
  readonly waive: (scriptPubKey: Uint8Array) => void;
  /** Starts a node with the same state and no links. */
  readonly copy: () => Pick<Regtest, 'rpc' | 'mine' | 'close'>;
}
