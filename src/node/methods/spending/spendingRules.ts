import { type ByGeneration, byGeneration } from '../../../core/generations.ts';
import { SEQUENCE_FINAL } from '../../../core/tx/absoluteLock.ts';

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
  /** Tells funds that only long chains hold from missing ones with the usable coins in mind. */
  readonly sumsUsableCoins: boolean;
  /** Tells missing funds from those that lack only the fee. */
  readonly namesUnpaidFees: boolean;
  /** Spends unconfirmed coins only with a transaction that is restricted alike (BIP431). */
  readonly restrictsVersions: boolean;
  /** Spends no unconfirmed restricted coins with unconfirmed ancestors. */
  readonly refusesGrandchildren: boolean;
  /** Adds to outputs that bear the fee what is left beyond it. */
  readonly sharesSurplus: boolean;
  /** Names the settings that would allow a rate below the minimum. */
  readonly advisesOnLowRates: boolean;
  /** The reason that `sendtoaddress` and `sendmany` give for a fee rate that the caller chose. */
  readonly chosenRate: string;
  /** The reason that they give for an estimated rate. */
  readonly estimatedRate: string;
  /** The error of a payment without outputs that cost anything. */
  readonly nothingToPay: string;
  /** `sendall` takes the size of inputs that it cannot solve for the highest number. */
  readonly sizesUnsolvable: boolean;
  /** Sizes inputs by the most that their descriptor says, rather than by dummy signatures. */
  readonly sizesByDescriptor: boolean;
  /** `send` names the older option beside the one to use; 0.21 only for the fee rate. */
  readonly namesOlderOptions: boolean;
  /** `send` does not refuse the older `includeWatching`. */
  readonly forgetsWatching: boolean;
  readonly discouragesSnipingInSend: boolean;
  /** The sequence of the inputs of `sendall` that signal no replaceability. */
  readonly unsignalledSequence: number;
  /** `bumpfee` takes other outputs, and the place of the change. */
  readonly choosesBumpOutputs: boolean;
  /** `bumpfee` takes transactions whose descendants are abandoned. */
  readonly forgetsAbandonedSpends: boolean;
  /** `fundrawtransaction` spends watch-only coins if true stands in place of its options. */
  readonly readsWatchFlag: boolean;
  /** `bumpfee` refuses transactions that do not signal replaceability (BIP125). */
  readonly bumpsOnlySignalling: boolean;
  /** A stated rate of `bumpfee` need exceed the former one only by the relay fee, rather than by more. */
  readonly raisesByRelayFee: boolean;
  /** The error of `bumpfee` without private keys; `{daemon}` is the node's name. */
  readonly watchOnlyBump: { readonly code: number; readonly message: string };
  /** The error for a wallet without change addresses. */
  readonly keypoolAdvice: string;
  /** The error for a payment that the mempool would refuse for its unconfirmed relatives. */
  readonly longChain: (detail: string) => string;
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
    sumsUsableCoins: false,
    namesUnpaidFees: false,
    restrictsVersions: false,
    refusesGrandchildren: false,
    sharesSurplus: false,
    advisesOnLowRates: false,
    chosenRate: 'PayTxFee set',
    estimatedRate: 'Target 85% Threshold',
    nothingToPay: 'Transaction is invalid',
    sizesUnsolvable: false,
    sizesByDescriptor: false,
    namesOlderOptions: false,
    forgetsWatching: false,
    discouragesSnipingInSend: false,
    unsignalledSequence: SEQUENCE_FINAL,
    choosesBumpOutputs: false,
    forgetsAbandonedSpends: false,
    readsWatchFlag: true,
    bumpsOnlySignalling: true,
    raisesByRelayFee: false,
    watchOnlyBump: {
      code: -32,
      message:
        'Using bumpfee with wallets that have private keys disabled is deprecated. Use psbtbumpfee instead or restart {daemon} with -deprecatedrpc=bumpfee. This functionality will be removed in 0.22',
    },
    keypoolAdvice: 'Please call keypoolrefill first.',
    longChain: () => 'Transaction has too long of a mempool chain',
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
    sharesSurplus: true,
    forgetsAbandonedSpends: true,
    nothingToPay: 'Transaction requires one destination of non-0 value, a non-0 feerate, or a pre-selected input',
    sizesUnsolvable: true,
    sizesByDescriptor: true,
    namesOlderOptions: true,
    forgetsWatching: true,
    choosesBumpOutputs: true,
    readsWatchFlag: false,
    raisesByRelayFee: true,
    watchOnlyBump: {
      code: -4,
      message: 'bumpfee is not available with wallets that have private keys disabled. Use psbtbumpfee instead.',
    },
    keypoolAdvice: 'Error: Keypool ran out, please call keypoolrefill first',
    longChain: (detail) => detail,
  },
  'core-30': {
    discouragesSnipingInSend: true,
    restrictsVersions: true,
    bumpsOnlySignalling: false,
    nothingToPay: 'Transaction requires one destination of non-zero value, a non-zero feerate, or a pre-selected input',
    sizesUnsolvable: false,
  },
  'core-31': {
    namesUnpaidFees: true,
    refusesGrandchildren: true,
    chosenRate: 'None',
    longChain: () => 'too many unconfirmed transactions in cluster',
  },
  'core-32': {
    sumsUsableCoins: true,
    unsignalledSequence: SEQUENCE_FINAL - 1,
    advisesOnLowRates: true,
    chosenRate: 'User Specified Fee',
    estimatedRate: 'Fee Rate Estimator',
  },
});
