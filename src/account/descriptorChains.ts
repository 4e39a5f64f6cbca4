import { singlePaths } from '../descriptors/derive.ts';
import { areOfOneWallet } from '../descriptors/joinPaths.ts';
import type { Descriptor } from '../descriptors/types.ts';
import { BtcError } from '../errors.ts';
import type { AccountParts } from './account.ts';

/**
 * Finds the descriptors of both chains: the first two, if they are single-path and of one wallet.
 * @throws `account/descriptors` if there are only two, single-path, and they are not of one wallet
 */
export function chainsOfDescriptors(descriptors: readonly Descriptor[]): Pick<AccountParts, 'chains'> {
  const [receive, change, ...others] = descriptors;
  if (!receive || !change || ![receive, change].every((one) => singlePaths(one).length === 1)) return {};
  if (areOfOneWallet(receive, change)) return { chains: { receive, change } };
  if (others.length === 0) {
    const message = 'The descriptors for receive and change addresses are of different wallets: open them separately';
    throw new BtcError('account/descriptors', {}, message);
  }
  return {};
}
