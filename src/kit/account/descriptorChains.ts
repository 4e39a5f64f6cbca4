import { singlePaths } from '../../core/descriptors/derive.ts';
import { joinPaths } from '../../core/descriptors/joinPaths.ts';
import { findContestedPlace } from '../../core/descriptors/keyPlaces.ts';
import type { Descriptor } from '../../core/descriptors/types.ts';
import { BtcError } from '../../core/errors.ts';
import type { AccountParts } from './account.ts';

/**
 * Returns the first two descriptors as chains if they are single-path and differ in one step of each path only.
 * @throws `account/descriptors` if the only two, single-path, differ in more; or if two keys have one origin
 */
export function findChains(descriptors: readonly Descriptor[]): Pick<AccountParts, 'chains'> {
  const contested = findContestedPlace(descriptors);
  if (contested) {
    const message = `Two keys claim the same path below the master key ${contested.fingerprint}: compare the descriptors with your wallet’s`;
    throw new BtcError('account/descriptors', {}, message);
  }
  const [receive, change, ...others] = descriptors;
  if (!receive || !change || ![receive, change].every((one) => singlePaths(one).length === 1)) return {};
  if (joinPaths(receive, change)) return { chains: { receive, change } };
  if (others.length === 0) {
    const message =
      'The descriptors for receive and change addresses differ in more than one step of their paths: open them separately';
    throw new BtcError('account/descriptors', {}, message);
  }
  return {};
}
