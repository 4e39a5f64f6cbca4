import { compareBytes } from '../bytes/compare.ts';
import { hasPrivateKeys, singlePaths } from '../descriptors/derive.ts';
import { formatDescriptor } from '../descriptors/formatDescriptor.ts';
import { flatKeys, joinPaths, type SingleKey, textWithoutChains } from '../descriptors/joinPaths.ts';
import { keyExpressions, withKeys, withoutMarks, withoutSecretKeys } from '../descriptors/keyExpressions.ts';
import { policyTemplate } from '../descriptors/policyTemplate.ts';
import type { Descriptor, KeyExpression } from '../descriptors/types.ts';
import { type Network, networks } from '../network/networks.ts';
import { loneKey } from './accounts.ts';
import type { HeldKey } from './heldKey.ts';
import { MOST_REGISTRATIONS, type Registration, verifyRegistration, walletId } from './registration.ts';

/** A wallet as it is brought to a holder: in a file, by a program, or as what keys imply. */
export interface OfferedWallet {
  readonly descriptor: Descriptor;
  /** How texts call it: `seed words, P2WPKH account 0`. */
  readonly name?: string;
  /** Searches so many indexes if the claims do not lead to the coins, at least as many as usual. */
  readonly gapLimit?: number;
  /** What its file says of registrations. */
  readonly registered?: {
    readonly name: string;
    readonly retires: readonly string[];
    readonly registrations: readonly Registration[];
  };
}

/**
 * What makes a wallet the signer's: a valid registration, or without any key at hand that it is listed. The policy of a
 * wallet with no root is only what its file says.
 */
export type WalletRoot = 'registered' | 'listed' | 'none';

/**
 * Why a wallet with registrations, or beside registered ones, is not registered: a registration under the fingerprint of a key
 * at hand is not one that this key made (`forged`), it has the key of a registered wallet (`shares-key`), or no key at hand
 * can verify its registrations (`other-root`).
 */
export type WalletFault = 'forged' | 'shares-key' | 'other-root';

/** Tells whether a wallet may be a changed copy of one that a key at hand registered. */
export const isAltered = ({ fault }: Pick<HeldWallet, 'fault'>): boolean =>
  fault === 'forged' || fault === 'shares-key';

/** A wallet in the hands of a holder. */
export interface HeldWallet {
  /** The positions of the offered wallets that are this one. */
  readonly positions: readonly number[];
  /** How texts call it. */
  readonly title: string;
  /** The name of a registered wallet, or without keys at hand of one that its file calls registered. */
  readonly name?: string;
  /** True if another wallet at hand has the name. */
  readonly sharesName: boolean;
  /** In hex, if its policy has extended keys. */
  readonly id?: string;
  /** One for each chain. */
  readonly chains: readonly Descriptor[];
  readonly root: WalletRoot;
  readonly fault?: WalletFault;
  /** As in `OfferedWallet`. */
  readonly gapLimit?: number;
  /** A registered wallet at hand has replaced it. */
  readonly isRetired: boolean;
  /** True if each key with a wildcard has the chains 0 and 1, as wallets have them. */
  readonly hasUsualChains: boolean;
  /** The expressions of keys at hand in each chain. */
  readonly mine: ReadonlySet<SingleKey>;
  /** The keys at hand from which those are derived. */
  readonly roots: readonly HeldKey[];
  readonly keyCount: number;
  /** The key that alone spends its coins, if it is at hand, or the wallet is listed. */
  readonly oneKey?: { readonly written: SingleKey; readonly root?: RootPath };
}

/** A key at hand, and the steps from it to the key of an expression. */
interface RootPath {
  readonly held: HeldKey;
  readonly path: readonly number[];
}

/** Finds the keys that prove an expression to be the holder's. */
export type FindRoots = (key: SingleKey) => readonly RootPath[];

export function createHeldWallets(
  offered: readonly OfferedWallet[],
  {
    network,
    findRoots,
    hasKeys,
  }: { readonly network: Network; readonly findRoots: FindRoots; readonly hasKeys: boolean },
): readonly HeldWallet[] {
  const judged = mergeSame(joinChains(offered).map((wallet) => judgeWallet(wallet, { network, findRoots, hasKeys })));
  const registered = judged.filter(({ root }) => root === 'registered');
  const retired = new Set(registered.flatMap(({ retires }) => retires));
  const registeredKeys = new Set(registered.flatMap(({ mineNames }) => mineNames));
  return judged.map(({ matchText: _, retires: __, mineNames, ...wallet }) => {
    const sharesKey = wallet.root === 'none' && !wallet.oneKey && mineNames.some((name) => registeredKeys.has(name));
    return {
      ...wallet,
      sharesName: wallet.name !== undefined && judged.filter(({ name }) => name === wallet.name).length > 1,
      ...(sharesKey && wallet.fault !== 'forged' && { fault: 'shares-key' as const }),
      isRetired: wallet.id !== undefined && retired.has(wallet.id),
    };
  });
}

