import { quoted, withoutSecrets } from '../encoding/redaction.ts';
import { BtcError } from '../errors.ts';

/** The parameters of a chain's text formats and limits. Plain data: pass your own for a coin that is not listed. */
export interface Network {
  readonly name: string;
  /** The coin's ticker, for display. */
  readonly ticker: string;
  /** Base58 version byte of P2PKH addresses. */
  readonly pubKeyHash: number;
  /** Base58 version byte of P2SH addresses, as written. */
  readonly scriptHash: number;
  /** Older P2SH version bytes, accepted when reading. */
  readonly scriptHashAccepted: readonly number[];
  /** Base58 version byte of private keys (WIF). */
  readonly wif: number;
  /** BIP32 versions of extended public and private keys. */
  readonly bip32: { readonly public: number; readonly private: number };
  /** Human-readable part of segwit addresses, 1 to 18 characters, which leaves room for every witness program. */
  readonly hrp: string;
  /** The largest possible amount, in satoshi. */
  readonly maxMoney: bigint;
  /** True if transactions may carry Litecoin's MWEB flag (0x08). */
  readonly mweb: boolean;
  /** Human-readable part of addresses in Litecoin's extension block. */
  readonly mwebHrp?: string;
  /** The text before messages that P2PKH keys sign. Default `Bitcoin Signed Message:\n`. */
  readonly messageMagic?: string;
  /** The highest plausible fee rate, in satoshi per virtual byte. Default 1000. */
  readonly maxFeeRate?: number;
  /** The fee rate that defines dust, in satoshi per virtual byte. Default 3. @see Bitcoin Core `DUST_RELAY_TX_FEE` */
  readonly dustFeeRate?: number;
  /** A block height that is years away, beyond which a lock time is unusual. Default 1 500 000. */
  readonly maxLockHeight?: number;
  /** The genesis block: its hash as displayed, and its UNIX time. Wallets need it; built-in chains have it already. */
  readonly genesis?: { readonly hash: string; readonly time: number };
}

const MAINNET_BIP32 = { public: 0x0488b21e, private: 0x0488ade4 };
const TESTNET_BIP32 = { public: 0x043587cf, private: 0x04358394 };

const bitcoin = {
  ticker: 'BTC',
  pubKeyHash: 0,
  scriptHash: 5,
  scriptHashAccepted: [],
  wif: 128,
  bip32: MAINNET_BIP32,
  hrp: 'bc',
  maxMoney: 21_000_000n * 100_000_000n,
  mweb: false,
};
const bitcoinTest = { ...bitcoin, pubKeyHash: 111, scriptHash: 196, wif: 239, bip32: TESTNET_BIP32, hrp: 'tb' };
const litecoin = {
  ...bitcoin,
  ticker: 'LTC',
  pubKeyHash: 48,
  scriptHash: 50,
  scriptHashAccepted: [5],
  wif: 176,
  hrp: 'ltc',
  maxMoney: 84_000_000n * 100_000_000n,
  mweb: true,
  mwebHrp: 'ltcmweb',
  messageMagic: 'Litecoin Signed Message:\n',
  dustFeeRate: 30,
  // A block every 2.5 minutes.
  maxLockHeight: 6_000_000,
};
const litecoinTest = {
  ...litecoin,
  pubKeyHash: 111,
  scriptHash: 58,
  scriptHashAccepted: [196],
  wif: 239,
  bip32: TESTNET_BIP32,
  hrp: 'tltc',
  mwebHrp: 'tmweb',
};

/** The name of a built-in chain. */
export type NetworkName =
  | 'main'
  | 'testnet3'
  | 'testnet4'
  | 'signet'
  | 'regtest'
  | 'litecoin'
  | 'litecoin-testnet'
  | 'litecoin-regtest';

/** The built-in chains by name. */
export const networks: Readonly<Record<NetworkName, Network>> = {
  main: { name: 'main', ...bitcoin },
  // Blocks of lowest difficulty come in storms.
  testnet3: { name: 'testnet3', ...bitcoinTest, maxLockHeight: 20_000_000 },
  testnet4: { name: 'testnet4', ...bitcoinTest },
  signet: { name: 'signet', ...bitcoinTest },
  regtest: { name: 'regtest', ...bitcoinTest, hrp: 'bcrt' },
  litecoin: { name: 'litecoin', ...litecoin },
  'litecoin-testnet': { name: 'litecoin-testnet', ...litecoinTest },
  'litecoin-regtest': { name: 'litecoin-regtest', ...litecoinTest, hrp: 'rltc' },
};

/** Another name of a built-in chain: `testnet` is testnet3, as for Core's option `-testnet`. */
export type NetworkAlias = 'bitcoin' | 'mainnet' | 'testnet';

