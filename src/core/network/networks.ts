import { addressPrefixes } from '../encoding/addressPrefixes.ts';
import { quoted, withoutSecrets } from '../encoding/redaction.ts';
import { BtcError } from '../errors.ts';
import type { Lifetime } from '../generations.ts';

export type DeploymentStatus = 'defined' | 'started' | 'locked_in' | 'active' | 'failed';

/** A vote of blocks on a soft fork, and the nodes that report it. @see BIP9; Core `BIP9Deployment` */
export interface Deployment extends Lifetime {
  readonly name: string;
  readonly bit: number;
  /** Median time past, UNIX time; `always` for a fork that needs no vote. */
  readonly start: number | 'always';
  /** Median time past, UNIX time. Default: none. */
  readonly timeout?: number;
  /** The lowest height at which the fork is active. */
  readonly minHeight?: number;
  /** In blocks, of which `threshold` have to vote for the fork. */
  readonly period: number;
  readonly threshold: number;
  /** How the vote went, for chains that begin after it. */
  readonly history?: readonly (readonly [height: number, status: DeploymentStatus])[];
}

/** The rules for the headers of a chain. @see Core `Consensus::Params` */
export interface ConsensusParams {
  readonly powHash: 'sha256d' | 'scrypt';
  readonly powLimit: bigint;
  /** In seconds. */
  readonly targetTimespan: number;
  /** In seconds. */
  readonly targetSpacing: number;
  /** In blocks. @see {@link halvingInterval} */
  readonly halvingInterval?: number;
  /** A block that takes twice as long as it should may have the highest target. */
  readonly allowsMinDifficulty: boolean;
  readonly hasNoRetargeting: boolean;
  readonly enforcesBip94: boolean;
  /** A change of the target counts the time of all blocks since the last, rather than of all but one. */
  readonly countsWholePeriod: boolean;
  /** The heights from which versions below 2, 3 and 4 are refused. */
  readonly versionHeights: readonly [bip34: number, bip66: number, bip65: number];
  /** `csv`: BIP68, BIP112 and BIP113; `segwit`: BIP141, BIP143 and BIP147. */
  readonly laterForks: readonly [csv: number, segwit: number];
  readonly deployments?: readonly Deployment[];
  /** By the hash in display byte order: blocks that break rules of scripts, and the names of those that they keep. */
  readonly flagExceptions?: Readonly<Record<string, readonly ('P2SH' | 'WITNESS' | 'TAPROOT')[]>>;
  /** Core's `nMinimumChainWork`. */
  readonly minimumWork: bigint;
  /** Core's `defaultAssumeValid`; the hash is in display byte order. */
  readonly knownBlock?: { readonly height: number; readonly hash: string };
}

interface Genesis {
  /** In display byte order. */
  readonly hash: string;
  /** UNIX time. */
  readonly time: number;
  /** The header has version 1 and no parent; the merkle root is in display byte order. */
  readonly header?: { readonly merkleRoot: string; readonly bits: number; readonly nonce: number };
  /** The text, one character for each byte, and the key that is paid, in hex. */
  readonly coinbase?: { readonly text: string; readonly pubkey: string };
}

