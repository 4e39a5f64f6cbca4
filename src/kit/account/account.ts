import { formatAddress, parseAddress } from '../../core/address/address.ts';
import { assertBytes } from '../../core/bytes/assertBytes.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { createDeriver, type Derived, singlePaths } from '../../core/descriptors/derive.ts';
import type { Descriptor } from '../../core/descriptors/types.ts';
import { BtcError } from '../../core/errors.ts';
import type { OfferedWallet } from '../../core/holder/heldWallets.ts';
import type { HolderParts } from '../../core/holder/holder.ts';
import type { Network } from '../../core/network/networks.ts';
import { type ScriptKey, scriptKey } from '../../core/script/scriptKey.ts';

type Chain = 'receive' | 'change';

/** An output with what a PSBT needs to spend it. */
export interface KnownOutput {
  /** Empty for a script without an address, such as that of `pk()`. */
  readonly address: string;
  readonly scriptPubKey: Uint8Array;
  readonly network: Network;
  readonly derived: Derived;
}

/** An address of an account. */
export interface AccountAddress extends KnownOutput {
  readonly chain: Chain;
  readonly index: number;
}

/** The keys and descriptors of one wallet on one network. */
export interface Account {
  readonly network: Network;
  /** What is the account's: `createHolder(account.holds)` is the holder for `reviewPsbt` and `signPsbt`. */
  readonly holds: HolderParts;
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
}

/** What an account is made of. */
export interface AccountParts extends HolderParts, Pick<Account, 'birthHeight' | 'gapLimit'> {
  readonly wallets: readonly OfferedWallet[];
  /** Default: those of the first descriptor. */
  readonly chains?: Readonly<Record<Chain, Descriptor>>;
}

const SEARCHED = 1000;

export function createAccount({ chains, birthHeight, gapLimit, ...holds }: AccountParts): Account {
  const { network, wallets, ecc } = holds;
  const descriptors = wallets.map(({ descriptor }) => descriptor);
  const at = createAddresses(chains ?? splitChains(descriptors), network, ecc);
  return {
    network,
    holds,
    descriptors,
    ...(birthHeight !== undefined && { birthHeight }),
    ...(gapLimit !== undefined && { gapLimit }),
    receive: (index) => at('receive', index),
    change: (index) => at('change', index),
    find: createFind(at, network, Math.max(SEARCHED, gapLimit ?? 0)),
  };
}

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
    if (typeof target !== 'string') assertBytes('wanted', target);
    const key = scriptKey(typeof target === 'string' ? parseAddress(target, network) : target);
    for (; searched < limit && !addresses.has(key); searched += 1) {
      // Without a change chain, both are the receive address.
      for (const address of [at('change', searched), at('receive', searched)]) {
        addresses.set(scriptKey(address.scriptPubKey), address);
      }
    }
    const match = addresses.get(key);
    return match && match.index < limit ? match : undefined;
  };
}