type JoinedWallet = OfferedWallet & { readonly positions: readonly number[] };

/**
 * Joins descriptors that differ in 0 and 1 at every key, as Core exports them, and reads one with only 0 there as both.
 * Nothing else is joined: another step could be another person's wallet.
 */
function joinChains(offered: readonly OfferedWallet[]): readonly JoinedWallet[] {
  const groups = new Map<string, JoinedWallet[]>();
  const joined: JoinedWallet[] = [];
  for (const [position, wallet] of offered.entries()) {
    const chain = soleChain(wallet.descriptor);
    const one = { ...wallet, positions: [position] };
    if (chain === undefined) joined.push(one);
    else {
      const name = textWithoutChains(wallet.descriptor);
      groups.set(name, [...(groups.get(name) ?? []), one]);
    }
  }
  for (const group of groups.values()) {
    const receive = group.find(({ descriptor }) => soleChain(descriptor) === 0);
    const change = group.find(({ descriptor }) => soleChain(descriptor) === 1);
    const whole = receive && change && joinPaths(receive.descriptor, change.descriptor);
    if (whole) {
      joined.push({ ...receive, descriptor: whole, positions: group.flatMap(({ positions }) => positions) });
    } else if (receive && !change) {
      joined.push({ ...receive, descriptor: withKeys(receive.descriptor, withBothChains) });
    } else joined.push(...group);
  }
  return joined.sort((a, b) => (a.positions[0] ?? 0) - (b.positions[0] ?? 0));
}

/** The chain of a single-path descriptor whose keys all have the same one of 0 and 1 before the wildcard. */
function soleChain(descriptor: Descriptor): number | undefined {
  const steps = keyExpressions(descriptor).flatMap(chainSteps);
  const [first] = steps;
  return (first === 0 || first === 1) && steps.every((step) => step === first) ? first : undefined;
}

/** A key with a wildcard has the step before it; one without has none. */
function chainSteps(key: KeyExpression): readonly (number | readonly number[] | undefined)[] {
  if (key.kind === 'fixed') return [];
  if (key.wildcard !== 'none') return [key.path.at(-1)];
  return key.kind === 'musig' ? key.participants.flatMap(chainSteps) : [];
}

function withBothChains(key: KeyExpression): KeyExpression {
  if (key.kind === 'fixed') return key;
  if (key.wildcard !== 'none') return { ...key, path: [...key.path.slice(0, -1), [0, 1]] };
  return key.kind === 'musig' ? { ...key, participants: key.participants.map(withBothChains) } : key;
}

const hasUsualChains = (descriptor: Descriptor): boolean => {
  const steps = keyExpressions(descriptor).flatMap(chainSteps);
  return steps.length > 0 && steps.every((step) => Array.isArray(step) && step.join() === '0,1');
};

function knowsMore(a: JudgedWallet, b: JudgedWallet): boolean {
  if (a.mine.size !== b.mine.size) return a.mine.size > b.mine.size;
  return a.chains.some(hasPrivateKeys) && !b.chains.some(hasPrivateKeys);
}

/** Merges exports of one wallet: a registered one counts. */
function mergeSame(wallets: readonly JudgedWallet[]): readonly JudgedWallet[] {
  const byText = new Map<string, JudgedWallet>();
  for (const wallet of wallets) {
    const same = byText.get(wallet.matchText);
    const [first, second] =
      same && (same.root === 'registered' || wallet.root !== 'registered') ? [same, wallet] : [wallet, same];
    // An export without origins or private keys proves and signs less.
    const { chains, mine, roots, mineNames, oneKey } = second && knowsMore(second, first) ? second : first;
    const { oneKey: _, ...named } = first;
    const fault = first.root === 'registered' ? undefined : (first.fault ?? second?.fault);
    const positions = [...(same?.positions ?? []), ...wallet.positions];
    byText.set(wallet.matchText, {
      ...named,
      ...{ chains, mine, roots, mineNames, positions },
      ...(oneKey && { oneKey }),
      ...(fault && { fault }),
    });
  }
  return [...byText.values()];
}

/**
 * Writes a descriptor so that exports of the same wallet are equal: without origins, private keys and the order of sorted
 * keys, which derive no other script.
 */
function matchText(descriptor: Descriptor): string {
  return formatDescriptor(withSortedKeys(withoutMarks(withKeys(descriptor, withoutOrigin))), networks.main);
}

function withoutOrigin(key: KeyExpression): KeyExpression {
  if (key.kind === 'musig') return { ...key, participants: key.participants.map(withoutOrigin) };
  const { origin: _, ...rest } = withoutSecretKeys(key) as SingleKey;
  if (rest.kind === 'fixed') return rest;
  return { ...rest, key: { ...rest.key, depth: 0, childNumber: 0, parentFingerprint: new Uint8Array(4) } };
}