/** A chain as plain data; callers can pass their own for a coin that is not listed. */
export interface Network {
  readonly name: string;
  /** Default: `name`. */
  readonly title?: string;
  /** In a node's answers. Default: `name`. @see Core `ChainTypeToString` */
  readonly nodeName?: string;
  /** In wallet files, besides `name`; several networks may share one. */
  readonly fileNames?: readonly string[];
  readonly coldcardName?: string;
  /** Coins have value. Default: false. */
  readonly isMain?: boolean;
  readonly ticker: string;
  /** In the paths of keys. Default: 0 for coins with value, else 1. @see SLIP-0044 */
  readonly coinType?: number;
  readonly uriScheme?: string;
  /** Base58 version byte. */
  readonly pubKeyHash: number;
  /** Base58 version byte of P2SH addresses, as written. */
  readonly scriptHash: number;
  /** Older ones, accepted when reading. */
  readonly scriptHashAccepted: readonly number[];
  /** Base58 version byte of private keys. */
  readonly wif: number;
  /** Versions of extended keys. */
  readonly bip32: { readonly public: number; readonly private: number };
  /** Of segwit addresses, 1 to 18 characters, which leaves room for every witness program. */
  readonly hrp: string;
  /** In satoshi. */
  readonly maxMoney: bigint;
  /** Transactions may carry Litecoin's MWEB flag (0x08). */
  readonly mweb: boolean;
  /** Of addresses in Litecoin's extension block. */
  readonly mwebHrp?: string;
  /** Precedes messages that are signed. Default: `Bitcoin Signed Message:\n`. */
  readonly messageMagic?: string;
  /** The highest plausible fee rate, in satoshi per virtual byte. Default: 1000. */
  readonly maxFeeRate?: number;
  /** In satoshi per virtual byte. Default: 3. @see Core `DUST_RELAY_TX_FEE` */
  readonly dustFeeRate?: number;
  /** A height that is years away; later lock heights are unusual. Default: 1 500 000. */
  readonly maxLockHeight?: number;
  /** A block and its UNIX time, from which the years of later heights are estimated. Default: years are not told. */
  readonly datedBlock?: { readonly height: number; readonly time: number };
  /** Default: 8332. */
  readonly rpcPort?: number;
  /** In hex, before each block of a node's files. Default: the bytes before the first. @see Core `pchMessageStart` */
  readonly magic?: string;
  /** Required by a node and its wallets. */
  readonly genesis?: Genesis;
  /** Holds only with `genesis.header`. */
  readonly consensus?: ConsensusParams;
  /** In hex. @see BIP325 */
  readonly signetChallenge?: string;
}

const DAY = 86_400;
const BITCOIN_COINBASE = {
  text: 'The Times 03/Jan/2009 Chancellor on brink of second bailout for banks',
  pubkey:
    '04678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5f',
};
const BITCOIN_ROOT = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b';
const LITECOIN_COINBASE = {
  text: 'NY Times 05/Oct/2011 Steve Jobs, Apple\xe2\x80\x99s Visionary, Dies at 56',
  pubkey:
    '040184710fa689ad5023690c80f3a49c8f13f8d45b8c857fbcbc8bc4a8e4d3eb4b10f4d4604fa08dce601aaf0f470216fe1b51850b4acf21b179c45070ac7b03a9',
};
const LITECOIN_ROOT = '97ddfbbae6be97fd6cdf3e7ca13232a3afff2353e29badfab7f73011edd4ced9';

const bitcoin = {
  ...addressPrefixes.main,
  isMain: true,
  ticker: 'BTC',
  uriScheme: 'bitcoin',
  wif: 128,
  bip32: { public: 0x0488b21e, private: 0x0488ade4 },
  maxMoney: 21_000_000n * 100_000_000n,
  mweb: false,
};
const bitcoinTest = {
  ...bitcoin,
  ...addressPrefixes.test,
  isMain: false,
  wif: 239,
  bip32: { public: 0x043587cf, private: 0x04358394 },
};
const litecoin = {
  ...bitcoin,
  ...addressPrefixes.litecoin,
  ticker: 'LTC',
  coinType: 2,
  uriScheme: 'litecoin',
  wif: 176,
  maxMoney: 84_000_000n * 100_000_000n,
  mweb: true,
  messageMagic: 'Litecoin Signed Message:\n',
  dustFeeRate: 30,
  // A block every 2.5 minutes.
  maxLockHeight: 6_000_000,
};
const litecoinTest = {
  ...litecoin,
  ...addressPrefixes.litecoinTest,
  isMain: false,
  coinType: 1,
  wif: 239,
  bip32: bitcoinTest.bip32,
};

/** The values of Bitcoin Core 31. */
const bitcoinRules = {
  powHash: 'sha256d',
  powLimit: (1n << 224n) - 1n,
  targetTimespan: 14 * DAY,
  targetSpacing: 600,
  allowsMinDifficulty: false,
  hasNoRetargeting: false,
  enforcesBip94: false,
  countsWholePeriod: false,
} as const;
/** The values of Litecoin Core 0.21. */
const litecoinRules = {
  ...bitcoinRules,
  powHash: 'scrypt',
  powLimit: (1n << 236n) - 1n,
  targetTimespan: 3.5 * DAY,
  targetSpacing: 150,
  halvingInterval: 840_000,
  countsWholePeriod: true,
} as const;
/** Always active, and reported until release 31. */
const taproot = { name: 'taproot', bit: 2, start: 'always', until: 'core-31', period: 2016, threshold: 1815 } as const;
const regtestVotes = { period: 144, threshold: 108 } as const;
const regtestRules = {
  powLimit: (1n << 255n) - 1n,
  halvingInterval: 150,
  allowsMinDifficulty: true,
  hasNoRetargeting: true,
  deployments: [
    { name: 'testdummy', bit: 28, start: 0, ...regtestVotes },
    { ...taproot, ...regtestVotes },
  ],
  minimumWork: 0n,
} as const;
/** "Speedy trial" of 2021. */
const taprootVote = { ...taproot, start: 1_619_222_400, timeout: 1_628_640_000, since: 'core-29' } as const;

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

