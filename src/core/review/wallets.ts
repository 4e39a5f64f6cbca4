import { equalBytes } from '../bytes/compare.ts';
import { formatHex } from '../bytes/hex.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { hasPrivateKeys, singlePaths } from '../descriptors/derive.ts';
import { createKeyDeriver, type Expansion } from '../descriptors/deriveKey.ts';
import { flatKeys, type SingleKey, textWithoutChains } from '../descriptors/joinPaths.ts';
import { soonestSpend, spendTimeText } from '../descriptors/soonestSpend.ts';
import type { Descriptor, KeyExpression } from '../descriptors/types.ts';
import type { KeyOrigin } from '../keys/path.ts';
import type { SearchedDescriptors, VerifiedOwner } from './ownership.ts';
import { hasUnspendableKey } from './unspendable.ts';

/**
 * Control over a wallet's coins: by the keys at hand alone (`own`), by these with others (`shared`), or by `strangers`:
 * another single key spends as soon or sooner, or no key is at hand.
 */
type Control = 'own' | 'shared' | 'strangers';

/** A descriptor, and those that differ only in the step for receive and change addresses. */
interface ReviewedWallet {
  readonly name: string;
  readonly control: Control;
  readonly hasOwnKey: boolean;
  /** Names those of its keys, and of them the keys that are not at hand. */
  readonly holders: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
  /** True if private keys in it count as those of others. */
  readonly hasOthersKeys?: boolean;
  /** The time from which others can spend alone, if the keys at hand can before. */
  readonly othersLater?: string;
}

/** Keys that the user gave as keys, and those in wallet files that no one else may have made. */
export interface OwnKeys {
  readonly holdsKey?: ((publicKey: Uint8Array) => boolean) | undefined;
  readonly publicKeyAt?: ((origin: KeyOrigin) => Uint8Array | undefined) | undefined;
}

export interface ReviewedWallets {
  readonly walletName: (owner: Pick<VerifiedOwner, 'descriptor'>) => string;
  /** Judges each wallet once, by its keys at the first place looked up. */
  readonly at: (owner: VerifiedOwner) => ReviewedWallet;
}

export function createReviewedWallets(
  { descriptors, sources = [] }: SearchedDescriptors,
  own: OwnKeys,
  ecc: Ecc,
): ReviewedWallets {
  const names = descriptors.map(textWithoutChains);
  const walletName = ({ descriptor }: Pick<VerifiedOwner, 'descriptor'>): string => names[descriptor] ?? '';
  const wallets = new Map<string, ReviewedWallet>();
  const at = ({ descriptor, position, index }: VerifiedOwner): ReviewedWallet => {
    const name = walletName({ descriptor });
    const judged = wallets.get(name);
    const single = descriptors[descriptor] && singlePaths(descriptors[descriptor])[position];
    if (judged || !single)
      return judged ?? { name, control: 'strangers', hasOwnKey: false, holders: new Set(), others: new Set() };
    const keys = flatKeys(single);
    const hasOthersKeys = sources[descriptor]?.hasOthersKeys === true && hasPrivateKeys(single);
    const ownKeys = new Set(keys.filter((key) => isHeld(key, { index, own, isWrittenOwn: !hasOthersKeys }, ecc)));
    const others = keys.filter((key) => !ownKeys.has(key) && !hasUnspendableKey(key));
    const control = judgeControl(single, ownKeys, others);
    const later = control === 'shared' ? laterSpend(single, ownKeys, others) : undefined;
    const wallet = {
      name,
      control,
      hasOwnKey: ownKeys.size > 0,
      holders: new Set(keys.map(holderName)),
      others: new Set(others.map(holderName)),
      ...(hasOthersKeys && { hasOthersKeys }),
      ...(later !== undefined && { othersLater: later }),
    };
    wallets.set(name, wallet);
    return wallet;
  };
  return { walletName, at };
}

/** Tells whether a key is at hand: written as a private key, given, or derived at its origin. */
function isHeld(
  key: SingleKey,
  {
    index,
    own: { holdsKey, publicKeyAt },
    isWrittenOwn,
  }: { readonly index: number; readonly own: OwnKeys; readonly isWrittenOwn: boolean },
  ecc: Ecc,
): boolean {
  const expansion: Expansion = { keys: new Map(), aggregates: new Map(), scripts: [] };
  const publicKey = createKeyDeriver(key, ecc)(index, expansion);
  const [derived] = [...expansion.keys.values()];
  if (isWrittenOwn && derived?.secretKey) return true;
  const ofOrigin = derived && publicKeyAt?.(derived.origin);
  // An x-only key is written with either parity.
  return (
    [publicKey, publicKey.subarray(1)].some((one) => holdsKey?.(one) === true) ||
    (ofOrigin !== undefined && equalBytes(ofOrigin, publicKey))
  );
}

/** More than any wallet has. */
const MAX_OTHERS = 100;

function judgeControl(
  descriptor: Descriptor,
  ownKeys: ReadonlySet<KeyExpression>,
  others: readonly SingleKey[],
): Control {
  if (ownKeys.size > 0 && others.length === 0) return 'own';
  if (ownKeys.size === 0 || others.length > MAX_OTHERS) return 'strangers';
  const isTheirs = [false, true].some((isLate) => {
    const soonest = (holders: ReadonlySet<KeyExpression>, knowsPreimages: boolean): number =>
      soonestSpend(descriptor, { holds: (key) => holders.has(key), knowsPreimages, isLate });
    const own = soonest(ownKeys, false);
    const isSooner = (holders: readonly SingleKey[]): boolean => {
      const theirs = soonest(new Set(holders), true);
      return isLate ? theirs < own : theirs < Number.POSITIVE_INFINITY && theirs <= own;
    };
    // Where the user needs others in any case, several of them may spend without the user, but not one alone.
    return own < Number.POSITIVE_INFINITY ? isSooner(others) : byHolder(others).some(isSooner);
  });
  return isTheirs ? 'strangers' : 'shared';
}

/** Says when others can spend alone after the keys at hand; `undefined` if either never can. */
function laterSpend(
  descriptor: Descriptor,
  mine: ReadonlySet<KeyExpression>,
  others: readonly SingleKey[],
): string | undefined {
  const soonest = (holders: ReadonlySet<KeyExpression>, knowsPreimages: boolean): number =>
    soonestSpend(descriptor, { holds: (key) => holders.has(key), knowsPreimages, isLate: false });
  const theirs = soonest(new Set(others), true);
  return soonest(mine, false) < theirs && theirs < Number.POSITIVE_INFINITY ? spendTimeText(theirs) : undefined;
}

function byHolder(keys: readonly SingleKey[]): readonly (readonly SingleKey[])[] {
  const holders = new Map<string, SingleKey[]>();
  for (const key of keys) holders.set(holderName(key), [...(holders.get(holderName(key)) ?? []), key]);
  return [...holders.values()];
}

/** Keys below one extended key have one holder. */
function holderName(key: SingleKey): string {
  const { publicKey } = key.kind === 'fixed' ? key : key.key;
  return formatHex(publicKey.subarray(1, 33));
}
