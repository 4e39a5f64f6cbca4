import { formatAddress, parseAddress } from '../../core/address/address.ts';
import { assertKnownOptions } from '../../core/bytes/knownOptions.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import { createDeriver, type Derived, singlePaths } from '../../core/descriptors/derive.ts';
import type { Descriptor } from '../../core/descriptors/types.ts';
import { BtcError } from '../../core/errors.ts';
import type { HeldKey } from '../../core/holder/heldKey.ts';
import type { OfferedWallet } from '../../core/holder/heldWallets.ts';
import { createHolder, type Holder } from '../../core/holder/holder.ts';
import type { SilentWallet } from '../../core/holder/silentWallets.ts';
import {
  openJob,
  PSBT_OPTIONS,
  type PsbtOptions,
  reviewJob,
  SIGNING_OPTIONS,
  type SignedByAccount,
  type SigningOptions,
  signJob,
} from '../../core/job/job.ts';
import type { Network } from '../../core/network/networks.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import type { PsbtReview } from '../../core/review/reviewPsbt.ts';
import { type ScriptKey, scriptKey } from '../../core/script/scriptKey.ts';

type Chain = 'receive' | 'change';

/** An address of an account, with what a PSBT needs to spend from it. */
export interface AccountAddress {
  /** Empty for a script without an address, such as that of `pk()`. */
  readonly address: string;
  readonly scriptPubKey: Uint8Array;
  readonly chain: Chain;
  readonly index: number;
  readonly network: Network;
  readonly derived: Derived;
}

/** The keys and descriptors of one wallet on one network. */
export interface Account {
  readonly network: Network;
  /** Says what is the account's, for `reviewPsbt` and `signPsbt`. */
  readonly holder: Holder;
  /** Receive and change descriptors. Private keys are concealed: logs show `[secret]`, JSON leaves them out. */
  readonly descriptors: readonly Descriptor[];
  /** The height of the first block that may pay the wallet, if its descriptors or file say so. */
  readonly birthHeight?: number;
  /** How many unused addresses may lie before a used one, if its descriptors or file say so. */
  readonly gapLimit?: number;
  /**
   * Derives a receive address.
   * @throws `account/no-addresses` for multisig keys, and unless each index has exactly one script; `descriptor/range`,
   * `descriptor/underivable`
   */
  readonly receive: (index: number) => AccountAddress;
  /** Derives a change address, or a receive address without a change chain. @throws as `receive` */
  readonly change: (index: number) => AccountAddress;
  /**
   * Finds an own address by its text or scriptPubKey, among the first `limit` indexes of each chain, by default 1000, or
   * the gap limit if it is higher.
   * @throws `account/no-addresses`, and as `parseAddress`
   */
  readonly find: (wanted: string | Uint8Array, limit?: number) => AccountAddress | undefined;
  /** Adds the account's scripts, keys and origins to a PSBT. @throws as `parsePsbt`, `updatePsbt` */
  readonly update: (psbt: Psbt | string | Uint8Array) => Psbt;
  /** @throws as `parsePsbt`, `reviewPsbt` */
  readonly review: (psbt: Psbt | string | Uint8Array, options?: PsbtOptions) => PsbtReview;
  /**
   * Updates, reviews and signs a PSBT, and finalizes what is complete, unless `openReason` says what is left open.
   * @throws `policy/refused` if the review refuses it; `account/nothing-signed` if signing changed nothing; as `review`
   */
  readonly sign: (psbt: Psbt | string | Uint8Array, options?: SigningOptions) => SignedByAccount;
}

/** What an account is made of. */
export interface AccountParts extends Pick<Account, 'birthHeight' | 'gapLimit'> {
  readonly network: Network;
  readonly descriptors: readonly Descriptor[];
  /** How texts call the descriptors, and what their file says of registrations. */
  readonly sources?: readonly WalletSource[];
  /** The private keys that the person gave. */
  readonly keys?: readonly HeldKey[];
  /** Default: those that the keys have. */
  readonly silent?: readonly SilentWallet[];
  readonly unregistered?: Holder['unregistered'];
  readonly ecc?: Ecc;
  readonly chains?: Readonly<Record<Chain, Descriptor>>;
}

