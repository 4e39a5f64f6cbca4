import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import type { Descriptor } from '../../core/descriptors/types.ts';
import { BtcError } from '../../core/errors.ts';
import { heldKeysIn } from '../../core/holder/heldKey.ts';
import type { OfferedWallet } from '../../core/holder/heldWallets.ts';
import type { HolderParts } from '../../core/holder/holder.ts';
import { labelsUpTo } from '../../core/holder/silentWallets.ts';
import { type Account, type AccountParts, createAccount } from './account.ts';
import { ACCOUNT_OPTIONS, type AccountOptions, type Purpose } from './accountKeys.ts';
import { findChains } from './descriptorChains.ts';
import { silentPaymentParts } from './silentParts.ts';
import { parseWalletFile } from './walletFiles/parseWalletFile.ts';
import { WALLET_FILE_FORMATS, type WalletFile, walletsIn } from './walletFiles/walletFile.ts';

/** Options of an account of a wallet file. */
export interface WalletFileAccountOptions extends AccountOptions {
  /** The kind of addresses to use of several. Default: the most usual. */
  readonly purpose?: Exclude<Purpose, 48>;
}

const WALLET_FILE_OPTIONS: OptionNames<WalletFileAccountOptions> = { ...ACCOUNT_OPTIONS, purpose: true };

/**
 * Creates an account from any file that `parseWalletFile` reads. All its descriptors sign, if it has private keys.
 * `network` is needed for test networks, unless the file states it; any other network is refused.
 * @throws `account/purpose` if no descriptor has the wanted purpose; as `parseWalletFile`
 * @example
 * ```ts
 * import { accountFromWalletFile } from 'countersign';
 *
 * const zpub =
 *   'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
 * accountFromWalletFile(zpub).receive(0).address; // bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu
 * ```
 */
export function accountFromWalletFile(content: string | Uint8Array, options: WalletFileAccountOptions = {}): Account {
  assertKnownOptions(options, WALLET_FILE_OPTIONS);
  const { network, ...others } = options;
  const file = parseWalletFile(content, { ecc: others.ecc, ...(network !== undefined && { network }) });
  return createAccount(accountPartsFromWalletFile(file, others));
}

/** Lists what a holder takes of a file: its wallets, and the private keys in it. */
export function holdsOfFile(
  file: WalletFile,
  { ecc = nobleEcc }: Pick<AccountOptions, 'ecc'>,
): Required<Pick<HolderParts, 'wallets' | 'keys'>> & Pick<HolderParts, 'silent'> {
  const silent = file.silent.map(({ annotations, ...keys }) =>
    silentPaymentParts(keys, { labels: labelsUpTo(annotations.maxLabel), ecc }),
  );
  return {
    wallets: walletsIn(file),
    keys: [...heldKeysIn(file.descriptors), ...silent.flatMap(({ keys }) => keys)],
    ...(silent.length > 0 && { silent: silent.map((parts) => parts.silent) }),
  };
}

export function accountPartsFromWalletFile(
  file: WalletFile,
  { ecc = nobleEcc, purpose }: Omit<WalletFileAccountOptions, 'network'>,
): AccountParts {
  const { format, network, networks, birthHeight, gapLimit } = file;
  if (!network) {
    const [name, candidates] = [WALLET_FILE_FORMATS[format], networks.join(' or ')];
    const message = `The ${name} may be for ${candidates}: name the network`;
    throw new BtcError('walletfile/network', { format: name, found: candidates }, message);
  }
  if (file.descriptors.length === 0) {
    const message = 'The file describes a wallet of silent payments: open it with silentPaymentsFromDescriptor';
    throw new BtcError('account/no-addresses', {}, message);
  }
  const holds = holdsOfFile(file, { ecc });
  const wallets = ordered(holds.wallets, purpose);
  const descriptors = wallets.map(({ descriptor }) => descriptor);
  const gap = gapLimit === undefined ? {} : { gapLimit };
  return {
    network,
    ...holds,
    wallets,
    ...gap,
    ...(birthHeight !== undefined && { birthHeight }),
    ...findChains(descriptors),
    ecc,
  };
}

const KINDS: Readonly<Record<Exclude<Purpose, 48>, string>> = { 44: 'pkh', 49: 'sh(wpkh)', 84: 'wpkh', 86: 'tr' };

/** Returns a name such as `sh(wpkh)`. */
export const descriptorKind = (descriptor: Descriptor): string =>
  'inner' in descriptor ? `${descriptor.kind}(${descriptor.inner.kind})` : descriptor.kind;

function ordered(
  wallets: readonly OfferedWallet[],
  purpose: WalletFileAccountOptions['purpose'],
): readonly OfferedWallet[] {
  if (purpose === undefined) return wallets;
  const matching = wallets.filter(({ descriptor }) => descriptorKind(descriptor) === KINDS[purpose]);
  if (matching.length === 0) {
    const message = `The wallet file has no addresses of purpose ${purpose}: leave purpose out`;
    throw new BtcError('account/purpose', {}, message);
  }
  return [...matching, ...wallets.filter((wallet) => !matching.includes(wallet))];
}
