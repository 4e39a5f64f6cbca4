import { formatKey } from '../descriptors/formatDescriptor.ts';
import { flatKeys } from '../descriptors/joinPaths.ts';
import type { Network } from '../network/networks.ts';
import type { HeldWallet } from './heldWallets.ts';

/** A key of a wallet, as a person compares it. */
export interface WalletKey {
  /** With its origin, without the path below it. */
  readonly text: string;
  /** True if a key at hand derives it; else only the file names it. */
  readonly isProven: boolean;
}

/** Lists the keys of wallets, each once. */
export function walletKeys(wallets: readonly HeldWallet[], network: Network): readonly WalletKey[] {
  const keys = wallets.flatMap(({ chains: [single], mine }) =>
    (single ? flatKeys(single) : []).map((key) => {
      const bare = key.kind === 'fixed' ? key : { ...key, path: [], wildcard: 'none' as const };
      return { text: formatKey(bare, { network, isPrivate: false }), isProven: mine.has(key) };
    }),
  );
  return [...new Map(keys.map((key) => [key.text, key])).values()];
}
