import type { NodeEvent } from '../../src/node/state/events.ts';
import { type MadeBlock, quickNetwork, type TestNetwork } from './blocks.ts';
import {
  createMemoryStore,
  createNodeRpc,
  type DialectName,
  type NodeRpc,
  type NodeRpcOptions,
  type RecordStore,
  type SharedStore,
} from './library.ts';

// Nodes to which tests submit their own blocks.

/** The fixed UNIX time of the clock. */
const START_TIME = 1_701_000_000;

/** Opens a node in memory with an empty wallet `w`. */
export function openWithWallet(
  dialect: DialectName = 'litecoin-0.21',
  network: TestNetwork = 'litecoin-regtest',
): NodeRpc {
  const random = (size: number): Uint8Array => new Uint8Array(size).fill(7);
  const rpc = createNodeRpc({
    ...{ network: quickNetwork(network), dialect, random, skipsMempoolPolicy: true },
    deprecatedrpc: ['removeprunedfunds'],
    store: createMemoryStore(),
    clock: () => START_TIME,
  });
  rpc.call('createwallet', ['w', false, true]);
  return rpc;
}

/** An anyone-can-spend script: OP_1. */
export const ANYONE = Uint8Array.of(0x51);

/** Returns the error that a call throws; throws if the call succeeds. */
export function rpcFault(call: () => unknown): { readonly code: number; readonly message: string } {
  try {
    call();
  } catch (error) {
    return error as { code: number; message: string };
  }
  throw new Error('The call was not refused');
}

/** Opens a node without a wallet. */
export const openNode = (
  store: RecordStore | SharedStore = createMemoryStore(),
  dialect: DialectName = 'core-32',
  more: Partial<NodeRpcOptions> = {},
): NodeRpc =>
  createNodeRpc({
    skipsMempoolPolicy: true,
    network: 'regtest',
    dialect,
    store,
    clock: () => START_TIME,
    random: (size) => new Uint8Array(size),
    ...more,
  });

/** Submits blocks in order. @returns the answers */
export const submit = (rpc: NodeRpc, blocks: readonly MadeBlock[]): unknown[] =>
  blocks.map(({ hex }) => rpc.call('submitblock', [hex]));

/** Applies events in a call of their own. */
export function change({ node }: NodeRpc, ...events: readonly NodeEvent[]): void {
  node.inCall(() => {
    node.change(...events);
  });
}
