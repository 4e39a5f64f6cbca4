import { bytesKey, equalBytes } from '../../core/bytes/compare.ts';
import { withSecretKey } from '../../core/crypto/concealed.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { hash160 } from '../../core/crypto/hash.ts';
import { singlePaths } from '../../core/descriptors/derive.ts';
import { keyExpressions } from '../../core/descriptors/keyExpressions.ts';
import type { Descriptor } from '../../core/descriptors/types.ts';
import { unlessRefused } from '../../core/errors.ts';
import { deriveChild, type ExtendedKey, keyFingerprint } from '../../core/keys/bip32.ts';
import { isHardened, type KeyOrigin } from '../../core/keys/path.ts';
import { claimedCoin } from '../../core/psbt/format/inputCoin.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { type ClaimedKey, claimedKeys, mayBeginAt } from '../../core/review/claimedPlaces.ts';
import type { FindPlace } from '../../core/review/ownership.ts';
import { type KnownKey, NO_PROVIDER, type SigningProvider } from '../../core/signing/signingProvider.ts';
import { mayLeadToScanKey } from '../../core/silentPayments/keys.ts';

/** Steps that may always be derived; a few more for each input and output. Each costs a multiplication. */
const LEAST_STEPS = 200;
const STEPS_OF_MAP = 3;

export interface ClaimedProvider {
  readonly provider: SigningProvider;
  /**
   * The keys that may give shares of silent payments, which are products with points that a PSBT chooses: those of a scan
   * key would show all payments to its address.
   */
  readonly sharing: SigningProvider;
  /** Accepts only origins that begin at the extended key. */
  readonly publicKeyAt: (origin: KeyOrigin) => Uint8Array | undefined;
}

export interface ClaimSources {
  readonly own: ExtendedKey;
  readonly descriptors: readonly Descriptor[];
  /** Looks up where `descriptors` derive a script. */
  readonly findPlace: FindPlace;
}

/**
 * Gathers the private keys that a PSBT, or the descriptors of its coins, claim to derive from `own`, or from its master
 * key through it. A claim counts only if the derived key equals the stated one. The keys sign, but never prove change,
 * since the PSBT chooses their paths. Leaves out keys that `descriptors` hold, which the caller derives itself.
 */
export function createClaimedProvider(
  psbt: Psbt,
  { own, descriptors, findPlace }: ClaimSources,
  ecc: Ecc,
): ClaimedProvider {
  const maps = [
    ...psbt.inputs.map((input, index) => [...describedKeys(psbt, index, findPlace), ...claimedKeys(input)]),
    ...psbt.outputs.map(claimedKeys),
  ];
  const derive = createDerive(own, ecc, LEAST_STEPS + STEPS_OF_MAP * maps.length);
  const fingerprint = keyFingerprint(own);
  const isOfDescriptor = placeFinder(own, descriptors, derive);
  const named = inTurns(maps).flatMap((claim) =>
    pathsBelow(own, fingerprint, claim.origin).flatMap((path) => {
      const key = isOfDescriptor(path) ? undefined : derive(path);
      if (!key?.secretKey || !isNamed(key, claim)) return [];
      const keyPair = withSecretKey({ publicKey: key.publicKey }, key.secretKey);
      return [{ keyPair, scans: mayLeadToScanKey(own, path) }];
    }),
  );
  const provider = { ...NO_PROVIDER, ...findersOf(named.map(({ keyPair }) => keyPair)) };
  const sharing = { ...NO_PROVIDER, ...findersOf(named.flatMap(({ keyPair, scans }) => (scans ? [] : [keyPair]))) };
  const publicKeyAt = ({ fingerprint: start, path }: KeyOrigin): Uint8Array | undefined =>
    equalBytes(start, fingerprint) ? derive(path)?.publicKey : undefined;
  return { provider, sharing, publicKeyAt };
}

