import {
  createMemoryStore,
  descriptorChecksum,
  formatXprv,
  formatXpub,
  masterKey,
  type NodeRpc,
  networks,
  type RecordStore,
} from './library.ts';
import { ask, MODERN, openWalletRpc } from './walletWorld.ts';

// Descriptor wallets as in Bitcoin Core 31.

/** The master key of a seed of 32 times the byte `number`. */
const masterOf = (number: number) => masterKey(new Uint8Array(32).fill(number));
export const [xprvA = '', xprvB = ''] = [1, 2].map((i) => formatXprv(masterOf(i), networks.regtest));
export const [xpubA = '', xpubB = ''] = [1, 2].map((i) => formatXpub(masterOf(i), networks.regtest));

interface Wanted {
  readonly store?: RecordStore;
  readonly isWatching?: boolean;
}

/** Opens a node with a blank wallet `w`. */
export function openWallet({ store = createMemoryStore(), isWatching = false }: Wanted = {}): NodeRpc {
  const rpc = openWalletRpc(MODERN, store);
  rpc.call('createwallet', ['w', isWatching, true]);
  return rpc;
}

/** Imports descriptors in one call; `timestamp` defaults to 1. */
export function importAll(
  rpc: NodeRpc,
  ...requests: readonly { readonly desc: string; readonly [name: string]: unknown }[]
) {
  const withSums = requests.map(({ desc, ...rest }) => ({
    desc: `${desc}#${descriptorChecksum(desc)}`,
    timestamp: 1,
    ...rest,
  }));
  return ask(rpc, 'importdescriptors', [withSums]);
}

/** Unloads and loads the wallet. */
export function reload(rpc: NodeRpc): void {
  ask(rpc, 'unloadwallet');
  ask(rpc, 'loadwallet', ['w']);
}
