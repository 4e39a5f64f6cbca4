import { formatAddress } from '../../core/address/address.ts';
import { assertText } from '../../core/bytes/assertText.ts';
import { formatHex } from '../../core/bytes/hex.ts';
import { assertKnownOptions, assertShape, isObject, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { assertDescriptor } from '../../core/descriptors/assertDescriptor.ts';
import { createDeriver, hasPrivateKeys } from '../../core/descriptors/derive.ts';
import { flatKeys } from '../../core/descriptors/joinPaths.ts';
import type { HashName } from '../../core/descriptors/miniscript/index.ts';
import { fragmentsIn } from '../../core/descriptors/miniscriptsIn.ts';
import { type PolicyTemplate, policyTemplate } from '../../core/descriptors/policyTemplate.ts';
import type { Descriptor } from '../../core/descriptors/types.ts';
import { BtcError } from '../../core/errors.ts';
import { assertWalletIds } from '../../core/holder/assertParts.ts';
import { findStatedContradictions } from '../../core/holder/contradictions.ts';
import { type WalletControl, walletControl } from '../../core/holder/control.ts';
import { fingerprintOf, type HeldKey } from '../../core/holder/heldKey.ts';
import type { HeldWallet } from '../../core/holder/heldWallets.ts';
import { createHolder, type Holder } from '../../core/holder/holder.ts';
import { type RegisteredWallet, registerWallet } from '../../core/holder/registration.ts';
import { type WalletKey, walletKeys } from '../../core/holder/walletKeys.ts';
import type { Network } from '../../core/network/networks.ts';
import { contradictionText } from '../../core/report/findingParts.ts';
import { SEQUENCE_LOCKTIME_MASK } from '../../core/tx/relativeLock.ts';
import type { WalletFile } from '../account/walletFiles/walletFile.ts';
import { readPolicy } from './walletPolicy.ts';

/** What a person must see before registering a wallet. */
export interface WalletProposal extends PolicyTemplate {
  readonly network: Network;
  /** In hex. */
  readonly id: string;
  /** The name that the file suggests: its maker chose it. */
  readonly suggestedName?: string;
  /** What others can do without the signer, and the signer alone; `controlTexts` words it. */
  readonly control: WalletControl;
  /** What must be known to spend, besides keys. */
  readonly hashes: readonly { readonly name: HashName; readonly hash: string }[];
  readonly walletKeys: readonly WalletKey[];
  /** At index 0. */
  readonly addresses: { readonly receive: string; readonly change: string };
  /** Registered wallets at hand that share a key or the suggested name, with the keys that only one of both has. */
  readonly related: readonly {
    readonly title: string;
    readonly id: string;
    readonly missing: readonly string[];
    readonly added: readonly string[];
  }[];
  /** The registered wallets at hand, whose names are taken. */
  readonly registered: readonly Pick<HeldWallet, 'title' | 'name' | 'id'>[];
  /** Registrations under other keys, which no key at hand can verify: they hold for the same name and `retires` only. */
  readonly carried?: NonNullable<WalletFile['registered']>;
  /** Keeps the keys that may register it, and signs with none of them. */
  readonly roots: () => readonly HeldKey[];
}

function refuse(message: string): never {
  throw new BtcError('policies/registration', { what: 'wallet' }, `This wallet cannot be registered: ${message}`);
}

/**
 * Inspects a wallet that the person may register: what others can do without the signer and when, what the signer can do
 * alone, and each key, proven by a key at hand or only named by the file.
 * @throws `policies/registration` for a wallet without a proven key, that cannot be spent with it, or whose statements about
 * keys contradict each other; `policies/unsupported`, `walletfile/*`
 */
export function proposeWallet(
  file: Pick<WalletFile, 'descriptors' | 'network' | 'name' | 'registered'>,
  holder: Holder,
): WalletProposal {
  assertShape('file', isObject(file) && Array.isArray(file.descriptors), 'what parseWalletFile returns');
  const { network, ecc, keys } = holder;
  const [descriptor, ...more] = file.descriptors;
  if (!descriptor || more.length > 0) return refuse('its file has no descriptor, or several: give one wallet');
  assertDescriptor(descriptor, 'descriptors[0]');
  if (file.network && file.network.name !== network.name)
    refuse(`it is for ${file.network.name}, not for ${network.name}`);
  if (hasPrivateKeys(descriptor))
    refuse('its file holds private keys, which its maker has, too: give public descriptors');
  if (keys.length === 0) refuse('no key is at hand: give the seed words or keys of the signer');
  const policy = policyTemplate(descriptor, network);
  // Reading it as a policy refuses what no policy expresses: keys that stand twice, or chains in another form.
  readPolicy({ name: file.name ?? 'wallet', ...policy }, { network, ecc });
  const [wallet] = createHolder({ network, ecc, keys, wallets: [{ descriptor }] }).wallets;
  if (!wallet?.id) return refuse('it has no extended keys');
  assertSafe(wallet, holder);
  const carried = carriedBy(file, wallet.roots);
  return {
    ...policy,
    network,
    id: wallet.id,
    ...(file.name !== undefined && { suggestedName: file.name }),
    control: walletControl(wallet),
    hashes: hashesIn(descriptor),
    walletKeys: walletKeys([wallet], network),
    addresses: addressesOf(wallet, holder),
    related: relatedWallets(wallet, file.name, holder),
    registered: holder.wallets.filter(({ root }) => root === 'registered'),
    ...(carried && { carried }),
    roots: () => wallet.roots,
  };
}

function assertSafe(wallet: HeldWallet, holder: Holder): void {
  const [single] = wallet.chains;
  if (!single) return;
  if (wallet.mine.size === 0) {
    refuse('none of its keys is yours, whatever fingerprints its file names: a key at hand must derive one');
  }
  for (const key of flatKeys(single)) {
    if (key.kind === 'extended' && key.wildcard === 'hardened')
      refuse('its addresses need private keys (a hardened wildcard)');
  }
  const [contradiction] = findStatedContradictions(holder, [wallet]);
  if (contradiction) refuse(contradictionText(contradiction));
  for (const fragment of fragmentsIn(single)) {
    if (fragment.kind === 'older' && fragment.lock > SEQUENCE_LOCKTIME_MASK)
      refuse(`older(${fragment.lock}) is not a number of blocks from 1 to 65535, as hardware signers take it`);
  }
  const { together, others } = walletControl(wallet);
  if (together === Number.POSITIVE_INFINITY) {
    refuse(
      others === Number.POSITIVE_INFINITY
        ? 'no one can ever spend its coins'
        : 'your key can help in no way to spend its coins without a secret of others',
    );
  }
}

/** The keys at hand register it anew. */
function carriedBy(
  { registered }: Pick<WalletFile, 'registered'>,
  roots: readonly HeldKey[],
): WalletProposal['carried'] {
  const own = roots.map((root) => formatHex(fingerprintOf(root)));
  const registrations = registered?.registrations.filter(({ fingerprint }) => !own.includes(fingerprint)) ?? [];
  return registered && registrations.length > 0 ? { ...registered, registrations } : undefined;
}

const hashesIn = (descriptor: Descriptor): WalletProposal['hashes'] =>
  fragmentsIn(descriptor).flatMap((fragment) =>
    fragment.kind === 'hash' ? [{ name: fragment.name, hash: formatHex(fragment.hash) }] : [],
  );

function addressesOf({ chains }: HeldWallet, { network, ecc }: Holder): WalletProposal['addresses'] {
  const [receive = '', change = receive] = chains.map((chain) => {
    const [script] = createDeriver(chain, { ecc })(0).scriptPubKeys;
    return (script && formatAddress(script, network)) ?? '';
  });
  return { receive, change };
}

/** Compares a wallet with those that are registered, so that a replaced key shows. */
function relatedWallets(
  wallet: HeldWallet,
  name: string | undefined,
  { wallets, network }: Holder,
): WalletProposal['related'] {
  const keysOf = ({ chains: [chain] }: HeldWallet): readonly string[] =>
    chain ? policyTemplate(chain, network).keys : [];
  const own = keysOf(wallet);
  return wallets.flatMap((other) => {
    if (other.root !== 'registered' || other.id === undefined || other.id === wallet.id) return [];
    const keys = keysOf(other);
    const isRelated = other.name === name || keys.some((key) => own.includes(key));
    if (!isRelated) return [];
    const missing = keys.filter((key) => !own.includes(key));
    const added = own.filter((key) => !keys.includes(key));
    return [{ title: other.title, id: other.id, missing, added }];
  });
}

/** Options of `registerProposal`. */
export interface RegisterOptions {
  /** As the person typed it, not as the file suggests it. */
  readonly name: string;
  /** The ids of wallets that it replaces: what pays to them is refused from then on. */
  readonly replaces?: readonly string[];
}

const REGISTER_OPTIONS: OptionNames<RegisterOptions> = { name: 'needed', replaces: true };

/**
 * Registers a wallet by each key at hand that takes part in it, and returns the file that serves all cosigners: Ledger's
 * members `name`, `descriptor_template` and `keys_info`, with `network`, `retires` and `registrations`.
 * @throws `holder/name` for a name that is empty, too long or not ASCII, or that may be a secret; `policies/registration` for one in use
 */
export function registerProposal(proposal: WalletProposal, options: RegisterOptions): string {
  assertKnownOptions(options, REGISTER_OPTIONS);
  const { name, replaces: retires = [] } = options;
  assertText('name', name);
  assertWalletIds('replaces', retires);
  assertShape('proposal', typeof proposal?.roots === 'function', 'what proposeWallet returns');
  const { template, keys, network, id: own, registered, carried } = proposal;
  if (retires.includes(own)) refuse('a wallet cannot replace itself');
  const namesake = registered.find(
    (wallet) => wallet.name === name && wallet.id !== own && !retires.includes(wallet.id ?? ''),
  );
  if (namesake) refuse(`${namesake.title} has this name: choose another, or replace that wallet`);
  const wallet: RegisteredWallet = { template, keys, network, name, retires };
  const added = proposal.roots().map((root) => registerWallet(root, wallet));
  const isSame = carried?.name === name && carried.retires.join() === retires.join();
  return `${JSON.stringify(
    {
      name,
      descriptor_template: template,
      keys_info: keys,
      network: network.name,
      retires,
      registrations: [...(isSame ? carried.registrations : []), ...added],
    },
    null,
    2,
  )}\n`;
}