/** A network by its name, or with its members. */
export type NetworkOption = NetworkName | NetworkAlias | Network;

/** Freezes an object with all that it holds. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}

/** The built-in chains by name. */
export const networks: Readonly<Record<NetworkName, Network>> = /* @__PURE__ */ frozen({
  main: {
    ...bitcoin,
    name: 'main',
    title: 'Bitcoin',
    fileNames: ['mainnet', 'bitcoin'],
    coldcardName: 'BTC',
    datedBlock: { height: 840_000, time: 1713571767 },
    rpcPort: 8332,
    magic: 'f9beb4d9',
    genesis: {
      hash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
      time: 1231006505,
      header: { merkleRoot: BITCOIN_ROOT, bits: 0x1d00ffff, nonce: 2083236893 },
      coinbase: BITCOIN_COINBASE,
    },
    consensus: {
      ...bitcoinRules,
      versionHeights: [227_931, 363_725, 388_381],
      laterForks: [419_328, 481_824],
      deployments: [
        {
          ...taprootVote,
          minHeight: 709_632,
          history: [
            [681_408, 'started'],
            [687_456, 'locked_in'],
            [709_632, 'active'],
          ],
        },
      ],
      flagExceptions: {
        '00000000000002dc756eebf4f49723ed8d30cc28a5f108eb94b1ba88ac4f9c22': [],
        '0000000000000000000f14c35b2d841e986ab5441de8c585d5ffe55ea1e395ad': ['P2SH', 'WITNESS'],
      },
      minimumWork: 0x1128750f82f4c366153a3a030n,
      knownBlock: { height: 938_343, hash: '00000000000000000000ccebd6d74d9194d8dcdc1d177c478e094bfad51ba5ac' },
    },
  },
  testnet3: {
    ...bitcoinTest,
    name: 'testnet3',
    title: 'Bitcoin testnet 3',
    nodeName: 'test',
    fileNames: ['testnet'],
    coldcardName: 'XTN',
    // Blocks of lowest difficulty come in storms.
    maxLockHeight: 20_000_000,
    rpcPort: 18332,
    magic: '0b110907',
    genesis: {
      hash: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
      time: 1296688602,
      header: { merkleRoot: BITCOIN_ROOT, bits: 0x1d00ffff, nonce: 414098458 },
      coinbase: BITCOIN_COINBASE,
    },
    consensus: {
      ...bitcoinRules,
      allowsMinDifficulty: true,
      versionHeights: [21_111, 330_776, 581_885],
      laterForks: [770_112, 834_624],
      deployments: [{ ...taprootVote, threshold: 1512 }],
      flagExceptions: { '00000000dd30457c001f4095d208cc1296b0eed002427aa599874af7a432b105': [] },
      minimumWork: 0x17dde1c649f3708d14b6n,
      knownBlock: { height: 4_842_348, hash: '000000007a61e4230b28ac5cb6b5e5a0130de37ac1faf2f8987d2fa6505b67f4' },
    },
  },
  testnet4: {
    ...bitcoinTest,
    name: 'testnet4',
    title: 'Bitcoin testnet 4',
    fileNames: ['testnet'],
    coldcardName: 'XTN',
    rpcPort: 48332,
    magic: '1c163f28',
    genesis: {
      hash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
      time: 1714777860,
      header: {
        merkleRoot: '7aa0a7ae1e223414cb807e40cd57e667b718e42aaf9306db9102fe28912b7b4e',
        bits: 0x1d00ffff,
        nonce: 393743547,
      },
      coinbase: {
        text: '03/May/2024 000000000000000000001ebd58c244970b3aa9d783bb001011fbe8ea8e98e00e',
        pubkey: '000000000000000000000000000000000000000000000000000000000000000000',
      },
    },
    consensus: {
      ...bitcoinRules,
      allowsMinDifficulty: true,
      enforcesBip94: true,
      versionHeights: [1, 1, 1],
      laterForks: [1, 1],
      deployments: [{ ...taproot, threshold: 1512, since: 'core-29' }],
      minimumWork: 0x9a0fe15d0177d086304n,
      knownBlock: { height: 123_613, hash: '0000000002368b1e4ee27e2e85676ae6f9f9e69579b29093e9a82c170bf7cf8a' },
    },
  },
  signet: {
    ...bitcoinTest,
    name: 'signet',
    title: 'Bitcoin signet',
    coldcardName: 'XTN',
    rpcPort: 38332,
    magic: '0a03cf40',
    genesis: {
      hash: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
      time: 1598918400,
      header: { merkleRoot: BITCOIN_ROOT, bits: 0x1e0377ae, nonce: 52613770 },
      coinbase: BITCOIN_COINBASE,
    },
    consensus: {
      ...bitcoinRules,
      powLimit: 0x377aen << 216n,
      versionHeights: [1, 1, 1],
      laterForks: [1, 1],
      deployments: [taproot],
      minimumWork: 0xb463ea0a4b8n,
      knownBlock: { height: 293_175, hash: '00000008414aab61092ef93f1aacc54cf9e9f16af29ddad493b908a01ff5c329' },
    },
    signetChallenge:
      '512103ad5e0edad18cb1f0fc0d28a3d4f1f3e445640337489abb10404f2d1e086be430210359ef5021964fe22d6f8e05b2463c9540ce96883fe3b278760f048f5189f2e6c452ae',
  },
  regtest: {
    ...bitcoinTest,
    ...addressPrefixes.regtest,
    name: 'regtest',
    title: 'Bitcoin regtest',
    coldcardName: 'XRT',
    rpcPort: 18443,
    magic: 'fabfb5da',
    genesis: {
      hash: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
      time: 1296688602,
      header: { merkleRoot: BITCOIN_ROOT, bits: 0x207fffff, nonce: 2 },
      coinbase: BITCOIN_COINBASE,
    },
    consensus: {
      ...bitcoinRules,
      ...regtestRules,
      targetTimespan: DAY,
      versionHeights: [1, 1, 1],
      laterForks: [1, 0],
    },
  },
  litecoin: {
    ...litecoin,
    name: 'litecoin',
    title: 'Litecoin',
    nodeName: 'main',
    rpcPort: 9332,
    magic: 'fbc0b6db',
    genesis: {
      hash: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
      time: 1317972665,
      header: { merkleRoot: LITECOIN_ROOT, bits: 0x1e0ffff0, nonce: 2084524493 },
      coinbase: LITECOIN_COINBASE,
    },
    consensus: {
      ...litecoinRules,
      versionHeights: [710_000, 811_879, 918_684],
      laterForks: [1_201_536, 1_201_536],
      minimumWork: 0x146878abee06fa883e0an,
      knownBlock: { height: 2_772_730, hash: '80cdb35c080484df5bf384b311fde3c4694d3405765bc0f596e9eb369ff286e5' },
    },
  },
  'litecoin-testnet': {
    ...litecoinTest,
    name: 'litecoin-testnet',
    title: 'Litecoin testnet',
    nodeName: 'test',
    rpcPort: 19332,
    magic: 'fdd2c8f1',
    genesis: {
      hash: '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
      time: 1486949366,
      header: { merkleRoot: LITECOIN_ROOT, bits: 0x1e0ffff0, nonce: 293345 },
      coinbase: LITECOIN_COINBASE,
    },
    consensus: {
      ...litecoinRules,
      allowsMinDifficulty: true,
      versionHeights: [76, 76, 76],
      laterForks: [6_048, 6_048],
      minimumWork: 0x4260a1758f04aan,
      knownBlock: { height: 1_737_876, hash: '4a280c0e150e3b74ebe19618e6394548c8a39d5549fd9941b9c431c73822fbd5' },
    },
  },
  'litecoin-regtest': {
    ...litecoinTest,
    ...addressPrefixes.litecoinRegtest,
    name: 'litecoin-regtest',
    title: 'Litecoin regtest',
    nodeName: 'regtest',
    rpcPort: 19443,
    magic: 'fabfb5da',
    genesis: {
      hash: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
      time: 1296688602,
      header: { merkleRoot: LITECOIN_ROOT, bits: 0x207fffff, nonce: 0 },
      coinbase: LITECOIN_COINBASE,
    },
    consensus: {
      ...litecoinRules,
      ...regtestRules,
      versionHeights: [500, 1251, 1351],
      laterForks: [432, 0],
      deployments: [...regtestRules.deployments, { name: 'mweb', bit: 4, start: 1_601_450_001, ...regtestVotes }],
    },
  },
});

