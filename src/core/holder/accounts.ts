import { equalBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { hash160 } from '../crypto/hash.ts';
import type { Descriptor, KeyExpression } from '../descriptors/types.ts';
import { formatPath, HARDENED, isHardened, type KeyOrigin } from '../keys/path.ts';
import type { Network } from '../network/networks.ts';
import { payToPubkey, payToWitness, wrapInWitness } from '../script/build.ts';
import { isOutputKey } from '../script/tapTree.ts';
import { classifyScript } from '../script/template.ts';

/** The scripts that one key alone spends. */
export type KeyScriptKind = 'pk' | 'pkh' | 'wpkh' | 'sh(wpkh)' | 'tr' | 'rawtr' | 'wsh(pk)';

/** Tells how a script pays to one key alone; `undefined` if it pays to another key, or may have other ways to spend. */
export function keyScriptKind(scriptPubKey: Uint8Array, publicKey: Uint8Array, ecc: Ecc): KeyScriptKind | undefined {
  const template = classifyScript(scriptPubKey);
  const isHash = (hash: Uint8Array): boolean => equalBytes(hash, hash160(publicKey));
  switch (template.type) {
    case 'pubkey':
      return equalBytes(template.pubkey, publicKey) ? 'pk' : undefined;
    case 'pubkeyhash':
      return isHash(template.hash) ? 'pkh' : undefined;
    case 'witness_v0_keyhash':
      return isHash(template.program) ? 'wpkh' : undefined;
    case 'scripthash':
      return equalBytes(template.hash, hash160(payToWitness(0, hash160(publicKey)))) ? 'sh(wpkh)' : undefined;
    case 'witness_v0_scripthash':
      return equalBytes(scriptPubKey, wrapInWitness(payToPubkey(publicKey))) ? 'wsh(pk)' : undefined;
    case 'witness_v1_taproot': {
      const internalKey = publicKey.slice(-32);
      if (isOutputKey(template.program, { internalKey, merkleRoot: undefined }, ecc)) return 'tr';
      return equalBytes(template.program, internalKey) ? 'rawtr' : undefined;
    }
    default:
      return undefined;
  }
}

/** The only key of a descriptor whose scripts it alone spends. */
export function loneKey(descriptor: Descriptor): KeyExpression | undefined {
  switch (descriptor.kind) {
    case 'pk':
    case 'pkh':
    case 'wpkh':
    case 'combo':
    case 'rawtr':
      return descriptor.key;
    case 'tr':
      return descriptor.leaves.length === 0 ? descriptor.key : undefined;
    case 'wsh':
      return descriptor.inner.kind === 'pk' ? descriptor.inner.key : undefined;
    case 'sh':
      return descriptor.inner.kind === 'wpkh' ? descriptor.inner.key : undefined;
    default:
      return undefined;
  }
}

/** The script that an account of a purpose has. @see BIP44, BIP49, BIP84, BIP86 */
const KINDS: ReadonlyMap<number, KeyScriptKind> = /* @__PURE__ */ new Map([
  [44, 'pkh'],
  [49, 'sh(wpkh)'],
  [84, 'wpkh'],
  [86, 'tr'],
]);

/** The purposes whose second step is a coin type. @see BIP48, BIP87, BIP352 */
const WITH_COIN: ReadonlySet<number> = /* @__PURE__ */ new Set([...KINDS.keys(), 48, 87, 352]);

/** The second step of the paths that a network's keys have. @see SLIP-0044 */
export const coinType = (network: Network): number => network.coinType ?? (network.isMain ? 0 : 1);

/** Regtest has no coins to lose, and its wallets often have the paths of the main network. */
const isOwnCoin = (coin: number, network: Network): boolean =>
  coin === HARDENED + coinType(network) || (network.name === 'regtest' && coin === HARDENED);

/** Tells whether a path names another network by its coin type. */
export function isOfOtherNetwork([purpose = 0, coin = 0]: KeyOrigin['path'], network: Network): boolean {
  return WITH_COIN.has(purpose - HARDENED) && isHardened(coin) && !isOwnCoin(coin, network);
}

/** The place of a key, and of the script that pays to it alone. */
export interface AccountPlace {
  /** Names the seed or key that the path begins at. */
  readonly seed: string;
  /** From the seed, or from the key if its own path is not known; empty for a single key. */
  readonly path: readonly number[];
  readonly kind: KeyScriptKind;
  /** The account and the hardening of the steps behind it, as a name. */
  readonly account: string;
  /** As the path has it: 0 for receiving, 1 for change. `undefined` for a single key. */
  readonly chain?: number;
  readonly index: number;
  /** The account number of a path of the usual form. */
  readonly number?: number;
}

/** Wallets search accounts up to this number. */
const MAX_NUMBER = 99;

/** Tells whether a restored wallet comes across a place by its own search. */
export const isSearched = ({ number }: Pick<AccountPlace, 'number'>): boolean =>
  number !== undefined && number <= MAX_NUMBER;

/** The number of the account that a path of the usual form names. */
function usualNumber(path: readonly number[], kind: KeyScriptKind, network: Network): number | undefined {
  const [purpose = 0, coin = 0, number = 0, chain = 0, index = 0, ...more] = path;
  const isUsual =
    path.length === 5 &&
    more.length === 0 &&
    KINDS.get(purpose - HARDENED) === kind &&
    isOwnCoin(coin, network) &&
    isHardened(number) &&
    chain <= 1 &&
    !isHardened(index);
  return isUsual ? number - HARDENED : undefined;
}

export function accountPlace(
  { seed, path, isWhole }: { readonly seed: string; readonly path: readonly number[]; readonly isWhole: boolean },
  kind: KeyScriptKind,
  network: Network,
): AccountPlace {
  const index = path.at(-1);
  if (index === undefined) return { seed, path, kind, account: 'key', index: 0 };
  const chain = path.at(-2);
  const hardening = [chain ?? 0, index].map(isHardened).join();
  const number = isWhole ? usualNumber(path, kind, network) : undefined;
  return {
    seed,
    path,
    kind,
    account: `${formatPath(path.slice(0, -2))} ${hardening}`,
    chain: (chain ?? 0) % HARDENED,
    index: index % HARDENED,
    ...(number !== undefined && { number }),
  };
}

/** Formats a place as `84h/0h/0h/1/5`. */
export const placePath = ({ path }: Pick<AccountPlace, 'path'>): string =>
  path.length === 0 ? 'the key itself' : formatPath(path).slice(1);