export type WalletSource = Omit<OfferedWallet, 'descriptor'>;

const SEARCHED = 1000;

export function holderOf({
  network,
  descriptors,
  sources = [],
  ecc = nobleEcc,
  keys = [],
  silent,
  unregistered,
}: AccountParts): Holder {
  return createHolder({
    network,
    ecc,
    keys,
    wallets: descriptors.map((descriptor, i) => ({ ...sources[i], descriptor })),
    ...(silent && { silent }),
    ...(unregistered && { unregistered }),
  });
}

export function createAccount(parts: AccountParts): Account {
  const { network, descriptors, chains, ecc = nobleEcc, birthHeight, gapLimit } = parts;
  const holder = holderOf(parts);
  const at = createAddresses(chains ?? splitChains(descriptors), network, ecc);
  return {
    network,
    holder,
    descriptors,
    ...(birthHeight !== undefined && { birthHeight }),
    ...(gapLimit !== undefined && { gapLimit }),
    receive: (index) => at('receive', index),
    change: (index) => at('change', index),
    find: createFind(at, network, Math.max(SEARCHED, gapLimit ?? 0)),
    update: (psbt) => openJob(psbt, holder).psbt,
    review: (psbt, options = {}) => {
      assertKnownOptions(options, PSBT_OPTIONS);
      return reviewJob(openJob(psbt, holder, sessionOptions(options)), options);
    },
    sign: (psbt, options = {}) => {
      assertKnownOptions(options, SIGNING_OPTIONS);
      const job = openJob(psbt, holder, { ...sessionOptions(options), addsShares: true });
      return signJob(job, reviewJob(job, options), options);
    },
  };
}

const sessionOptions = ({
  sighashType,
  sameReceiver,
}: PsbtOptions): Pick<PsbtOptions, 'sighashType' | 'sameReceiver'> => ({
  ...(sighashType !== undefined && { sighashType }),
  ...(sameReceiver && { sameReceiver }),
});

function splitChains([first]: readonly Descriptor[]): AccountParts['chains'] {
  if (!first) return undefined;
  const [receive = first, change = receive] = singlePaths(first);
  return { receive, change };
}

type AddressAt = (chain: Chain, index: number) => AccountAddress;

function createAddresses(chains: AccountParts['chains'], network: Network, ecc: Ecc): AddressAt {
  const derivers = chains && {
    receive: createDeriver(chains.receive, { ecc }),
    change: createDeriver(chains.change, { ecc }),
  };
  return (chain, index) => {
    if (!derivers) {
      const message = 'This account holds one signer’s multisig keys. Open the wallet’s descriptor to get addresses';
      throw new BtcError('account/no-addresses', {}, message);
    }
    const derived = derivers[chain](index);
    const [scriptPubKey, ...others] = derived.scriptPubKeys;
    // `combo()` has four scripts, and `unused()` none.
    if (!scriptPubKey || others.length > 0) {
      const message = 'The descriptor does not give exactly one script at each index, so the account has no addresses';
      throw new BtcError('account/no-addresses', {}, message);
    }
    return { address: formatAddress(scriptPubKey, network) ?? '', scriptPubKey, chain, index, network, derived };
  };
}

function createFind(at: AddressAt, network: Network, usualLimit: number): Account['find'] {
  const addresses = new Map<ScriptKey, AccountAddress>();
  let searched = 0;
  return (target, limit = usualLimit) => {
    const key = scriptKey(typeof target === 'string' ? parseAddress(target, network) : target);
    for (; searched < limit && !addresses.has(key); searched += 1) {
      for (const address of [at('receive', searched), at('change', searched)]) {
        addresses.set(scriptKey(address.scriptPubKey), address);
      }
    }
    const match = addresses.get(key);
    return match && match.index < limit ? match : undefined;
  };
}
