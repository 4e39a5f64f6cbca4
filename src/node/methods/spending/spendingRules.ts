import { type ByGeneration, byGeneration } from '../../../core/generations.ts';

export interface SpendingRules {
  /** Refuses more than 3 decimals of a rate in sat/vB, which 0.21 drops. */
  readonly limitsRateDecimals: boolean;
  /** Takes the outputs that bear the fee also by name, and quotes them in errors. */
  readonly describesPayers: boolean;
  /** Takes -1 as the place of the change for one at random. */
  readonly takesRandomPlace: boolean;
  /** Checks dust before the fee rate. */
  readonly checksDustFirst: boolean;
  readonly roundsFeesUp: boolean;
  /** Prefers coins of one kind of address. */
  readonly avoidsMixingKinds: boolean;
  /** Pays what unconfirmed ancestors of a coin lack to reach the fee rate. */
  readonly paysForAncestors: boolean;
  /** Says why a payment cannot be funded; 0.21 mostly that funds are insufficient. */
  readonly namesFundingFaults: boolean;
  /** Spends coins of others if the caller describes them. */
  readonly spendsForeignCoins: boolean;
  /** The most mempool relatives of a coin to spend. */
  readonly maxRelatives: number | undefined;
  /** Names the settings that would allow a rate below the minimum. */
  readonly advisesOnLowRates: boolean;
  /** `send` names the older option beside the one to use; 0.21 only for the fee rate. */
  readonly namesOlderOptions: boolean;
  /** `send` does not refuse the older `includeWatching`. */
  readonly forgetsWatching: boolean;
  readonly discouragesSnipingInSend: boolean;
  /** `bumpfee` takes other outputs, and the place of the change. */
  readonly choosesBumpOutputs: boolean;
  /** `bumpfee` compares the rate with the relay fee first. */
  readonly comparesBumpWithRelay: boolean;
  /** The error of `bumpfee` without private keys; `{daemon}` is the node's name. */
  readonly watchOnlyBump: { readonly code: number; readonly message: string };
  /** The error for a wallet without change addresses. */
  readonly keypoolAdvice: string;
}

export const spendingRules: ByGeneration<SpendingRules> = byGeneration<SpendingRules>({
  'core-0.21': {
    limitsRateDecimals: false,
    describesPayers: false,
    takesRandomPlace: true,
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
  'core-29': {
    limitsRateDecimals: true,
    describesPayers: true,
    takesRandomPlace: false,
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
