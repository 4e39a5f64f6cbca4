import { bytesKey } from '../bytes/compare.ts';
import { hash160 } from '../crypto/hash.ts';
import {
  type Condition,
  conditionKeys,
  findCondition,
  type Holdings,
  isNothing,
  multisigCondition,
} from '../descriptors/miniscript/condition.ts';
import { collectKeys, type Miniscript, postOrder } from '../descriptors/miniscript/index.ts';
import { LOCKTIME_THRESHOLD } from '../tx/absoluteLock.ts';
import { parseRelativeLock } from '../tx/relativeLock.ts';
import type { LaterWay, Need, QuorumProgress, SignerReview, UnmetLock } from './inputReview.ts';

export type MeetsLock = (kind: 'older' | 'after', lock: number) => boolean;

/** What one script takes and lacks. */
export type SignatureCount = Pick<
  QuorumProgress,
  'have' | 'required' | 'of' | 'isClosed' | 'closedBy' | 'needed' | 'later'
>;

export interface CountedFacts extends Pick<QuorumProgress, 'signed' | 'wanted'> {
  readonly isMet: MeetsLock;
  readonly hasPreimage: Holdings<Uint8Array>['hasPreimage'];
}

/** Counts for a miniscript's open ways, or for all if none is open. */
export function countScript(root: Miniscript | undefined, facts: CountedFacts): SignatureCount {
  if (!root) return { have: facts.signed.length };
  const { isMet, hasPreimage } = facts;
  const finder: FindAmong = (meets) => (isSigned) => findCondition(root, { isMet: meets, isSigned, hasPreimage });
  const open = finder(isMet)(() => false);
  const find = finder(open ? isMet : () => true);
  const whole = open ?? find(() => false);
  const later = open ? laterWays(root, { ...facts, open, finder }) : [];
  return {
    ...countSignatures(facts, find),
    ...(whole && whole.least === whole.most && { required: whole.least }),
    of: new Set(collectKeys(root).map((key) => bytesKey(key))).size,
    ...(!open && whole && { isClosed: true, closedBy: closingLocks(root, isMet, finder) }),
    ...(later.length > 0 && { later }),
  };
}

export function countMultisig(
  multisig: { readonly required: number; readonly keys: readonly Uint8Array[] },
  facts: CountedFacts,
): SignatureCount {
  const { required, keys } = multisig;
  return { ...countSignatures(facts, (isSigned) => multisigCondition(multisig, isSigned)), required, of: keys.length };
}

type SignedTest = (key: Uint8Array) => boolean;
type FoundCondition = Condition<Uint8Array> | undefined;
/** Finds a condition with these locks met. */
type FindAmong = (meets: MeetsLock) => (isSigned: SignedTest) => FoundCondition;

/** Counts the signatures that the ways take: if these take different numbers, those of all their keys. */
function countSignatures(
  { signed, wanted }: Pick<CountedFacts, 'signed' | 'wanted'>,
  find: (isSigned: SignedTest) => FoundCondition,
): Pick<SignatureCount, 'have' | 'needed'> {
  const [signedBy, known] = [signersByName(signed), signersByName([...signed, ...wanted])];
  const [whole, left] = [find(() => false), find((key) => signedBy(key) !== undefined)];
  if (!whole || !left) return { have: signed.length };
  const keys = new Map(conditionKeys(whole).map((key) => [bytesKey(key), key]));
  const isExact = whole.least === whole.most;
  const needed = isNothing(left) || left.size > SHOWN_NEEDS ? undefined : namedNeed(left, known);
  return {
    have: isExact ? whole.least - left.least : [...keys.values()].filter((key) => signedBy(key)).length,
    ...(needed && { needed }),
  };
}

type FindByName = (name: Uint8Array) => SignerReview | undefined;

const HASH_SIZE = 20;

