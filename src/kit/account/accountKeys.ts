import { assertText } from '../../core/bytes/assertText.ts';
import { assertKnownOptions, invalidOption, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { withSecretKey } from '../../core/crypto/concealed.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import { joinAnnotations, parseAnnotatedDescriptor } from '../../core/descriptors/annotations.ts';
import { descriptorRules } from '../../core/descriptors/descriptorRules.ts';
import { flatKeys } from '../../core/descriptors/joinPaths.ts';
import { parseKey } from '../../core/descriptors/parseKey.ts';
import type { Descriptor, KeyExpression } from '../../core/descriptors/types.ts';
import { parseBase58Check } from '../../core/encoding/base58check.ts';
import { assertReadKeyForm } from '../../core/encoding/writtenSecrets.ts';
import { BtcError } from '../../core/errors.ts';
import { NEWEST } from '../../core/generations.ts';
import { heldKeyOf, heldKeysIn } from '../../core/holder/heldKey.ts';
import type { OfferedWallet } from '../../core/holder/heldWallets.ts';
import { accountBelow } from '../../core/holder/silentWallets.ts';
import { EXTENDED_KEY_SIZE, type ExtendedKey, formatXpub, masterKey, neuter } from '../../core/keys/bip32.ts';
import { ACCOUNT_DEPTH, HARDENED, isHardened } from '../../core/keys/path.ts';
import { type SeedWordsOptions, seedOfWords } from '../../core/keys/seedWords.ts';
import { type KeyScript, parseAnyExtendedKey } from '../../core/keys/slip132.ts';
import { parseWif, type WifKey } from '../../core/keys/wif.ts';
import { type Network, type NetworkOption, resolveNetwork } from '../../core/network/networks.ts';
import { type Account, type AccountParts, createAccount } from './account.ts';
import { findChains } from './descriptorChains.ts';

/** The BIP of the addresses: 44 P2PKH, 49 P2SH-P2WPKH, 84 P2WPKH, 86 P2TR; 48 for multisig keys, which have none. */
export type Purpose = 44 | 48 | 49 | 84 | 86;

/** Options of every account. */
export interface AccountOptions {
  /** Default `main`. */
  readonly network?: NetworkOption;
  /** Default `nobleEcc`. */
  readonly ecc?: Ecc;
}

/** Options of an account of one key. */
export interface KeyAccountOptions extends AccountOptions {
  /** Default: that of an extended key's prefix, else 84; 44 for uncompressed keys. */
  readonly purpose?: Purpose;
  /** Default 0. For an account's key, only its own number is valid. @see BIP44 "Account" */
  readonly account?: number;
  /**
   * Where the addresses of a master key lie, an extended key of depth 0: below an account such as `m/84h/0h/0h`, as BIP44 and
   * its successors say, or right below the key, in `m/0` and `m/1`, as Electrum's. Nothing in the key tells. No default; a
   * stated `account` says it, too.
   */
  readonly at?: 'account' | 'root';
  /**
   * Where the addresses of a master key lie, in place of an account: `m/0h/0/*` or `m/44h/0h/0h/<0;1>/*`; behind a hardened
   * last step, as in `m/0h`, both chains are meant. Needs `purpose`, unless the first step says it.
   */
  readonly path?: string;
}

/** Options of an account of seed words. */
export interface WordsAccountOptions extends Omit<KeyAccountOptions, 'at'>, SeedWordsOptions {}

export const ACCOUNT_OPTIONS: OptionNames<AccountOptions> = { network: true, ecc: true };
export const KEY_OPTIONS: OptionNames<KeyAccountOptions> = {
  ...ACCOUNT_OPTIONS,
  purpose: true,
  account: true,
  at: true,
  path: true,
};
const WORDS_OPTIONS: OptionNames<WordsAccountOptions> = {
  ...ACCOUNT_OPTIONS,
  purpose: true,
  account: true,
  path: true,
  passphrase: true,
  wordlist: true,
};

/**
 * Creates an account from output descriptors: one with both chains (`<0;1>`), or receive and change. Of several
 * wallets' descriptors, all sign, and the first gives the addresses. Reads their annotations, too.
 * @throws `account/descriptors` for two descriptors that cannot be receive and change, and for two keys of one origin;
 * `descriptor/invalid`, `descriptor/checksum`, `network/unknown`
 * @see BIP380, BIP389, BIP393
 *
 * @example
 * ```ts
 * import { accountFromDescriptors, networks } from 'countersign';
 * import { formatXpub, masterKey, neuter } from 'countersign/keys';
 *
 * const key = formatXpub(neuter(masterKey(new Uint8Array(32).fill(7))), networks.regtest);
 * const me = accountFromDescriptors(`wpkh(${key}/<0;1>/*)`, { network: 'regtest' });
 * me.change(5).address; // bcrt1qsgcl92973hqtwhwxqtc7v6t5y9ke95shk7jqnj
 * ```
 */
export function accountFromDescriptors(texts: string | readonly string[], options: AccountOptions = {}): Account {
  assertKnownOptions(options, ACCOUNT_OPTIONS);
  const { network: requested = 'main', ecc = nobleEcc } = options;
  const network = resolveNetwork(requested);
  for (const text of Array.isArray(texts) ? texts : [texts]) assertText('descriptors', text);
  const parsed = (typeof texts === 'string' ? [texts] : texts).map((text) =>
    parseAnnotatedDescriptor(text, network, { ecc }),
  );
  if (parsed.length === 0) throw invalidOption('descriptors', 'must be at least one descriptor');
  const descriptors = parsed.map(({ descriptor }) => descriptor);
  const { birthHeight, gapLimit } = joinAnnotations(parsed.map(({ annotations }) => annotations));
  const gap = gapLimit === undefined ? {} : { gapLimit };
  return createAccount({
    network,
    wallets: descriptors.map((descriptor) => ({ descriptor, ...gap })),
    ecc,
    keys: heldKeysIn(descriptors),
    ...gap,
    ...(birthHeight !== undefined && { birthHeight }),
    ...findChains(descriptors),
  });
}

/**
 * Creates an account from a BIP39 seed phrase. It also signs wherever a PSBT states its master fingerprint, as for a
 * multisig.
 * @throws `words/count`, `words/unknown`, `words/checksum`, `words/electrum`, `network/unknown`
 * @see BIP39, BIP44, BIP49, BIP84, BIP86
 *
 * @example
 * ```ts
 * import { accountFromWords } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * me.receive(0).address; // bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk
 * ```
 */
export function accountFromWords(words: string, options: WordsAccountOptions = {}): Account {
  assertKnownOptions(options, WORDS_OPTIONS);
  return createAccount(accountPartsFromMaster(masterKey(seedOfWords(words, options), { ecc: options.ecc }), options));
}

/**
 * Creates an account from a WIF key, or from an extended key of any prefix (`xprv`, `zpub`, `Vprv`). An extended
 * private key also signs wherever a PSBT names it.
 * @throws `account/purpose` if the purpose is not stated or does not fit the key; `account/at` if it is not stated where
 * the addresses of a master key lie, or does not fit the key; `account/number`, `argument/invalid`,
 * `wif/network`, `wif/invalid`, `xkey/invalid`, `xkey/network`, `base58/invalid`, `network/unknown`
 * @see SLIP-0132
 *
 * @example
 * ```ts
 * import { accountFromKey, networks } from 'countersign';
 * import { formatXprv, masterKey } from 'countersign/keys';
 *
 * const xprv = formatXprv(masterKey(new Uint8Array(32).fill(7)), networks.regtest);
 * const me = accountFromKey(xprv, { network: 'regtest', purpose: 86, at: 'account' });
 * me.receive(0).address; // bcrt1p634lp5wrq73rt98lmgtq3v3a074ydw38w8y6nz8sku065yp8f2zqllvsvv
 * ```
 */
export function accountFromKey(text: string, options: KeyAccountOptions = {}): Account {
  assertKnownOptions(options, KEY_OPTIONS);
  return createAccount(accountPartsFromKey(text, options));
}

function accountPartsFromKey(input: string, options: KeyAccountOptions): AccountParts {
  const { ecc = nobleEcc } = options;
  const network = resolveNetwork(options.network ?? 'main');
  assertText('key', input);
  const text = input.trim();
  assertReadKeyForm(text);
  if (parseBase58Check(text, EXTENDED_KEY_SIZE).length !== EXTENDED_KEY_SIZE)
    return accountPartsFromSecret(parseWif(text, network), network, options);
  return accountPartsFromExtended(parseAnyExtendedKey(text, network, ecc), options);
}

/** @throws as `accountFromKey` */
export function accountPartsFromExtended(
  { key, script }: ReturnType<typeof parseAnyExtendedKey>,
  options: KeyAccountOptions,
): AccountParts {
  const { ecc = nobleEcc } = options;
  const network = resolveNetwork(options.network ?? 'main');
  const purpose = options.purpose ?? PURPOSES[script];
  if (options.path !== undefined) assertMasterForPath(key, options);
  if (options.path !== undefined || addressPlace(key, { ...options, purpose }) === 'account') {
    return accountPartsFromMaster(key, { ...options, ...(purpose && { purpose }) });
  }
  if (purpose === undefined) {
    const message =
      'The extended key does not say which kind of address it is for: set purpose to 44, 48, 49, 84 or 86';
    throw new BtcError('account/purpose', {}, message);
  }
  assertAccountNumber(options.account, key);
  const wallets = offered(describe(purpose, () => chainsBelow(key)));
  return { network, ecc, wallets, keys: [heldKeyOf(key)].flatMap((held) => held ?? []) };
}

interface Placed extends Pick<KeyAccountOptions, 'account' | 'at'> {
  readonly purpose: Purpose | undefined;
}

const PLACES: readonly KeyAccountOptions['at'][] = ['account', 'root'];

/** Tells where the addresses of an extended key lie: below one of its accounts, or right below it. */
function addressPlace({ depth, secretKey }: ExtendedKey, { purpose, account, at }: Placed): 'account' | 'root' {
  if (at !== undefined && !PLACES.includes(at)) throw invalidOption('at', 'must be account or root');
  if (depth > 0) {
    if (at !== undefined) throw placeFault(NO_PLACE);
    return 'root';
  }
  const place = at ?? (account === undefined ? undefined : 'account');
  if (place === 'account' && !secretKey) {
    throw placeFault(
      `A public master key cannot reach its accounts: set at to root ${AT_ROOT}, or give the key of an account`,
    );
  }
  // One key of a multisig has no addresses.
  if (place !== undefined || purpose === 48) return place ?? 'root';
  throw placeFault(
    secretKey
      ? `The key is a master key: set at to account for addresses below an account such as m/84h/0h/0h, or to root ${AT_ROOT}`
      : `The key is a public master key: set at to root ${AT_ROOT}, or give the key of an account such as m/84h/0h/0h`,
  );
}

function assertMasterForPath({ depth }: ExtendedKey, { at }: Pick<KeyAccountOptions, 'at'>): void {
  if (depth > 0) throw placeFault(NO_PATH);
  if (at !== undefined) throw invalidOption('at', 'must be left out beside path, which says it');
}

const NO_PATH = 'Only a master key has addresses at a path, and this is another key: leave path out';
const NO_PLACE = 'Only a master key has addresses in two places, and this is another key: leave at out';
const AT_ROOT = 'for addresses right below the key, as those of Electrum';

const placeFault = (message: string): BtcError => new BtcError('account/at', {}, message);

function assertAccountNumber(account: number | undefined, key?: Pick<ExtendedKey, 'depth' | 'childNumber'>): void {
  const isAccountKey = key?.depth === ACCOUNT_DEPTH && isHardened(key.childNumber);
  const own = isAccountKey ? key.childNumber - HARDENED : undefined;
  if (account === undefined || account === own) return;
  const message =
    own === undefined
      ? `The key is not an account key, so it has no account ${account}: leave account out`
      : `The key is that of account ${own}, not ${account}: leave account out, or use the master key`;
  throw new BtcError('account/number', { wanted: account, ...(own !== undefined && { found: own }) }, message);
}

export const ADDRESS_PURPOSES: readonly Exclude<Purpose, 48>[] = [44, 49, 84, 86];

const PURPOSES: Readonly<Partial<Record<KeyScript, Purpose>>> = {
  p2pkh: 44,
  'p2sh-p2wpkh': 49,
  p2wpkh: 84,
  'p2sh-p2wsh': 48,
  p2wsh: 48,
};

export function accountPartsFromMaster(
  master: ExtendedKey,
  { purpose, account = 0, ecc = nobleEcc, network: requested = 'main', path }: Omit<KeyAccountOptions, 'at'>,
): AccountParts {
  const network = resolveNetwork(requested);
  assertAccountIndex(account);
  if (path !== undefined) assertPath(path, { purpose, account });
  const described = purpose ?? (path === undefined ? 84 : purposeOfPath(path));
  const descriptors = describe(described, () => {
    if (path !== undefined) return keyAtPath(master, path, { network, ecc });
    const { key, origin } = accountBelow(master, described, { network, account, ecc });
    return { ...chainsBelow(key), origin };
  });
  const wallets = offered(descriptors);
  return { network, ecc, wallets, keys: [heldKeyOf(master)].flatMap((held) => held ?? []) };
}

/** Steps as in descriptors, of which one may be for both chains. */
const PATH = /^(?:m?\/)?(?:(?:\d{1,10}['hH]?|<\d{1,10};\d{1,10}>)\/)*(?:\d{1,10}['hH]?|\*)$/;

function assertPath(path: string, { purpose, account }: Omit<Placed, 'at'>): void {
  assertText('path', path);
  if (!PATH.test(path)) throw invalidOption('path', 'must be a path such as m/0h/0/* or m/44h/0h/0h');
  if (!path.includes('*') && !isOfAccount(path)) {
    const message = 'The path does not say where the index of an address stands: write it as *, as in m/0h/0/*';
    throw new BtcError('path/invalid', { step: '', reason: 'no index' }, message);
  }
  if (account !== 0) throw invalidOption('account', 'must be left out beside path, which says it');
  if (purpose === 48) throw invalidOption('path', 'must be left out for purpose 48, whose keys have no addresses');
}

/** Tells a path that ends at an account, below which both chains are meant. */
const isOfAccount = (path: string): boolean => /['hH]$/.test(path);

function purposeOfPath(path: string): Purpose {
  const [, step] = /^m?\/?(\d+)['hH]/.exec(path) ?? [];
  const purpose = ADDRESS_PURPOSES.find((each) => String(each) === step);
  if (purpose !== undefined) return purpose;
  const message = 'The path does not say which kind of address it is for: set purpose to 44, 49, 84 or 86';
  throw new BtcError('account/purpose', {}, message);
}

/** Describes the keys at a path below a master key, as descriptors write paths. @throws `path/invalid`, `descriptor/invalid` */
function keyAtPath(
  master: ExtendedKey,
  path: string,
  { network, ecc }: { readonly network: Network; readonly ecc: Ecc },
): KeyExpression {
  const steps = path.replace(/^m?\/?/, '/').replaceAll('H', 'h');
  const text = `${formatXpub(neuter(master), network)}${steps}${isOfAccount(path) ? '/<0;1>/*' : ''}`;
  const key = parseKey(text, 'top', { network, ecc, rules: descriptorRules[NEWEST] });
  if (key.kind !== 'extended') throw invalidOption('path', 'must be a path such as m/0h/0/*');
  if (!master.secretKey && (key.wildcard === 'hardened' || key.path.flat().some(isHardened))) {
    throw placeFault('A public master key cannot reach the hardened steps of the path: give the key of an account');
  }
  return { ...key, key: master };
}

/** @throws `xkey/underivable` */
export function assertAccountIndex(account: number): void {
  if (Number.isInteger(account) && account >= 0 && account < HARDENED) return;
  const message = `The account must be a whole number from 0 to ${HARDENED - 1}`;
  throw new BtcError('xkey/underivable', { child: account, reason: 'range' }, message);
}

/** Describes the addresses of every purpose: of a master key's account, or right below any other key. */
export function usualDescriptors(key: ExtendedKey, options: AccountOptions): readonly Descriptor[] {
  return key.depth > 0
    ? descriptorsBelow(key)
    : ADDRESS_PURPOSES.flatMap((purpose) =>
        accountPartsFromMaster(key, { ...options, purpose }).wallets.map(({ descriptor }) => descriptor),
      );
}

/** Describes the addresses of every purpose right below a key. */
export function descriptorsBelow(key: ExtendedKey): readonly Descriptor[] {
  return ADDRESS_PURPOSES.flatMap((purpose) => describe(purpose, () => chainsBelow(key)));
}

const ADDRESS_KINDS: Readonly<Partial<Record<Descriptor['kind'], string>>> = {
  pkh: 'P2PKH',
  sh: 'P2SH-P2WPKH',
  wpkh: 'P2WPKH',
  tr: 'P2TR',
};

/** Returns a name such as `P2WPKH account 0`. */
export function usualName(descriptor: Descriptor): string {
  const [key] = flatKeys(descriptor);
  const account = key?.origin?.path[ACCOUNT_DEPTH - 1];
  return `${ADDRESS_KINDS[descriptor.kind] ?? descriptor.kind}${account === undefined ? '' : ` account ${account - HARDENED}`}`;
}

/** Offers descriptors to a holder, without names. */
const offered = (descriptors: readonly Descriptor[]): readonly OfferedWallet[] =>
  descriptors.map((descriptor) => ({ descriptor }));

function chainsBelow(key: ExtendedKey): Extract<KeyExpression, { kind: 'extended' }> {
  return { kind: 'extended', key, path: [[0, 1]], wildcard: 'unhardened', mark: 'h' };
}

function describe(purpose: Purpose, key: () => KeyExpression): readonly Descriptor[] {
  switch (purpose) {
    case 44:
      return [{ kind: 'pkh', key: key() }];
    case 48:
      return [];
    case 49:
      return [{ kind: 'sh', inner: { kind: 'wpkh', key: key() } }];
    case 84:
      return [{ kind: 'wpkh', key: key() }];
    case 86:
      return [{ kind: 'tr', key: key(), leaves: [] }];
    default:
      throw new BtcError('account/purpose', {}, 'The purpose must be 44, 48, 49, 84 or 86');
  }
}

/** @throws as `accountFromKey` */
export function accountPartsFromSecret(
  secret: WifKey,
  network: Network,
  { purpose, account, at, path, ecc = nobleEcc }: KeyAccountOptions,
): AccountParts {
  assertAccountNumber(account);
  if (path !== undefined) throw placeFault(NO_PATH);
  if (at !== undefined) throw placeFault(NO_PLACE);
  const publicKey = ecc.publicKey(secret.secretKey, secret.isCompressed);
  const key: KeyExpression = withSecretKey(
    { kind: 'fixed', publicKey, isXOnly: false, mark: 'h' } as const,
    secret.secretKey,
  );
  // Segwit cannot spend coins of uncompressed keys.
  if (!secret.isCompressed && purpose !== undefined && purpose !== 44) {
    const message = 'An uncompressed key has only legacy addresses: set purpose to 44, or leave it out';
    throw new BtcError('account/purpose', {}, message);
  }
  const descriptors = describe(purpose ?? (secret.isCompressed ? 84 : 44), () => key);
  return { network, ecc, wallets: offered(descriptors), keys: heldKeysIn(descriptors) };
}
