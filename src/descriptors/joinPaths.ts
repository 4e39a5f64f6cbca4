import { equalBytes } from '../bytes/compare.ts';
import { networks } from '../network/networks.ts';
import { singlePaths } from './derive.ts';
import { formatDescriptor } from './formatDescriptor.ts';
import { keyExpressions, withKeys, withoutMarks } from './keyExpressions.ts';
import type { Descriptor, ExtendedKeyExpression, KeyExpression, Musig2Key } from './types.ts';

/**
 * Joins two descriptors that differ in one step of each path, `/0/*` and `/1/*`, into one multipath descriptor; the
 * inverse of `singlePaths`.
 * @returns `undefined` if they differ in anything else
 * @see BIP389
 */
export function joinPaths(first: Descriptor, second: Descriptor): Descriptor | undefined {
  const others = keyExpressions(second);
  const joined = keyExpressions(first).map((key, i) => joinKeys(key, others[i]));
  let next = 0;
  const whole = withKeys(first, (key) => joined[next++] ?? key);
  const parts = singlePaths(whole);
  const isWhole = [first, second].every((given, i) => parts[i] !== undefined && isSame(given, parts[i]));
  return parts.length === 2 && isWhole ? whole : undefined;
}

/** Tells whether two descriptors derive the same scripts, however their paths are marked. */
function isSame(first: Descriptor, second: Descriptor): boolean {
  return comparedText(first) === comparedText(second);
}

/** Formats a descriptor for comparison: neither the marks of hardened steps nor private keys make a difference. */
export function comparedText(descriptor: Descriptor): string {
  return formatDescriptor(withoutMarks(descriptor), networks.main);
}

/**
 * Tells whether two descriptors can be the receive and the change descriptor of one wallet: their scripts have the same
 * form, and their keys are the same or come from the same master keys. Scripts without keys can belong together, too.
 */
export function areOfOneWallet(first: Descriptor, second: Descriptor): boolean {
  const [keys, others] = [flatKeys(first), flatKeys(second)];
  if (keys.length !== others.length || !haveOneForm(first, second)) return false;
  return keys.every((key, i) => isOfOneMaster(key, others[i]));
}

type SingleKey = Exclude<KeyExpression, Musig2Key>;

/** Lists the keys of a descriptor, with the participants of each aggregate key. */
export function flatKeys(descriptor: Descriptor): readonly SingleKey[] {
  const flat = (key: KeyExpression): readonly SingleKey[] =>
    key.kind === 'musig' ? key.participants.flatMap(flat) : [key];
  return keyExpressions(descriptor).flatMap(flat);
}

/** Tells whether two descriptors are equal but for their keys. */
function haveOneForm(first: Descriptor, second: Descriptor): boolean {
  const [key] = keyExpressions(first);
  if (key === undefined) return true;
  return isSame(
    withKeys(first, () => key),
    withKeys(second, () => key),
  );
}

const publicKeyOf = (key: SingleKey): Uint8Array => (key.kind === 'fixed' ? key.publicKey : key.key.publicKey);

function isOfOneMaster(key: SingleKey, other: SingleKey | undefined): boolean {
  if (other === undefined) return false;
  if (equalBytes(publicKeyOf(key), publicKeyOf(other))) return true;
  const [origin, otherOrigin] = [key.origin, other.origin];
  return origin !== undefined && otherOrigin !== undefined && equalBytes(origin.fingerprint, otherOrigin.fingerprint);
}

/** Joins the paths of two keys; returns the first key where they cannot be joined, which the caller then notices. */
function joinKeys(key: KeyExpression, other: KeyExpression | undefined): KeyExpression {
  if (other === undefined || key.kind === 'fixed' || other.kind !== key.kind) return key;
  if (key.kind === 'extended') return { ...key, path: joinSteps(key.path, other.path) };
  const { participants } = other as Musig2Key;
  return {
    ...key,
    path: joinSteps(key.path, other.path),
    participants: key.participants.map((part, i) => joinKeys(part, participants[i])),
  };
}

type Path = ExtendedKeyExpression['path'];

function joinSteps(path: Path, other: Path): Path {
  const different = path.flatMap((step, i) => (step === other[i] ? [] : [i]));
  const [place = 0] = different;
  const [step, otherStep] = [path[place], other[place]];
  if (different.length !== 1 || typeof step !== 'number' || typeof otherStep !== 'number') return path;
  return path.map((kept, i) => (i === place ? [step, otherStep] : kept));
}