const BUILT_IN: ReadonlySet<Network> = /* @__PURE__ */ new Set(Object.values(networks));

export const networkNames = (isMeant: (network: Network) => boolean): readonly NetworkName[] =>
  (Object.keys(networks) as readonly NetworkName[]).filter((name) => isMeant(networks[name]));

/** Another name of a built-in chain: `testnet` is testnet3, as for Core's option `-testnet`. */
export type NetworkAlias = 'bitcoin' | 'mainnet' | 'testnet';

export const networkAliases: Readonly<Record<NetworkAlias, NetworkName>> = {
  mainnet: 'main',
  bitcoin: 'main',
  testnet: 'testnet3',
};

const isAlias = (name: string): name is NetworkAlias => Object.hasOwn(networkAliases, name);

export const canonicalName = <T extends string>(name: T): T | NetworkName =>
  isAlias(name) ? networkAliases[name] : name;

const isNetworkName = (name: string): name is NetworkName => Object.hasOwn(networks, name);

export const headerRules = ({ genesis, consensus }: Network): ConsensusParams | undefined =>
  genesis?.header && consensus;

/** Returns after how many blocks the subsidy halves; by default as on Bitcoin's main chain. @see Bitcoin Core `nSubsidyHalvingInterval` */
export const halvingInterval = (network: Network): number => headerRules(network)?.halvingInterval ?? 210_000;