function withSortedKeys(descriptor: Descriptor): Descriptor {
  switch (descriptor.kind) {
    case 'sortedmulti':
    case 'sortedmulti_a':
      return { ...descriptor, keys: [...descriptor.keys].sort(compareKeys) };
    case 'sh':
    case 'wsh':
      return { ...descriptor, inner: withSortedKeys(descriptor.inner) };
    case 'tr':
      return {
        ...descriptor,
        leaves: descriptor.leaves.map(({ depth, script }) => ({ depth, script: withSortedKeys(script) })),
      };
    default:
      return descriptor;
  }
}

const publicKeyOf = (key: KeyExpression): Uint8Array => {
  if (key.kind === 'musig') return publicKeyOf(key.participants[0] as KeyExpression);
  return key.kind === 'fixed' ? key.publicKey : key.key.publicKey;
};

const compareKeys = (a: KeyExpression, b: KeyExpression): number => compareBytes(publicKeyOf(a), publicKeyOf(b));

type JudgedWallet = Omit<HeldWallet, 'sharesName' | 'isRetired'> & {
  readonly matchText: string;
  readonly retires: readonly string[];
  readonly mineNames: readonly string[];
};

function judgeWallet(
  { descriptor, positions, name, gapLimit, registered }: JoinedWallet,
  {
    network,
    findRoots,
    hasKeys,
  }: { readonly network: Network; readonly findRoots: FindRoots; readonly hasKeys: boolean },
): JudgedWallet {
  const policy = { ...policyTemplate(descriptor, network), network };
  const chains = singlePaths(descriptor);
  const roots = new Map(flatKeys(descriptor).map((key) => [identityOf(key), findRoots(key)]));
  const rootsOf = (key: SingleKey): readonly RootPath[] => roots.get(identityOf(key)) ?? [];
  const mine = new Set(chains.flatMap(flatKeys).filter((key) => rootsOf(key).length > 0));
  const held = new Set([...roots.values()].flat().map((root) => root.held));
  const verdict = registered && judgeRegistrations(registered, { policy, roots: [...held] });
  const id = policy.keys.length > 0 ? walletId(policy) : undefined;
  const oneKey = oneKeyOf(descriptor, rootsOf, hasKeys);
  const root = verdict === 'valid' ? 'registered' : hasKeys ? 'none' : 'listed';
  return {
    positions,
    ...(id !== undefined && { id }),
    ...(gapLimit !== undefined && { gapLimit }),
    ...(root !== 'none' && registered && { name: registered.name }),
    title: registered && root === 'registered' ? registeredTitle(registered.name, id) : (name ?? titleAt(positions[0])),
    chains,
    root,
    ...(root === 'none' && verdict !== 'valid' && verdict && { fault: verdict }),
    hasUsualChains: hasUsualChains(descriptor),
    mine,
    roots: [...held],
    keyCount: chains.reduce((count, chain) => count + flatKeys(chain).length, 0),
    ...(oneKey && { oneKey }),
    matchText: matchText(descriptor),
    retires: root === 'registered' ? (registered?.retires ?? []) : [],
    mineNames: [...roots].flatMap(([key, found]) => (found.length > 0 ? [key] : [])),
  };
}

const registeredTitle = (name: string, id = ''): string => `"${name}" ${id.slice(0, 8)}`;
const titleAt = (position = 0): string => `descriptor ${position + 1}`;

/** With keys at hand, only what they derive is of one key; without, what the file says. */
function oneKeyOf(
  descriptor: Descriptor,
  rootsOf: (key: SingleKey) => readonly RootPath[],
  hasKeys: boolean,
): HeldWallet['oneKey'] {
  const written = loneKey(descriptor);
  if (!written || written.kind === 'musig') return undefined;
  const [root] = rootsOf(written);
  return root || !hasKeys ? { written, ...(root && { root }) } : undefined;
}

/** The key of an expression, whatever path follows. */
function identityOf(key: SingleKey): string {
  const written = key.kind === 'fixed' ? key.publicKey : [...key.key.publicKey, ...key.key.chainCode];
  const { fingerprint = [], path = [] } = key.origin ?? {};
  return [[...written].join(), [...fingerprint].join(), path.join()].join(' ');
}

/** A token counts only under a root from which a key of the policy is derived. */
function judgeRegistrations(
  { name, retires, registrations }: NonNullable<OfferedWallet['registered']>,
  {
    policy,
    roots,
  }: {
    readonly policy: Parameters<typeof walletId>[0];
    readonly roots: readonly HeldKey[];
  },
): 'valid' | WalletFault | undefined {
  const wallet = { ...policy, name, retires };
  const verdicts = registrations
    .slice(0, MOST_REGISTRATIONS)
    .flatMap((registration) => roots.map((root) => verifyRegistration(root, wallet, registration)));
  if (verdicts.includes('valid')) return 'valid';
  if (verdicts.includes('invalid')) return 'forged';
  return verdicts.length > 0 ? 'other-root' : undefined;
}
