import { equalBytes } from '../bytes/compare.ts';
import { formatHex } from '../bytes/hex.ts';
import { keyFingerprint } from '../keys/bip32.ts';
import type { KeyOrigin } from '../keys/path.ts';
import { flatKeys, type SingleKey } from './joinPaths.ts';
import type { Descriptor } from './types.ts';

interface ContestedPlace {
  /** The position of the descriptor with the second key. */
  readonly index: number;
  /** Of the master key, in hex. */
  readonly fingerprint: string;
}

/**
 * Finds two different keys with the same origin: one is forged or damaged. A key without an origin is its own; the
 * fingerprint `00000000` stands for an unknown master key.
 * @see BIP380 "Key Expressions"
 */
export function findContestedPlace(descriptors: readonly Descriptor[]): ContestedPlace | undefined {
  const keysByPlace = new Map<string, SingleKey>();
  for (const [index, descriptor] of descriptors.entries()) {
    for (const key of flatKeys(descriptor)) {
      const { fingerprint: bytes, path } = masterOrigin(key);
      const fingerprint = formatHex(bytes);
      if (fingerprint === '00000000') continue;
      const place = [fingerprint, ...path].join('/');
      const other = keysByPlace.get(place);
      if (other && !areEqual(key, other)) return { index, fingerprint };
      // An extended key says more than the same key alone.
      if (other?.kind !== 'extended') keysByPlace.set(place, key);
    }
  }
  return undefined;
}

const masterOrigin = (key: SingleKey): KeyOrigin =>
  key.origin ?? { fingerprint: keyFingerprint(key.kind === 'fixed' ? key : key.key), path: [] };

function areEqual(key: SingleKey, other: SingleKey): boolean {
  if (!equalBytes(xCoordinate(key), xCoordinate(other))) return false;
  return key.kind === 'fixed' || other.kind === 'fixed' || equalBytes(key.key.chainCode, other.key.chainCode);
}

const xCoordinate = (key: SingleKey): Uint8Array =>
  (key.kind === 'fixed' ? key.publicKey : key.key.publicKey).subarray(1, 33);
