import { parseHex } from '../bytes/hex.ts';
import { type Network, type NetworkName, networks } from '../network/networks.ts';
import { encodeBlockHeader } from './blockHeader.ts';

/** A block by its height and its hash in display byte order. */
export interface BlockPlace {
  readonly height: number;
  readonly hash: string;
}

/** The rules for the headers of a chain. @see Bitcoin Core `Consensus::Params` */
export interface ConsensusParams {
  /** The hash that must meet the target. */
  readonly powHash: 'sha256d' | 'scrypt';
  /** The highest target. */
  readonly powLimit: bigint;
  /** Time that the blocks between two changes of the target should take, in seconds. */
  readonly targetTimespan: number;
  /** Time that a block should take, in seconds. */
  readonly targetSpacing: number;
  /** True if a block that takes twice as long as it should may have the highest target. */
  readonly allowsMinDifficulty: boolean;
  readonly hasNoRetargeting: boolean;
  /** True if the first block of a period limits the next target and its own time. @see BIP94 */
  readonly enforcesBip94: boolean;
  /** True if a change of the target counts the time of all blocks since the last, rather than of all but one. */
  readonly countsWholePeriod: boolean;
  /** The heights from which versions below 2, 3 and 4 are refused. @see BIP34, BIP66, BIP65 */
  readonly versionHeights: readonly [bip34: number, bip66: number, bip65: number];
  /** The work that the best chain surely exceeds; 0 for a network of one's own. @see Core `nMinimumChainWork` */
  readonly minimumWork: bigint;
  /** A block of the best chain. @see Core `defaultAssumeValid` */
  readonly knownBlock?: BlockPlace;
  /** The header of the genesis block, which has version 1 and no parent; the merkle root in display byte order. */
  readonly genesis: {
    readonly merkleRoot: string;
    readonly time: number;
    readonly bits: number;
    readonly nonce: number;
  };
}

const BITCOIN_ROOT = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b';
const LITECOIN_ROOT = '97ddfbbae6be97fd6cdf3e7ca13232a3afff2353e29badfab7f73011edd4ced9';
const DAY = 86_400;

const bitcoin = {
  powHash: 'sha256d',
  powLimit: (1n << 224n) - 1n,
  targetTimespan: 14 * DAY,
  targetSpacing: 600,
  allowsMinDifficulty: false,
  hasNoRetargeting: false,
  enforcesBip94: false,
  countsWholePeriod: false,
} as const;

const litecoin = {
  ...bitcoin,
  powHash: 'scrypt',
  powLimit: (1n << 236n) - 1n,
  targetTimespan: 3.5 * DAY,
  targetSpacing: 150,
  countsWholePeriod: true,
} as const;

/** The values that both kinds of regtest share. */
const regtest = {
  powLimit: (1n << 255n) - 1n,
  allowsMinDifficulty: true,
  hasNoRetargeting: true,
  minimumWork: 0n,
} as const;

/** The values of Bitcoin Core 31 and Litecoin Core 0.21. */
const PARAMS: Readonly<Record<NetworkName, ConsensusParams>> = {
  main: {
    ...bitcoin,
    versionHeights: [227_931, 363_725, 388_381],
    minimumWork: 0x1128750f82f4c366153a3a030n,
    knownBlock: { height: 938_343, hash: '00000000000000000000ccebd6d74d9194d8dcdc1d177c478e094bfad51ba5ac' },
    genesis: { merkleRoot: BITCOIN_ROOT, time: 1231006505, bits: 0x1d00ffff, nonce: 2083236893 },
  },
  testnet3: {
    ...bitcoin,
    allowsMinDifficulty: true,
    versionHeights: [21_111, 330_776, 581_885],
    minimumWork: 0x17dde1c649f3708d14b6n,
    knownBlock: { height: 4_842_348, hash: '000000007a61e4230b28ac5cb6b5e5a0130de37ac1faf2f8987d2fa6505b67f4' },
    genesis: { merkleRoot: BITCOIN_ROOT, time: 1296688602, bits: 0x1d00ffff, nonce: 414098458 },
  },
  testnet4: {
    ...bitcoin,
    allowsMinDifficulty: true,
    enforcesBip94: true,
    versionHeights: [1, 1, 1],
    minimumWork: 0x9a0fe15d0177d086304n,
    knownBlock: { height: 123_613, hash: '0000000002368b1e4ee27e2e85676ae6f9f9e69579b29093e9a82c170bf7cf8a' },
    genesis: {
      merkleRoot: '7aa0a7ae1e223414cb807e40cd57e667b718e42aaf9306db9102fe28912b7b4e',
      time: 1714777860,
      bits: 0x1d00ffff,
      nonce: 393743547,
    },
  },
  signet: {
    ...bitcoin,
    powLimit: 0x377aen << 216n,
    versionHeights: [1, 1, 1],
    minimumWork: 0xb463ea0a4b8n,
    knownBlock: { height: 293_175, hash: '00000008414aab61092ef93f1aacc54cf9e9f16af29ddad493b908a01ff5c329' },
    genesis: { merkleRoot: BITCOIN_ROOT, time: 1598918400, bits: 0x1e0377ae, nonce: 52613770 },
  },
  regtest: {
    ...bitcoin,
    ...regtest,
    targetTimespan: DAY,
    versionHeights: [1, 1, 1],
    genesis: { merkleRoot: BITCOIN_ROOT, time: 1296688602, bits: 0x207fffff, nonce: 2 },
  },
  litecoin: {
    ...litecoin,
    versionHeights: [710_000, 811_879, 918_684],
    minimumWork: 0x146878abee06fa883e0an,
    knownBlock: { height: 2_772_730, hash: '80cdb35c080484df5bf384b311fde3c4694d3405765bc0f596e9eb369ff286e5' },
    genesis: { merkleRoot: LITECOIN_ROOT, time: 1317972665, bits: 0x1e0ffff0, nonce: 2084524493 },
  },
  'litecoin-testnet': {
    ...litecoin,
    allowsMinDifficulty: true,
    versionHeights: [76, 76, 76],
    minimumWork: 0x4260a1758f04aan,
    knownBlock: { height: 1_737_876, hash: '4a280c0e150e3b74ebe19618e6394548c8a39d5549fd9941b9c431c73822fbd5' },
    genesis: { merkleRoot: LITECOIN_ROOT, time: 1486949366, bits: 0x1e0ffff0, nonce: 293345 },
  },
  'litecoin-regtest': {
    ...litecoin,
    ...regtest,
    versionHeights: [500, 1251, 1351],
    genesis: { merkleRoot: LITECOIN_ROOT, time: 1296688602, bits: 0x207fffff, nonce: 0 },
  },
};

/** Returns the rules of a built-in network; `undefined` for a caller's own, of which only its text formats are known. */
export function consensusParamsOf({ name, genesis }: Network): ConsensusParams | undefined {
  return genesis === undefined && Object.hasOwn(networks, name) ? PARAMS[name as NetworkName] : undefined;
}

/** Returns the 80-byte header of a genesis block. */
export function genesisHeader({ genesis: { merkleRoot, ...numbers } }: ConsensusParams): Uint8Array {
  return encodeBlockHeader({
    version: 1,
    previous: new Uint8Array(32),
    merkleRoot: parseHex(merkleRoot).reverse(),
    ...numbers,
  });
}
