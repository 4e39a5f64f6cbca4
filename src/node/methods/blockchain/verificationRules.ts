import { type ByGeneration, byGeneration } from '../../../core/generations.ts';

/** How many transactions a chain had, and how many per second came then. @see Bitcoin Core `ChainTxData` */
export interface ChainTraffic {
  /** UNIX time. */
  readonly time: number;
  readonly count: number;
  readonly rate: number;
}

export interface VerificationRules {
  /** By the name of the network. */
  readonly traffic: Readonly<Record<string, ChainTraffic>>;
  /** A recent block is as old as the blocks above it take; earlier releases go by its time. */
  readonly countsBlocksAbove: boolean;
}

/** Of the networks that a release knows nothing of, such as signets of one's own. */
export const NO_TRAFFIC: ChainTraffic = { time: 0, count: 0, rate: 0 };

const LITECOIN_0_21_2 = {
  litecoin: { time: 1_641_142_661, count: 100_225_898, rate: 1.17733189266096 },
  'litecoin-testnet': { time: 1_607_986_972, count: 4_229_067, rate: 0.06527021772939347 },
};
/** Not zero, so that Core's tests see it. */
const REGTEST = { time: 0, count: 0, rate: 0.001 };

export const verificationRules: ByGeneration<VerificationRules> = byGeneration<VerificationRules>({
  'core-0.21': {
    traffic: {
      main: { time: 1_603_995_752, count: 582_083_445, rate: 3.508976121410527 },
      testnet3: { time: 1_603_359_686, count: 58_090_238, rate: 0.1232886622799463 },
      signet: { time: 1_603_986_000, count: 9_582, rate: 0.00159272030651341 },
      ...LITECOIN_0_21_2,
    },
    countsBlocksAbove: false,
  },
  'core-29': {
    traffic: {
      main: { time: 1_741_017_141, count: 1_161_875_261, rate: 4.620728156243148 },
      testnet3: { time: 1_741_042_082, count: 475_477_615, rate: 17.15933950357594 },
      testnet4: { time: 1_741_070_246, count: 7_653_966, rate: 1.239174414591965 },
      signet: { time: 1_741_019_645, count: 16_540_736, rate: 1.064918879911595 },
    },
  },
  'core-30': {
    traffic: {
      main: { time: 1_756_722_903, count: 1_235_299_397, rate: 5.456290459519495 },
      testnet3: { time: 1_751_816_758, count: 508_468_699, rate: 7.172978845985714 },
      testnet4: { time: 1_752_470_331, count: 11_414_302, rate: 0.2842619757327476 },
      signet: { time: 1_756_723_017, count: 26_185_472, rate: 0.7452721495389969 },
      regtest: REGTEST,
    },
    countsBlocksAbove: true,
  },
  'core-31': {
    traffic: {
      main: { time: 1_772_055_173, count: 1_315_805_869, rate: 5.40111006496122 },
      testnet3: { time: 1_772_051_651, count: 536_108_416, rate: 0.02691479016257117 },
      testnet4: { time: 1_772_013_387, count: 14_191_421, rate: 0.01848579579528412 },
      signet: { time: 1_772_055_248, count: 28_676_833, rate: 0.06736623436338929 },
      regtest: REGTEST,
    },
  },
});
