import type { Network } from '../../core/network/networks.ts';
import { blockHash, decodeBlockHeader } from '../../node/chain/blockHeader.ts';
import { activeTip, findActiveBlock } from '../../node/chain/chainState.ts';
import type { Ancestor } from '../../node/chain/difficulty.ts';
import { genesisHeader } from '../../node/chain/genesis.ts';
import type { HeaderChain } from '../../node/chain/headerChain.ts';
import type { ChainBlock } from '../../node/chain/types.ts';
import type { NodeEvent } from '../../node/state/events.ts';
import type { Node } from '../../node/state/node.ts';
import type { Wallet } from '../../node/wallet/records/walletState.ts';

// Call these functions within a call of the node: a store that several processes use then gives one snapshot.

/** A period of 2016 blocks, and the one before it. */
const LOOK_BACK = 2017;

export function headersUpTo({ chain, network }: Node, { header, hash, height }: ChainBlock): HeaderChain {
  const genesis = genesisHeader(network);
  const decodeHeader = (block: Pick<ChainBlock, 'header' | 'height'>) =>
    // The record of a genesis block has no header.
    decodeBlockHeader((block.height === 0 && genesis) || block.header);
  const ancestors = new Map<number, Ancestor>();
  for (let at = height; at > height - LOOK_BACK; at -= 1) {
    const block = findActiveBlock(chain, at);
    if (!block) break;
    const { time, bits } = decodeHeader(block);
    ancestors.set(at, { time, bits });
  }
  return {
    network,
    tip: { ...decodeHeader({ header, height }), hash, height, work: 0n },
    headerAt: (at) => ancestors.get(at),
  };
}

export function chainFromHeader(network: Network, header: Uint8Array, height: number): HeaderChain {
  const decoded = decodeBlockHeader(header);
  return {
    network,
    tip: { ...decoded, hash: blockHash(header), height, work: 0n },
    headerAt: (at) => (at === height ? decoded : undefined),
  };
}

export function change(node: Node, buildEvents: (node: Node) => readonly NodeEvent[]): void {
  node.inCall(() => {
    node.change(...buildEvents(node));
  });
}

/** Includes wallets that are not loaded. */
export function* walletScripts({ wallets }: Node): Generator<Uint8Array> {
  for (const wallet of wallets.values()) yield* scriptsOfWallet(wallet);
}

const scriptsOfWallet = ({ legacy, descriptors }: Wallet): Iterable<Uint8Array> =>
  (legacy ?? descriptors)?.scriptPubKeys() ?? [];

/** Returns the UNIX time of the oldest key; `undefined` without scripts. */
export function findBirth({ wallets }: Node): number | undefined {
  const births = [...wallets.values()].flatMap((wallet) => {
    for (const _ of scriptsOfWallet(wallet)) return wallet.legacy?.firstTime() ?? wallet.row.birth;
    return [];
  });
  return births.length === 0 ? undefined : births.reduce((a, b) => Math.min(a, b));
}

/** Does what loading would: the scripts of unloaded wallets were looked for, too. */
export function catchUpUnloaded(node: Node): void {
  const tip = activeTip(node.chain);
  const behind = [...node.wallets].filter(
    ([name, { legacy, row }]) => !node.loaded.has(name) && (legacy ? row.written : row.tip).key !== tip.key,
  );
  node.change(...behind.flatMap(([name]) => [{ type: 'load', name } as const, { type: 'unload', name } as const]));
}
