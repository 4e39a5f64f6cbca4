import { neuter } from '../keys/bip32.ts';
import { collectKeys, mapKeys } from './miniscript/index.ts';
import type { Descriptor, KeyExpression } from './types.ts';

/** Lists keys in the order of the text. */
export function keyExpressions(descriptor: Descriptor): readonly KeyExpression[] {
  switch (descriptor.kind) {
    case 'addr':
    case 'raw':
      return [];
    case 'sh':
    case 'wsh':
      return keyExpressions(descriptor.inner);
    case 'tr':
      return [descriptor.key, ...descriptor.leaves.flatMap(({ script }) => keyExpressions(script))];
    case 'miniscript':
      return collectKeys(descriptor.root);
    default:
      return 'keys' in descriptor ? descriptor.keys : [descriptor.key];
  }
}

export function withoutSecretKeys(key: KeyExpression): KeyExpression {
  if (key.kind === 'musig') return { ...key, participants: key.participants.map(withoutSecretKeys) };
  if (key.kind === 'extended') return { ...key, key: neuter(key.key) };
  const { secretKey: _secret, ...rest } = key;
  return rest;
}

export function withKeys(descriptor: Descriptor, replace: (key: KeyExpression) => KeyExpression): Descriptor {
  switch (descriptor.kind) {
    case 'addr':
    case 'raw':
      return descriptor;
    case 'sh':
    case 'wsh':
      return { ...descriptor, inner: withKeys(descriptor.inner, replace) };
    case 'tr': {
      const key = replace(descriptor.key);
      const leaves = descriptor.leaves.map(({ depth, script }) => ({ depth, script: withKeys(script, replace) }));
      return { ...descriptor, key, leaves };
    }
    case 'miniscript':
      return { ...descriptor, root: mapKeys(descriptor.root, replace) };
    default:
      return 'keys' in descriptor
        ? { ...descriptor, keys: descriptor.keys.map(replace) }
        : { ...descriptor, key: replace(descriptor.key) };
  }
}

/** Unifies `h` and `'`, so that texts can be compared. */
export const withoutMarks = (descriptor: Descriptor): Descriptor => withKeys(descriptor, withoutMark);

function withoutMark(key: KeyExpression): KeyExpression {
  return key.kind === 'musig' ? { ...key, participants: key.participants.map(withoutMark) } : { ...key, mark: "'" };
}
