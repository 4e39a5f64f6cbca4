import { KINDS } from '../../src/node/store/kinds.ts';
import { createMemoryStore, type NodeRpc, type RecordStore } from './library.ts';

/** A store in memory that outlasts its nodes. */
export interface SnapshotStore extends RecordStore {
  /** How often the entries were read. */
  reads: number;
}

export function createSnapshotStore(): SnapshotStore {
  const inner = createMemoryStore();
  const store: SnapshotStore = {
    ...inner,
    reads: 0,
    list: (prefix, from) => {
      if (prefix === KINDS['journal entry']) store.reads += 1;
      return inner.list(prefix, from);
    },
    close: () => undefined,
  };
  return store;
}

/** Lengthens the journal of a node, so that the node keeps a snapshot when it is closed. */
export function makeSnapshotDue(rpc: NodeRpc): void {
  const name = `${rpc.node.wallets.size}${'0'.repeat(2 ** 16)}`;
  rpc.call('createwallet', [name, true, true]);
  rpc.call('unloadwallet', [name]);
}