const ALIASES: Readonly<Record<NetworkAlias, NetworkName>> = { bitcoin: 'main', mainnet: 'main', testnet: 'testnet3' };

const isAlias = (name: string): name is NetworkAlias => Object.hasOwn(ALIASES, name);

/** Returns the name of the chain that an alias stands for, and any other text as it is. */
export const canonicalName = <T extends string>(name: T): T | NetworkName => (isAlias(name) ? ALIASES[name] : name);

/** Tells whether a name is that of a built-in chain, not an alias. */
export const isNetworkName = (name: string): name is NetworkName => Object.hasOwn(networks, name);

/** Tells whether a name is that of a chain whose coins have value, rather than of a test network. */
export const isMainNetwork = (name: string): boolean => name === 'main' || name === 'litecoin';

/**
 * Finds a built-in network by its name or an alias, or checks a network object and returns it.
 * @throws `network/unknown`, `network/invalid`
 */
export function resolveNetwork(network: NetworkName | NetworkAlias | Network): Network {
  if (typeof network === 'object' && network !== null) return assertNetwork(network);
  const name = canonicalName(network);
  if (isNetworkName(name)) return networks[name];
  const known = Object.keys(networks).join(', ');
  // Plain JavaScript may pass null.
  const given = String(network);
  throw new BtcError(
    'network/unknown',
    { name: withoutSecrets(given), known },
    `There is no network ${quoted(given)}: choose ${known}`,
  );
}

/** Names the built-in networks that `isMeant` accepts, for a sentence: `main or signet`. */
export function networksThat(isMeant: (network: Network) => boolean): string {
  return Object.values(networks)
    .filter(isMeant)
    .map(({ name }) => name)
    .join(' or ');
}

/** Says that a text is for other networks than the caller's. */
export function otherNetworkText(what: string, found: string, { name }: Pick<Network, 'name'>): string {
  return `The ${what} is for ${found}, not for ${withoutSecrets(name)}`;
}

const isUpTo = (most: number, value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
const isByte = (value: unknown): boolean => isUpTo(0xff, value);
const isU32 = (value: unknown): boolean => isUpTo(0xffff_ffff, value);
const BYTE = 'must be a whole number from 0 to 255';

const HRP = 'must be 1 to 18 lower-case ASCII characters';
const isHrp = (value: unknown): boolean => typeof value === 'string' && /^[!-@[-~]{1,18}$/.test(value);
const RATE = 'must be a number above 0, or be omitted';
const isRate = (value: unknown): boolean => value === undefined || (typeof value === 'number' && value > 0);

/** One row per field: its rule in words, and the test. */
const MEMBER_RULES: readonly (readonly [keyof Network, string, (value: unknown) => boolean])[] = [
  ['name', 'must be a string', (value) => typeof value === 'string'],
  ['ticker', 'must be a string', (value) => typeof value === 'string'],
  ['pubKeyHash', BYTE, isByte],
  ['scriptHash', BYTE, isByte],
  ['scriptHashAccepted', 'must be an array of bytes', (value) => Array.isArray(value) && value.every(isByte)],
  ['wif', BYTE, isByte],
  ['bip32', 'must be { public, private }, two 32-bit numbers', isBip32Versions],
  ['hrp', HRP, isHrp],
  ['maxMoney', 'must be a positive bigint', (value) => typeof value === 'bigint' && value > 0n],
  ['mweb', 'must be true or false', (value) => typeof value === 'boolean'],
  ['mwebHrp', `${HRP}, or be omitted`, (value) => value === undefined || isHrp(value)],
  ['messageMagic', 'must be a string, or be omitted', (value) => value === undefined || typeof value === 'string'],
  ['maxFeeRate', RATE, isRate],
  ['dustFeeRate', RATE, isRate],
  ['maxLockHeight', RATE, isRate],
  ['genesis', 'must be { hash, time }, 64 hex digits and a UNIX time, or be omitted', isGenesis],
];

function isBip32Versions(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'public' in value &&
    'private' in value &&
    isU32(value.public) &&
    isU32(value.private)
  );
}

function isGenesis(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null || !('hash' in value) || !('time' in value)) return false;
  return typeof value.hash === 'string' && /^[0-9a-f]{64}$/i.test(value.hash) && isU32(value.time);
}

/** Checks a caller's network. @throws `network/invalid` naming the first invalid field */
function assertNetwork(network: Network): Network {
  for (const [member, reason, isGood] of MEMBER_RULES) {
    if (!isGood(network[member])) {
      throw new BtcError('network/invalid', { member, reason }, `The ${member} of the network ${reason}`);
    }
  }
  return network;
}
