import { BtcError } from '../errors.ts';

/** What tells one chain's texts and limits from another's. Plain data: pass your own for a coin that is not listed. */
export interface Network {
  readonly name: string;
  /** The coin's ticker, for people. */
  readonly ticker: string;
  /** Base58 version byte of P2PKH addresses. */
  readonly pubKeyHash: number;
  /** Base58 version byte that P2SH addresses are written with. */
  readonly scriptHash: number;
  /** Older P2SH version bytes that are read, too. */
  readonly scriptHashAccepted: readonly number[];
  /** Base58 version byte of private keys (WIF). */
  readonly wif: number;
  /** BIP32 version of extended public and private keys. */
  readonly bip32: { readonly public: number; readonly private: number };
  /** Human-readable part of segwit addresses; up to 18 characters leave room for every witness program. */
  readonly hrp: string;
  /** The largest amount that can exist, in the smallest unit. */
  readonly maxMoney: bigint;
  /** Whether transactions may carry Litecoin's MWEB flag (0x08). */
  readonly mweb: boolean;
  /** The highest fee that anyone means to pay, in the smallest unit per virtual byte. Default 1000. */
  readonly maxFeeRate?: number;
  /** The fee at which outputs count as dust, per virtual byte. Default 3. @see Bitcoin Core `DUST_RELAY_TX_FEE` */
  readonly dustFeeRate?: number;
  /** The first block: its hash as people see it, and its UNIX time. A wallet needs it. */
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
  dustFeeRate: 30,
};
const litecoinTest = {
  ...litecoin,
  pubKeyHash: 111,
  scriptHash: 58,
  scriptHashAccepted: [196],
  wif: 239,
  bip32: TESTNET_BIP32,
  hrp: 'tltc',
};

export type NetworkName =
  | 'main'
  | 'testnet3'
  | 'testnet4'
  | 'signet'
  | 'regtest'
  | 'litecoin'
  | 'litecoin-testnet'
  | 'litecoin-regtest';

/** The first blocks of the built-in chains. */
const GENESIS: Readonly<Record<NetworkName, NonNullable<Network['genesis']>>> = {
  main: { hash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f', time: 1231006505 },
  testnet3: { hash: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943', time: 1296688602 },
  testnet4: { hash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043', time: 1714777860 },
  signet: { hash: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6', time: 1598918400 },
  regtest: { hash: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206', time: 1296688602 },
  litecoin: { hash: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2', time: 1317972665 },
  'litecoin-testnet': { hash: '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0', time: 1486949366 },
  'litecoin-regtest': { hash: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9', time: 1296688602 },
};

/** The built-in chains by name. */
export const networks: Readonly<Record<NetworkName, Network>> = {
  main: { name: 'main', ...bitcoin, genesis: GENESIS.main },
  testnet3: { name: 'testnet3', ...bitcoinTest, genesis: GENESIS.testnet3 },
  testnet4: { name: 'testnet4', ...bitcoinTest, genesis: GENESIS.testnet4 },
  signet: { name: 'signet', ...bitcoinTest, genesis: GENESIS.signet },
  regtest: { name: 'regtest', ...bitcoinTest, hrp: 'bcrt', genesis: GENESIS.regtest },
  litecoin: { name: 'litecoin', ...litecoin, genesis: GENESIS.litecoin },
  'litecoin-testnet': { name: 'litecoin-testnet', ...litecoinTest, genesis: GENESIS['litecoin-testnet'] },
  'litecoin-regtest': { name: 'litecoin-regtest', ...litecoinTest, hrp: 'rltc', genesis: GENESIS['litecoin-regtest'] },
};

const isNetworkName = (name: string): name is NetworkName => Object.hasOwn(networks, name);

/**
 * Finds a built-in network by name; a network object is checked and handed back.
 * @throws `network/unknown`, `network/invalid`
 */
export function resolveNetwork(network: NetworkName | Network): Network {
  if (typeof network !== 'string') return assertNetwork(network);
  if (isNetworkName(network)) return networks[network];
  throw new BtcError('network/unknown', { name: network, known: Object.keys(networks).join(', ') });
}

const isByte = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;
const isU32 = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 0xffff_ffff;
const BYTE = 'must be a whole number from 0 to 255';

const RATE = 'must be a number above 0, or left out';
const isRate = (value: unknown): boolean => value === undefined || (typeof value === 'number' && value > 0);

/** One row per member: what it must be, and the test. */
const MEMBER_RULES: readonly (readonly [keyof Network, string, (value: unknown) => boolean])[] = [
  ['name', 'must be a text', (value) => typeof value === 'string'],
  ['ticker', 'must be a text', (value) => typeof value === 'string'],
  ['pubKeyHash', BYTE, isByte],
  ['scriptHash', BYTE, isByte],
  ['scriptHashAccepted', 'must be an array of bytes', (value) => Array.isArray(value) && value.every(isByte)],
  ['wif', BYTE, isByte],
  ['bip32', 'must be { public, private }, two 32-bit numbers', isBip32Versions],
  [
    'hrp',
    'must be 1 to 18 lower-case ASCII characters',
    (value) => typeof value === 'string' && /^[!-@[-~]{1,18}$/.test(value),
  ],
  ['maxMoney', 'must be a positive bigint', (value) => typeof value === 'bigint' && value > 0n],
  ['mweb', 'must be true or false', (value) => typeof value === 'boolean'],
  ['maxFeeRate', RATE, isRate],
  ['dustFeeRate', RATE, isRate],
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

/** Checks a network that a caller made. @throws `network/invalid` naming the member */
function assertNetwork(network: Network): Network {
  for (const [member, reason, isGood] of MEMBER_RULES) {
    if (!isGood(network[member])) throw new BtcError('network/invalid', { member, reason });
  }
  return network;
}
