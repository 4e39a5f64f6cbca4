import { bytesKey, equalBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import type { Descriptor } from '../descriptors/types.ts';
import { unlessRefused } from '../errors.ts';
import { deriveChild, type ExtendedKey, fingerprintOf } from '../keys/bip32.ts';
import { isHardened, type KeyOrigin } from '../keys/path.ts';
import type { Psbt } from '../psbt/format/types.ts';
import { claimedKeys } from '../review/ownership.ts';

/** More chains and longer paths than an honest PSBT names; each step costs a point multiplication. */
const MAX_CHAINS = 100;
const MAX_PATH = 16;

/**
 * Builds descriptors for the places below an extended private key from which a PSBT claims to take keys: `combo()` for
 * keys in full, `tr()` for x-only ones. They derive the keys that sign, and verify change that pays to a single one of
 * them. A false claim derives another key than it names, which signs nothing.
 */
export function claimedDescriptors(psbt: Psbt, own: ExtendedKey, ecc: Ecc): readonly Descriptor[] {
  const derive = createDerive(own, ecc);
  const fingerprint = fingerprintOf(own);
  const found = new Map<string, Descriptor>();
  for (const { publicKey, origin } of [...psbt.inputs, ...psbt.outputs].flatMap(claimedKeys)) {
    const below = pathBelow(own, fingerprint, origin);
    if (!below || below.length > MAX_PATH || found.size >= MAX_CHAINS) continue;
    const kind = publicKey.length === 32 ? 'tr' : 'combo';
    const chain = chainOf(below);
    const name = `${kind} ${bytesKey(origin.fingerprint)} ${origin.path.length} ${chain.join('/')}`;
    const key = found.has(name) ? undefined : derive(chain.filter((step) => step !== '*' && step !== '*h'));
    if (key) found.set(name, describe(kind, key, chain, origin));
  }
  return [...found.values()];
}

type ChainStep = number | '*' | '*h';

/** Replaces the last step of a path, the index of a key, by a wildcard. */
function chainOf(path: readonly number[]): readonly ChainStep[] {
  const index = path.at(-1);
  return index === undefined ? [] : [...path.slice(0, -1), isHardened(index) ? '*h' : '*'];
}

function describe(
  kind: 'combo' | 'tr',
  key: ExtendedKey,
  chain: readonly ChainStep[],
  { fingerprint, path }: KeyOrigin,
): Descriptor {
  const last = chain.at(-1);
  const expression = {
    kind: 'extended',
    key,
    origin: { fingerprint, path: last === undefined ? path : path.slice(0, -1) },
    path: [],
    wildcard: last === '*' ? 'unhardened' : last === '*h' ? 'hardened' : 'none',
    mark: 'h',
  } as const;
  return kind === 'tr' ? { kind, key: expression, leaves: [] } : { kind, key: expression };
}

/** Returns the steps from a key down to a claimed origin; `undefined` if the origin cannot lie below the key. */
function pathBelow(own: ExtendedKey, fingerprint: Uint8Array, origin: KeyOrigin): readonly number[] | undefined {
  const { depth, childNumber } = own;
  if (depth === 0) return equalBytes(origin.fingerprint, fingerprint) ? origin.path : undefined;
  const isBelow = origin.path.length >= depth && origin.path[depth - 1] === childNumber;
  return isBelow ? origin.path.slice(depth) : undefined;
}

/** Derives along paths that share their first steps, each step once. */
function createDerive(own: ExtendedKey, ecc: Ecc): (path: readonly number[]) => ExtendedKey | undefined {
  const known = new Map<string, ExtendedKey | undefined>();
  const derive = (path: readonly number[]): ExtendedKey | undefined => {
    if (path.length === 0) return own;
    const name = path.join('/');
    if (known.has(name)) return known.get(name);
    const parent = derive(path.slice(0, -1));
    const key = parent && unlessRefused(() => deriveChild(parent, path.at(-1) ?? 0, ecc));
    known.set(name, key);
    return key;
  };
  return derive;
}
