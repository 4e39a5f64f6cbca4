import { formatHex } from '../../../core/bytes/hex.ts';
import { flatKeys } from '../../../core/descriptors/joinPaths.ts';
import { findStatedContradictions } from '../../../core/holder/contradictions.ts';
import { fingerprintOf, isMaster, isSameExtendedKey } from '../../../core/holder/heldKey.ts';
import type { Holder } from '../../../core/holder/holder.ts';
import { walletKeys } from '../../../core/holder/walletKeys.ts';
import { derivePath } from '../../../core/keys/bip32.ts';
import { formatPath } from '../../../core/keys/path.ts';
import { contradictionText, walletFaultText } from '../../../core/report/findingParts.ts';
import { UsageError } from '../../terminal/usageError.ts';

/**
 * Says of each key of the holder's wallets whether a key at hand derives it, or only the file names it.
 * @throws UsageError if a key at hand refutes one, or none is the holder's
 */
export function walletKeyLines(name: string, holder: Holder): readonly string[] {
  const { network, wallets } = holder;
  const [contradiction] = findStatedContradictions(holder, wallets);
  if (contradiction) throw new UsageError(`${name}: ${contradictionText(contradiction)}`);
  const keys = walletKeys(wallets, network);
  if (!keys.some(({ isProven }) => isProven)) {
    const [misnamed] = misnamedKeys(holder);
    if (misnamed)
      throw new UsageError(
        `${name}: a key at hand derives its key at ${misnamed.path}, but the file names the fingerprint ${misnamed.named} for it, not ${misnamed.own}: export the key again, or mend the fingerprint`,
      );
    throw new UsageError(
      `${name}: none of its keys is yours, whatever fingerprints it names: are the words, the passphrase and the file the right ones?`,
    );
  }
  const standings = wallets.flatMap(({ root, title, fault }) => {
    if (root === 'registered') return [`registered: ${title}`];
    return fault === undefined ? [] : [`${title} ${walletFaultText(fault)}: compare each key with its owner`];
  });
  return [
    ...standings,
    ...keys.map(({ text, isProven }) => `${isProven ? 'key proven' : 'named by the file'}: ${text}`),
  ];
}

interface MisnamedKey {
  readonly path: string;
  /** The fingerprints, in hex. */
  readonly named: string;
  readonly own: string;
}

/** Finds keys that a master key at hand derives at their path, though the wallet names another master key. */
function misnamedKeys({ wallets, keys, ecc }: Holder): readonly MisnamedKey[] {
  const masters = keys.filter(isMaster);
  return wallets
    .flatMap(({ chains: [single] }) => (single ? flatKeys(single) : []))
    .flatMap(({ kind, origin, ...rest }) => {
      if (kind !== 'extended' || !origin || !('key' in rest)) return [];
      const master = masters.find(({ key }) => isSameExtendedKey(derivePath(key, origin.path, { ecc }), rest.key));
      if (!master) return [];
      const [named, own] = [formatHex(origin.fingerprint), formatHex(fingerprintOf(master))];
      return [{ path: `m${formatPath(origin.path)}`, named, own }];
    });
}
