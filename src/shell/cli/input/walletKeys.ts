import { findStatedContradictions } from '../../../core/holder/contradictions.ts';
import { faultText } from '../../../core/holder/heldWallets.ts';
import type { Holder } from '../../../core/holder/holder.ts';
import { walletKeys } from '../../../core/holder/walletKeys.ts';
import { UsageError } from '../../terminal/usageError.ts';

/**
 * Says of each key of the holder's wallets whether a key at hand derives it, or only the file names it.
 * @throws UsageError if a key at hand refutes one, or none is the holder's
 */
export function walletKeyLines(name: string, holder: Holder): readonly string[] {
  const { network, wallets } = holder;
  const [contradiction] = findStatedContradictions(holder, wallets);
  if (contradiction) throw new UsageError(`${name}: ${contradiction.text}`);
  const keys = walletKeys(wallets, network);
  if (!keys.some(({ isProven }) => isProven)) {
    throw new UsageError(
      `${name}: none of its keys is yours, whatever fingerprints it names: are the words, the passphrase and the file the right ones?`,
    );
  }
  const standings = wallets.flatMap(({ root, title, fault }) => {
    if (root === 'registered') return [`registered: ${title}`];
    return fault === undefined ? [] : [`${title} ${faultText(fault)}: compare each key with its owner`];
  });
  return [
    ...standings,
    ...keys.map(({ text, isProven }) => `${isProven ? 'key proven' : 'named by the file'}: ${text}`),
  ];
}