/**
 * Finds a built-in network by its name or an alias, or checks a network object and returns it.
 * @throws `network/unknown`, `network/invalid`
 */
export function resolveNetwork(network: NetworkOption): Network {
  if (typeof network === 'object' && network !== null) return BUILT_IN.has(network) ? network : assertNetwork(network);
  const name = canonicalName(network);
  if (isNetworkName(name)) return networks[name];
  const names = Object.keys(networks).join(', ');
  // Plain JavaScript may pass null.
  const input = String(network);
  throw new BtcError(
    'network/unknown',
    { name: withoutSecrets(input), known: names },
    `There is no network ${quoted(input)}: choose ${names}`,
  );
}

export function networksThat(isMeant: (network: Network) => boolean): string {
  return networkNames(isMeant).join(' or ');
}

export function otherNetworkText(what: string, actual: string, { name }: Pick<Network, 'name'>): string {
  return `The ${what} is for ${actual}, not for ${withoutSecrets(name)}`;
}

const isUpTo = (most: number, value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
const isByte = (value: unknown): boolean => isUpTo(0xff, value);
const isU32 = (value: unknown): boolean => isUpTo(0xffff_ffff, value);
const BYTE = 'must be a whole number from 0 to 255';

const HRP = 'must be 1 to 18 lower-case ASCII characters';
const isHrp = (value: unknown): boolean => typeof value === 'string' && /^[!-@[-~]{1,18}$/.test(value);
const TEXT = 'must be a string, or be omitted';
const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';
const isHex = (value: unknown): boolean => typeof value === 'string' && /^(?:[0-9a-f]{2})*$/i.test(value);
const isHexBytes = (size: number, value: unknown): boolean =>
  isHex(value) && typeof value === 'string' && value.length === 2 * size;
const RATE = 'must be a number above 0, or be omitted';
const isRate = (value: unknown): boolean => value === undefined || (typeof value === 'number' && value > 0);

const MEMBER_RULES: readonly (readonly [keyof Network, string, (value: unknown) => boolean])[] = [
  ['name', 'must be a string', (value) => typeof value === 'string'],
  ['ticker', 'must be a string', (value) => typeof value === 'string'],
  [
    'coinType',
    'must be a whole number below 2^31, or be omitted',
    (value) => value === undefined || isUpTo(0x7fff_ffff, value),
  ],
  ['pubKeyHash', BYTE, isByte],
  ['scriptHash', BYTE, isByte],
  ['scriptHashAccepted', 'must be an array of bytes', (value) => Array.isArray(value) && value.every(isByte)],
  ['wif', BYTE, isByte],
  ['bip32', 'must be { public, private }, two 32-bit numbers', isBip32Versions],
  ['hrp', HRP, isHrp],
  ['maxMoney', 'must be a positive bigint', (value) => typeof value === 'bigint' && value > 0n],
  ['mweb', 'must be true or false', (value) => typeof value === 'boolean'],
  ['mwebHrp', `${HRP}, or be omitted`, (value) => value === undefined || isHrp(value)],
  ['messageMagic', TEXT, isText],
  ['maxFeeRate', RATE, isRate],
  ['dustFeeRate', RATE, isRate],
  ['maxLockHeight', RATE, isRate],
  ['datedBlock', 'must be { height, time }, a number of blocks and a UNIX time, or be omitted', isDatedBlock],
  ['genesis', 'must be { hash, time }, 64 hex digits and a UNIX time, with or without header and coinbase', isGenesis],
  ['consensus', 'must be the rules for headers, with bigint values of powLimit and minimumWork', isConsensus],
  ['title', TEXT, isText],
  ['nodeName', TEXT, isText],
  ['fileNames', 'must be an array of strings, or be omitted', isTextList],
  ['coldcardName', TEXT, isText],
  ['uriScheme', TEXT, isText],
  ['isMain', 'must be true or false, or be omitted', (value) => value === undefined || typeof value === 'boolean'],
  ['rpcPort', 'must be a port, or be omitted', (value) => value === undefined || isUpTo(0xffff, value)],
  ['magic', 'must be 8 hex digits, or be omitted', (value) => value === undefined || isHexBytes(4, value)],
  ['signetChallenge', 'must be hex, or be omitted', (value) => value === undefined || isHex(value)],
];

type Members = Readonly<Record<string, unknown>>;

const asMembers = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null ? (value as Members) : undefined;

function isBip32Versions(value: unknown): boolean {
  const versions = asMembers(value);
  return versions !== undefined && isU32(versions['public']) && isU32(versions['private']);
}

function isTextList(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}

function isGenesis(value: unknown): boolean {
  if (value === undefined) return true;
  const { hash, time, header, coinbase } = asMembers(value) ?? {};
  return isHexBytes(32, hash) && isU32(time) && isGenesisHeader(header) && isCoinbase(coinbase);
}

function isGenesisHeader(value: unknown): boolean {
  if (value === undefined) return true;
  const { merkleRoot, bits, nonce } = asMembers(value) ?? {};
  return isHexBytes(32, merkleRoot) && isU32(bits) && isU32(nonce);
}

function isCoinbase(value: unknown): boolean {
  if (value === undefined) return true;
  const { text, pubkey } = asMembers(value) ?? {};
  return typeof text === 'string' && /^[\0-\xff]{0,90}$/.test(text) && isHex(pubkey);
}

const CONSENSUS_FLAGS = ['allowsMinDifficulty', 'hasNoRetargeting', 'enforcesBip94', 'countsWholePeriod'] as const;

function isConsensus(value: unknown): boolean {
  if (value === undefined) return true;
  const rules = asMembers(value) ?? {};
  const {
    powHash,
    powLimit,
    targetTimespan,
    targetSpacing,
    halvingInterval = 1,
    versionHeights,
    laterForks,
    minimumWork,
  } = rules;
  return (
    (powHash === 'sha256d' || powHash === 'scrypt') &&
    isWork(powLimit) &&
    isWork(minimumWork) &&
    isU32(targetSpacing) &&
    isU32(targetTimespan) &&
    Number(targetSpacing) > 0 &&
    isU32(halvingInterval) &&
    Number(halvingInterval) > 0 &&
    Number(targetTimespan) >= Number(targetSpacing) &&
    isHeights(3, versionHeights) &&
    isHeights(2, laterForks) &&
    CONSENSUS_FLAGS.every((name) => typeof rules[name] === 'boolean') &&
    isKnownBlock(rules['knownBlock'])
  );
}

const isWork = (value: unknown): boolean => typeof value === 'bigint' && value >= 0n && value < 1n << 256n;

const isHeights = (count: number, value: unknown): boolean =>
  Array.isArray(value) && value.length === count && value.every(isU32);

function isKnownBlock(value: unknown): boolean {
  if (value === undefined) return true;
  const { height, hash } = asMembers(value) ?? {};
  return isU32(height) && isHexBytes(32, hash);
}

function isDatedBlock(value: unknown): boolean {
  if (value === undefined) return true;
  const { height, time } = asMembers(value) ?? {};
  return isU32(height) && isU32(time);
}

function assertNetwork(network: Network): Network {
  for (const [member, reason, isGood] of MEMBER_RULES) {
    if (!isGood(network[member])) {
      throw new BtcError('network/invalid', { member, reason }, `The ${member} of the network ${reason}`);
    }
  }
  return network;
}
