import { networks } from '../network/networks.ts';
import { singlePaths } from './derive.ts';
import { formatDescriptor } from './formatDescriptor.ts';
import { keyExpressions, withKeys, withoutMarks } from './keyExpressions.ts';
import type { Descriptor, ExtendedKeyExpression, KeyExpression, Musig2Key } from './types.ts';

/**
 * Joins two descriptors that differ in one step of each path, and in nothing else: the inverse of `singlePaths`.
 * @see BIP389
 */
export function joinPaths(first: Descriptor, second: Descriptor): Descriptor | undefined {
  const others = keyExpressions(second);
  const joined = keyExpressions(first).map((key, i) => joinKeys(key, others[i]));
  let next = 0;
  const whole = withKeys(first, (key) => joined[next++] ?? key);
  const parts = singlePaths(whole);
  const isWhole = [first, second].every((original, i) => parts[i] !== undefined && isSame(original, parts[i]));
  return parts.length === 2 && isWhole ? whole : undefined;
}

function isSame(first: Descriptor, second: Descriptor): boolean {
  return comparedText(first) === comparedText(second);
}

/** Ignores the marks of hardened steps, and private keys. */
export function comparedText(descriptor: Descriptor): string {
  return formatDescriptor(withoutMarks(descriptor), networks.main);
}

/** Also ignores the last steps, in which a wallet's receive and change descriptors differ. */
export function textWithoutChains(descriptor: Descriptor): string {
  return comparedText(withKeys(descriptor, withoutChain));
}

function withoutChain(key: KeyExpression): KeyExpression {
  if (key.kind === 'fixed') return key;
  const path = key.path.slice(0, -1);
  return key.kind === 'musig' ? { ...key, path, participants: key.participants.map(withoutChain) } : { ...key, path };
}

export type SingleKey = Exclude<KeyExpression, Musig2Key>;

/** Includes the participants of each aggregate. */
export function flatKeys(descriptor: Descriptor): readonly SingleKey[] {
  const flat = (key: KeyExpression): readonly SingleKey[] =>
    key.kind === 'musig' ? key.participants.flatMap(flat) : [key];
  return keyExpressions(descriptor).flatMap(flat);
}

/** Returns `key` if the paths cannot be joined, which the caller notices. */
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
