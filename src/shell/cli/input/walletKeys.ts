import { formatKey } from '../../../core/descriptors/formatDescriptor.ts';
import { flatKeys } from '../../../core/descriptors/joinPaths.ts';
import { findStatedContradictions } from '../../../core/holder/contradictions.ts';
import { isAltered } from '../../../core/holder/heldWallets.ts';
import type { Holder } from '../../../core/holder/holder.ts';
import { UsageError } from '../../terminal/usageError.ts';

/**
 * Says of each key of the holder's wallets whether a key at hand derives it, or only the file names it.
 * @throws UsageError if a key at hand refutes one, or none is the holder's
 */
export function walletKeyLines(name: string, holder: Holder): readonly string[] {
  const { network, wallets } = holder;
  const [contradiction] = findStatedContradictions(holder, wallets);
  if (contradiction) throw new UsageError(`${name}: ${contradiction.text}`);
  const keys = new Map(
    wallets.flatMap(({ chains: [single], mine }) =>
      (single ? flatKeys(single) : []).map((key) => {
        const bare = key.kind === 'fixed' ? key : { ...key, path: [], wildcard: 'none' as const };
        return [formatKey(bare, { network, isPrivate: false }), mine.has(key)] as const;
      }),
    ),
  );
  if (![...keys.values()].some((isProven) => isProven)) {
    throw new UsageError(
      `${name}: none of its keys is yours, whatever fingerprints it names: are the words, the passphrase and the file the right ones?`,
    );
  }
  const registered = wallets.flatMap((wallet) => {
    if (wallet.root === 'registered') return [`registered: ${wallet.title}`];
    return isAltered(wallet) ? ['not as you registered it: compare each key with its owner'] : [];
  });
  const lines = [...keys].map(([text, isProven]) => `${isProven ? 'key proven' : 'named by the file'}: ${text}`);
  return [...registered, ...lines];
}
