import { toJsonValue } from '../../answers/json/jsonValue.ts';
import { formatHex } from '../../core/bytes/hex.ts';
import { RpcError } from '../../core/errors.ts';
import { isWithin } from '../../core/generations.ts';
import { encodeTransaction } from '../../core/tx/codec.ts';
import type { TxKey } from '../../core/tx/types.ts';
import { decodeBlock } from '../../node/chain/block.ts';
import { activeTip, findParent } from '../../node/chain/chainState.ts';
import type { ChainBlock } from '../../node/chain/types.ts';
import type { NodeRpc } from '../../node/createNodeRpc.ts';
import { processNewBlock } from '../../node/methods/processNewBlock.ts';

/** Two nodes that tell each other of blocks and transactions. */
export interface Link {
  readonly ends: readonly [NodeRpc, NodeRpc];
  isOpen: boolean;
  /** What each end was last told, by its state then. */
  readonly told: Map<NodeRpc, string>;
}

export const createLink = (ends: Link['ends']): Link => ({ ends, isOpen: true, told: new Map() });

/** Relays until no node learns anything new. */
export function relay(links: Iterable<Link>): void {
  const open = [...links].filter(({ isOpen }) => isOpen);
  for (let hasNews = true; hasNews; ) {
    hasNews = false;
    for (const link of open) {
      const [one, other] = link.ends;
      hasNews = tell(link, one, other) || hasNews;
      hasNews = tell(link, other, one) || hasNews;
    }
  }
}

const stateOf = ({ node: { chain } }: NodeRpc): string => `${activeTip(chain).key} ${chain.poolTotals.updates}`;

/** @returns whether there was anything to tell */
function tell(link: Link, from: NodeRpc, to: NodeRpc): boolean {
  const state = stateOf(from) + stateOf(to);
  if (link.told.get(from) === state) return false;
  const before = stateOf(to);
  sendBlocks(from, to);
  sendTransactions(from, to);
  link.told.set(from, stateOf(from) + stateOf(to));
  return stateOf(to) !== before;
}

/** Sends the blocks of a branch with at least as much work. */
function sendBlocks({ node: from }: NodeRpc, { node: to }: NodeRpc): void {
  if (activeTip(from.chain).work < activeTip(to.chain).work) return;
  const missing: ChainBlock[] = [];
  for (
    let at: ChainBlock | undefined = activeTip(from.chain);
    at && at.height > 0 && !to.chain.bodies.has(at.key);
    at = findParent(from.chain, at)
  ) {
    missing.push(at);
  }
  to.inCall(() => {
    for (const { key } of missing.reverse()) {
      const bytes = from.chain.bodies.get(key)?.bytes;
      if (bytes) processNewBlock(decodeBlock(bytes, from.network), bytes, to);
    }
  });
}

/** A relaying node does not limit burnt coins. */
const anyBurn = ({ context }: NodeRpc): readonly number[] =>
  isWithin(context.dialect.generation, { since: 'core-29' }) ? [21_000_000] : [];

/** Sends transactions in the order in which they came, so that parents precede their children. */
function sendTransactions({ node: from }: NodeRpc, to: NodeRpc): void {
  const known: ReadonlyMap<TxKey, unknown> = to.node.chain.mempool;
  for (const { key, tx } of from.chain.mempool.values()) {
    if (known.has(key)) continue;
    try {
      to.callJson('sendrawtransaction', toJsonValue([formatHex(encodeTransaction(tx)), 0, ...anyBurn(to)]));
    } catch (error) {
      // A node keeps to itself what it does not take.
      if (!(error instanceof RpcError)) throw error;
    }
  }
}