function findersOf(keys: readonly KnownKey[]): Pick<SigningProvider, 'key' | 'xOnlyKey' | 'publicKey'> {
  const byHash = new Map(keys.map((key) => [bytesKey(hash160(key.publicKey)), key]));
  const byX = new Map(keys.map((key) => [bytesKey(key.publicKey, 1), key]));
  return {
    key: (hash) => byHash.get(bytesKey(hash)),
    xOnlyKey: (publicKey) => byX.get(bytesKey(publicKey)),
    publicKey: (hash) => byHash.get(bytesKey(hash))?.publicKey,
  };
}

/** Lists the keys that a descriptor has for the coin, so that the PSBT need not name them. */
function describedKeys(psbt: Psbt, index: number, findPlace: FindPlace): readonly ClaimedKey[] {
  const coin = claimedCoin(psbt, index);
  return (coin && findPlace(coin.scriptPubKey)?.derived.keys) ?? [];
}

/** Takes the first claim of each input and output, then the second, so that one with many cannot starve others. */
function inTurns(maps: readonly (readonly ClaimedKey[])[]): readonly ClaimedKey[] {
  const claims = maps.flatMap((all) => all.map((claim, turn) => ({ claim, turn })));
  return claims.sort((a, b) => a.turn - b.turn).map(({ claim }) => claim);
}

const isNamed = (key: ExtendedKey, { publicKey }: ClaimedKey): boolean =>
  equalBytes(publicKey, publicKey.length === 32 ? key.publicKey.slice(1) : key.publicKey);

/** Recognizes unhardened indexes of descriptors with private keys, whose origins count only if they are true. */
function placeFinder(
  own: ExtendedKey,
  descriptors: readonly Descriptor[],
  derive: (path: readonly number[]) => ExtendedKey | undefined,
): (path: readonly number[]) => boolean {
  const fingerprint = keyFingerprint(own);
  const chains = descriptors
    .flatMap(singlePaths)
    .flatMap(keyExpressions)
    .flatMap((key) => {
      if (key.kind !== 'extended' || key.wildcard !== 'unhardened' || !key.key.secretKey) return [];
      const { path: above, fingerprint: written } = key.origin ?? { path: [], fingerprint };
      const parent = equalBytes(written, fingerprint) ? derive(above) : undefined;
      const isTrue =
        parent && equalBytes(parent.publicKey, key.key.publicKey) && equalBytes(parent.chainCode, key.key.chainCode);
      return isTrue ? [[...above, ...key.path].join()] : [];
    });
  const ownChains = new Set(chains);
  return (path) => !isHardened(path.at(-1) ?? 0) && ownChains.has(path.slice(0, -1).join());
}

/** A path may begin at the key itself, or at its master key. */
function pathsBelow(own: ExtendedKey, fingerprint: Uint8Array, claimed: KeyOrigin): readonly (readonly number[])[] {
  const { depth, childNumber } = own;
  const { path } = claimed;
  const isBelow = depth > 0 && path.length >= depth && path[depth - 1] === childNumber;
  return [...(mayBeginAt(fingerprint, claimed) ? [path] : []), ...(isBelow ? [path.slice(depth)] : [])];
}

/** Derives shared steps once, and at most `steps` in all. */
function createDerive(own: ExtendedKey, ecc: Ecc, steps: number): (path: readonly number[]) => ExtendedKey | undefined {
  const derived = new Map<string, ExtendedKey | undefined>();
  let budget = steps;
  return (path) => {
    let key: ExtendedKey | undefined = own;
    let name = '';
    for (const child of path) {
      name += `/${child}`;
      if (!derived.has(name)) {
        if (budget <= 0) return undefined;
        budget -= 1;
        const parent: ExtendedKey = key;
        derived.set(
          name,
          unlessRefused(() => deriveChild(parent, child, { ecc })),
        );
      }
      key = derived.get(name);
      if (!key) return undefined;
    }
    return key;
  };
}