/** A script names a key as it is, or by its hash. */
function signersByName(signers: readonly SignerReview[]): FindByName {
  const byKey = new Map(signers.map((signer) => [bytesKey(signer.publicKey), signer]));
  let byHash: ReadonlyMap<string, SignerReview> | undefined;
  return (name) => {
    if (name.length !== HASH_SIZE) return byKey.get(bytesKey(name));
    byHash ??= new Map(signers.map((signer) => [bytesKey(hash160(signer.publicKey)), signer]));
    return byHash.get(bytesKey(name));
  };
}

/** All keys of a P2WSH multisig. Also bounds the depth. */
const SHOWN_NEEDS = 20;

function namedNeed(condition: Condition<Uint8Array>, known: FindByName): Need {
  switch (condition.kind) {
    case 'signature': {
      const { key } = condition;
      return { kind: 'signature', signer: known(key) ?? { publicKey: key } };
    }
    case 'preimage':
      return { kind: 'preimage', name: condition.name, hash: condition.hash };
    default: {
      const { required, of } = condition;
      return { kind: 'some', required, of: of.map((one) => namedNeed(one, known)) };
    }
  }
}

const SHOWN_LOCKS = 5;

/** Lists what unmet locks would open, one at a time: further keys, or a way with fewer signatures. */
function laterWays(
  root: Miniscript,
  {
    signed,
    wanted,
    isMet,
    open,
    finder,
  }: CountedFacts & {
    readonly open: Condition<Uint8Array>;
    readonly finder: FindAmong;
  },
): readonly LaterWay[] {
  const known = signersByName([...signed, ...wanted]);
  const shown = new Set(conditionKeys(open).map((key) => bytesKey(key)));
  let { least } = open;
  return unmetLocks(root, isMet).flatMap((unmet): readonly LaterWay[] => {
    const later = finder(withMet(isMet, unmet))(() => false);
    if (!later) return [];
    const keys = conditionKeys(later).filter((key) => !shown.has(bytesKey(key)));
    const signers = new Map(keys.map((key) => [bytesKey(key), known(key) ?? { publicKey: key }] as const));
    const isFewer = later.least < least;
    for (const name of signers.keys()) shown.add(name);
    least = Math.min(least, later.least);
    if (signers.size === 0 && !isFewer) return [];
    return [{ ...unmet, signers: [...signers.values()], required: later.least }];
  });
}

/** Lists locks that suffice: one if one does, else all. */
function closingLocks(root: Miniscript, isMet: MeetsLock, finder: FindAmong): readonly UnmetLock[] {
  const locks = unmetLocks(root, isMet);
  const enough = locks.find((unmet) => finder(withMet(isMet, unmet))(() => false));
  return enough ? [enough] : locks;
}

const withMet =
  (isMet: MeetsLock, unmet: UnmetLock): MeetsLock =>
  (kind, lock) =>
    isMet(kind, lock) || isReached({ kind, lock }, unmet);

/** Lists the lowest locks, which open first. */
function unmetLocks(root: Miniscript, isMet: MeetsLock): readonly UnmetLock[] {
  const locks = new Map<string, UnmetLock>();
  for (const { fragment } of postOrder(root)) {
    if (fragment.kind !== 'older' && fragment.kind !== 'after') continue;
    const { kind, lock } = fragment;
    if (!isMet(kind, lock)) locks.set(`${kind}${lock}`, { kind, lock });
  }
  return [...locks.values()].sort((a, b) => a.lock - b.lock).slice(0, SHOWN_LOCKS);
}

/** Tells whether a lock is met as soon as another is. */
function isReached({ kind, lock }: UnmetLock, by: UnmetLock): boolean {
  if (kind !== by.kind) return false;
  if (kind === 'after') return lock <= by.lock && lock < LOCKTIME_THRESHOLD === by.lock < LOCKTIME_THRESHOLD;
  const [wants, has] = [parseRelativeLock(lock), parseRelativeLock(by.lock)];
  return wants.kind === has.kind && wants.value <= has.value;
}
