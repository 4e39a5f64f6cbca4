import { type ByGeneration, byGeneration } from '../../../core/generations.ts';

/** Rules by which wallets choose coins and fees for a payment, and refuse one. */
export interface SpendingRules {
  /** Core 31 refuses fee rates in sat/vB with more than 3 decimals; 0.21 drops them. */
  readonly limitsRateDecimals: boolean;
  /** Core 31 takes the outputs that bear the fee also by name, and says in errors what it read; 0.21 only by place. */
  readonly describesPayers: boolean;
  /** Core 31 refuses dust before it looks at the fee rate; 0.21 afterwards. */
  readonly checksDustFirst: boolean;
  /** Core 31 rounds fees up, 0.21 down. */
  readonly roundsFeesUp: boolean;
  /** Core 31 prefers coins of one kind of address; 0.21 mixes them. */
  readonly avoidsMixingKinds: boolean;
  /** Core 31 pays what unconfirmed ancestors of a coin lack to reach the fee rate; 0.21 does not. */
  readonly paysForAncestors: boolean;
  /** Core 31 says why a payment cannot be funded; 0.21 mostly that funds are insufficient. */
  readonly namesFundingFaults: boolean;
  /** Core 31 spends coins of others if the caller describes them; 0.21 only coins of its recorded transactions. */
  readonly spendsForeignCoins: boolean;
  /** The most relatives in the mempool of a coin that Core 31 spends; 0.21 has no limit. */
  readonly maxRelatives: number | undefined;
  /** Core 31 names the settings that would allow a fee rate below the minimum; 0.21 does not. */
  readonly advisesOnLowRates: boolean;
  /** `send` of Core 31 names the older option beside the one to use; 0.21 only for the fee rate. */
  readonly namesOlderOptions: boolean;
  /** `send` of Core 31 has no watch-only coins; that of 0.21 has. */
  readonly forgetsWatching: boolean;
  /** `send` of Core 31 sets a locktime that discourages miners from replacing blocks; that of 0.21 sets none. */
  readonly discouragesSnipingInSend: boolean;
  /** `bumpfee` of Core 31 takes other outputs, and the place of the change; that of 0.21 does not. */
  readonly choosesBumpOutputs: boolean;
  /** `bumpfee` of Core 31 compares the rate with that of the mempool first. */
  readonly comparesBumpWithRelay: boolean;
  /** The error of `bumpfee` for a wallet without private keys; `{daemon}` is the name of the node. */
  readonly watchOnlyBump: { readonly code: number; readonly message: string };
  /** The end of the error for a wallet without an address for change. */
  readonly keypoolAdvice: string;
}

/** The rows of {@link SpendingRules}. */
export const spendingRules: ByGeneration<SpendingRules> = byGeneration<SpendingRules>({
  'core-0.21': {
    limitsRateDecimals: false,
    describesPayers: false,
    checksDustFirst: false,
    roundsFeesUp: false,
    avoidsMixingKinds: false,
    paysForAncestors: false,
    namesFundingFaults: false,
    spendsForeignCoins: false,
    maxRelatives: undefined,
    advisesOnLowRates: false,
    namesOlderOptions: false,
    forgetsWatching: false,
    discouragesSnipingInSend: false,
    choosesBumpOutputs: false,
    comparesBumpWithRelay: false,
    watchOnlyBump: {
      code: -32,
      message:
        'Using bumpfee with wallets that have private keys disabled is deprecated. Use psbtbumpfee instead or restart {daemon} with -deprecatedrpc=bumpfee. This functionality will be removed in 0.22',
    },
    keypoolAdvice: 'Please call keypoolrefill first.',
  },
  'core-31': {
    limitsRateDecimals: true,
    describesPayers: true,
    checksDustFirst: true,
    roundsFeesUp: true,
    avoidsMixingKinds: true,
    paysForAncestors: true,
    namesFundingFaults: true,
    spendsForeignCoins: true,
    maxRelatives: 25,
    advisesOnLowRates: true,
    namesOlderOptions: true,
    forgetsWatching: true,
    discouragesSnipingInSend: true,
    choosesBumpOutputs: true,
    comparesBumpWithRelay: true,
    watchOnlyBump: {
      code: -4,
      message: 'bumpfee is not available with wallets that have private keys disabled. Use psbtbumpfee instead.',
    },
    keypoolAdvice: 'Error: Keypool ran out, please call keypoolrefill first',
  },
});
