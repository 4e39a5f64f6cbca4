import {
  assertKnownOptions,
  assertList,
  assertShape,
  invalidOption,
  isObject,
  type OptionNames,
} from '../../core/bytes/knownOptions.ts';
import { withChecksum } from '../../core/descriptors/checksum.ts';
import { unlessRefused } from '../../core/errors.ts';
import { readExtendedKey } from '../../core/keys/slip132.ts';
import { keyParts } from '../../core/keys/writtenKeys.ts';
import { sortedMultisig } from './walletFiles/keyText.ts';
import type { MultisigScript, SignerKey } from './walletFiles/walletFile.ts';

/** Options of `quorumDescriptor`. */
export interface QuorumOptions {
  /** Default: the one for which the keys are; `p2wsh` for keys of any. */
  readonly script?: MultisigScript;
}

const OPTIONS: OptionNames<QuorumOptions> = { script: true };

/** @see BIP383; Bitcoin Core `MAX_PUBKEYS_PER_MULTISIG`, and the size of a P2SH script */
const MOST_KEYS: Readonly<Record<MultisigScript, number>> = { p2sh: 15, 'p2sh-p2wsh': 20, p2wsh: 20 };

/**
 * Makes the descriptor of a multisig wallet from the keys of all its signers, of which so many sign; `open` finds them in what
 * signers export. Whoever makes a wallet so must compare each key with its owner.
 * @throws `argument/invalid` for too many keys or signatures, keys for different scripts, and a key that is there twice
 * @see BIP48, BIP67
 *
 * @example
 * ```ts
 * import { quorumDescriptor } from 'countersign';
 *
 * const keys = [
 *   '[73c5da0a/48h/0h/0h/2h]xpub6DkFAXWQ2dHxq2vatrt9qyA3bXYU4ToWQwCHbf5XB2mSTexcHZCeKS1VZYcPoBd5X8yVcbXFHJR9R8UCVpt82VX1VhR28mCyxUFL4r6KFrf',
 *   '[b8688df1/48h/0h/0h/2h]xpub6FQya7zGhR92kacYsNnjreouvnHJMpXYsUXnW6NJJAJRCKsa26TzDy4LdnGhEurr3d6y1J8PJ7EEMKQp74XTqYvmGJNogYXSKDszYHtF8mX',
 * ];
 * quorumDescriptor(2, keys.map((text) => ({ text }))).slice(0, 18); // wsh(sortedmulti(2,
 * ```
 */
export function quorumDescriptor(required: number, signers: readonly SignerKey[], options: QuorumOptions = {}): string {
  assertKnownOptions(options, OPTIONS);
  assertList('signers', signers);
  assertShape('signers', signers.every(isObject), 'a list of keys, as signerKeys or open returns them');
  const stated = new Set(signers.flatMap(({ script }) => script ?? []));
  const [first = 'p2wsh'] = stated;
  const { script = first } = options;
  const other = [...stated].find((each) => each !== script);
  if (!Object.hasOwn(MOST_KEYS, script)) throw invalidOption('script', 'must be p2wsh, p2sh-p2wsh or p2sh');
  if (other) throw invalidOption('signers', `must all be for one script: one is for ${other}, not for ${script}`);
  if (signers.length < 1 || signers.length > MOST_KEYS[script]) {
    throw invalidOption('signers', `must be 1 to ${MOST_KEYS[script]} keys, not ${signers.length}`);
  }
  if (!Number.isInteger(required) || required < 1 || required > signers.length) {
    throw invalidOption('required', `must be a whole number from 1 to ${signers.length}, the number of keys`);
  }
  const keys = signers.map(({ text }) => {
    const { extended = '', path } = keyParts(text) ?? {};
    const key = unlessRefused(() => readExtendedKey(extended));
    if (!key || key.isPrivate || path !== '') {
      throw invalidOption('signers', 'must be extended public keys with their origins, and no path behind them');
    }
    return { text, extended };
  });
  const repeated = keys.findIndex(({ extended }, i) => keys.findIndex((key) => key.extended === extended) < i);
  if (repeated >= 0) throw invalidOption('signers', `must differ: key ${repeated + 1} is there twice`);
  return withChecksum(
    sortedMultisig(
      required,
      script,
      keys.map(({ text }) => text),
    ),
  );
}
