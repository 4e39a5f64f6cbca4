import { recordsByArrival } from '../../src/node/wallet/records/recordIndex.ts';
import type { WalletTx } from '../../src/node/wallet/records/walletTx.ts';
import type { NodeRpc, RecordStore } from './library.ts';

/** Returns the recorded transactions of a wallet, in the order of arrival. */
export function recordsIn({ node }: NodeRpc, name: string): readonly WalletTx[] {
  return node.inCall(() => {
    const wallet = node.wallets.get(name);
    return wallet ? [...recordsByArrival(wallet)] : [];
  });
}

/** Returns all values of a store, as Latin-1 and as hex. */
export const contentOf = (store: RecordStore): string =>
  [...store.list('')]
    .map(([, value]) => `${Buffer.from(value).toString('latin1')} ${Buffer.from(value).toString('hex')}`)
    .join('\n');

/** Changes the values of one kind. */
export function forge(store: RecordStore, kind: string, change: (value: Uint8Array) => Uint8Array | undefined): number {
  const changes = [...store.list(kind)].map(([key, value]) => [key, change(value)] as const);
  store.write(changes);
  return changes.length;
}
