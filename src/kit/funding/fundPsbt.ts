import { isBytes } from '../../core/bytes/assertBytes.ts';
import {
  assertKnownOptions,
  assertList,
  assertShape,
  isObject,
  type OptionNames,
} from '../../core/bytes/knownOptions.ts';
import { planOutput } from '../../core/descriptors/plan.ts';
import { BtcError } from '../../core/errors.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { resolveLimits } from '../../core/review/policy.ts';
import { classifyScript } from '../../core/script/template.ts';
import { inputWeight, spendSize } from '../../core/tx/spendSize.ts';
import { outpointKey } from '../../core/tx/txid.ts';
import { sizeOfWeight } from '../../core/tx/weight.ts';
import {
  assertOptions,
  BUILD_OPTIONS,
  type BuildOptions,
  isKnownOutput,
  refuse,
  type SpendInput,
} from '../account/buildOptions.ts';
import { buildPsbt, type PreparedBuild, prepareBuild } from '../account/buildPsbt.ts';
import { sizeInput } from '../account/signedSize.ts';
import { antiSnipingLocktime } from '../coins/antiSniping.ts';
import type { FundingCoin } from '../coins/coinGroups.ts';
import { assertFeeRate } from '../coins/feeRate.ts';
import { type FundedPayment, type FundingFault, fundPayment } from '../coins/fundPayment.ts';
import type { RandomBytes } from '../coins/randomNumbers.ts';

/** A coin to choose from. */
export interface FundingInput extends SpendInput {
  /** How many blocks confirm it, 0 for none. Default 6, from which coins of others are trusted most. */
  readonly confirmations?: number;
  /** The coin is change of a payment of one's own, which is spent unconfirmed rather than one of others. Default false. */
  readonly isOwnChange?: boolean;
}

/** A payment, and the coins to choose from. */
export interface FundOptions extends Omit<BuildOptions, 'inputs' | 'fee' | 'changePosition' | 'feeRate' | 'change'> {
  readonly coins: readonly FundingInput[];
  /** Coins to spend in any case. */
  readonly inputs?: readonly SpendInput[];
  /** Satoshi per virtual byte of the signed transaction. */
  readonly feeRate: number;
  readonly change: NonNullable<BuildOptions['change']>;
  /** Unpredictable bytes, by which coins are drawn and the place of the change is chosen. */
  readonly random: RandomBytes;
  /** The rate at which coins may be spent later, in satoshi per virtual byte: a lower rate gathers coins. Default 10. */
  readonly longTermFeeRate?: number;
  /** Spends the coins of an address together or not at all. Default false. */
  readonly groupsByAddress?: boolean;
  /** The last block, and the present UNIX time: sets a locktime that discourages fee sniping. */
  readonly tip?: { readonly height: number; readonly time: number; readonly now: number };
}

const { inputs: _inputs, fee: _fee, changePosition: _position, ...SHARED } = BUILD_OPTIONS;

const OPTIONS: OptionNames<FundOptions> = {
  ...SHARED,
  coins: 'needed',
  inputs: true,
  feeRate: 'needed',
  change: 'needed',
  random: 'needed',
  longTermFeeRate: true,
  groupsByAddress: true,
  tip: true,
};

/**
 * Chooses coins for a payment as Bitcoin Core does, and builds its PSBT: with the least waste of branch and bound, the knapsack,
 * a single random draw and, at high rates, the lightest coins; coins of one kind of address and confirmed ones first. Coins that
 * cost more than they are worth are left. What unconfirmed ancestors of a coin lack is not known here, and not paid.
 * @throws `build/insufficient-funds`, `build/invalid`; as `buildPsbt`
 * @see Bitcoin Core `CreateTransaction`, `AutomaticCoinSelection`
 *
 * @example
 * ```ts
 * import { accountFromWords, reviewWith } from 'countersign';
 * import { fundPsbt } from 'countersign/funding';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coins = [30_000n, 90_000n].map((value, vout) => ({ txid: '11'.repeat(32), vout, value, from: me.receive(vout) }));
 * const random = (size: number) => crypto.getRandomValues(new Uint8Array(size));
 * const outputs = { [me.receive(9).address]: 70_000n };
 * const psbt = fundPsbt({ coins, outputs, change: me.change(0), feeRate: 2, random });
 * reviewWith(me, psbt).fee; // 282n
 * ```
 */
export function fundPsbt(options: FundOptions): Psbt {
  assertKnownOptions(options, OPTIONS);
  const {
    coins,
    inputs: preset = [],
    random,
    longTermFeeRate,
    groupsByAddress,
    tip,
    change,
    feeRate,
    ...rest
  } = options;
  assertRandom(random);
  assertList('coins', coins);
  assertList('inputs', preset);
  for (const [i, coin] of coins.entries()) assertCoin(coin, `coins[${i}]`);
  assertFeeRate('feeRate', feeRate);
  if (longTermFeeRate !== undefined) assertFeeRate('longTermFeeRate', longTermFeeRate);
  const locktime = options.locktime ?? (tip ? antiSnipingLocktime(tip, tip.now, random) : 0);
  const candidates = [...preset, ...coins.map(({ confirmations: _c, isOwnChange: _o, ...coin }) => coin)];
  const all: BuildOptions = { ...rest, change, feeRate, locktime, inputs: candidates };
  assertOptions(all);
  const prepared = prepareBuild(all);
  const funded = fund(prepared, options, locktime);
  const inputs = inOrder(prepared, funded).map(({ input }) => input);
  return buildPsbt({
    ...rest,
    ...{ inputs, locktime, fee: funded.fee },
    ...(funded.changePosition !== undefined && { change, changePosition: funded.changePosition }),
  });
}

/**
 * Refuses a function that answers later, or with other than so many bytes: the change would always be at the same position,
 * which gives it away.
 */
function assertRandom(random: FundOptions['random']): void {
  const bytes = typeof random === 'function' ? random(32) : undefined;
  assertShape('random', isBytes(bytes) && bytes.length === 32, 'a function that returns so many random bytes at once');
}

function assertCoin(coin: FundingInput, place: string): void {
  assertShape(place, isObject(coin), 'an object');
  const { confirmations = 0 } = coin;
  const isCount = Number.isSafeInteger(confirmations) && confirmations >= 0;
  assertShape(`${place}.confirmations`, isCount, 'a whole number, at least 0');
}

/** Lists the chosen coins in the order of the selection. */
function inOrder({ spends }: PreparedBuild, { coins }: FundedPayment): PreparedBuild['spends'] {
  const byOutpoint = new Map(spends.map((spend) => [outpointKey(spend.outpoint), spend]));
  return coins.flatMap(({ outpoint }) => byOutpoint.get(outpointKey(outpoint)) ?? []);
}

/** Satoshi per 1000 virtual bytes. */
const toKilo = (rate: number): bigint => BigInt(Math.ceil(rate * 1000));

const USUAL_DEPTH = 6;
const LONG_TERM_RATE = 10;
/** @see Bitcoin Core `DEFAULT_DISCARD_FEE` */
const DISCARD_RATE = 10_000n;
/** @see Bitcoin Core `DEFAULT_ANCESTOR_LIMIT` */
const RELATIVES = 25;

function fund({ network, spends, paid, change }: PreparedBuild, options: FundOptions, locktime: number): FundedPayment {
  const {
    coins,
    inputs: preset = [],
    feeRate,
    random,
    longTermFeeRate = LONG_TERM_RATE,
    groupsByAddress = false,
  } = options;
  const funding = spends.map((spend, index): FundingCoin => {
    const { confirmations = USUAL_DEPTH, isOwnChange = false } = coins[index - preset.length] ?? {};
    const { size } = sizeInput(spend, index, locktime);
    const { outpoint, value, scriptPubKey } = spend;
    const unconfirmed = Number(confirmations === 0);
    return {
      ...{ outpoint, value, scriptPubKey, size, kind: classifyScript(scriptPubKey).type, depth: confirmations },
      ...{ isFromMe: isOwnChange, ancestors: unconfirmed, relatives: unconfirmed, bumpFee: 0n },
    };
  });
  const result = fundPayment({
    recipients: paid.map(({ value, scriptPubKey }) => ({ value, scriptPubKey, paysFee: false })),
    preset: funding.slice(0, preset.length),
    available: funding.slice(preset.length),
    change: change[0] && { scriptPubKey: change[0].scriptPubKey, spendVsize: changeVsize(options) },
    feeRate: toKilo(feeRate),
    rounding: 'up',
    dustRate: toKilo(resolveLimits(network).dustFeeRate),
    discardRate: DISCARD_RATE,
    longTermRate: toKilo(longTermFeeRate),
    maxFee: network.maxMoney,
    ...{ groupsByScript: groupsByAddress, avoidsMixing: true, sumsUsableCoins: true, sharesSurplus: true },
    ...{ spendsOwnUnconfirmed: true, spendsUnsafe: false, refusesLongChains: true },
    ...{ ancestorLimit: RELATIVES, relativeLimit: RELATIVES, random },
  });
  if (result.kind === 'funded') return result;
  const available = funding.reduce((sum, { value }) => sum + value, 0n);
  const needed = paid.reduce((sum, { value }) => sum + value, result.fixedFee ?? 0n);
  throw refusal(result.fault, { available, needed });
}

/** What spending the change will take; of an address alone, that of P2SH-P2WPKH. @see Bitcoin Core `DUMMY_NESTED_P2WPKH_INPUT_SIZE` */
function changeVsize({ change }: FundOptions): number {
  const planned = isKnownOutput(change) ? planOutput(change.derived, {}) : undefined;
  return planned ? sizeOfWeight(inputWeight(spendSize(planned.scriptSig, planned.witness))) : 91;
}

const REASONS: Partial<Readonly<Record<FundingFault, string>>> = {
  'nothing-to-pay': 'must pay someone',
  'too-heavy': 'take so many coins that no node would relay the transaction: pay less, or gather coins first',
  'too-large': 'make a transaction that no node would relay: pay fewer of them at once',
  'combination-too-heavy': 'take so many coins that no node would relay the transaction: name fewer inputs',
};

function refusal(fault: FundingFault, amounts: { readonly available: bigint; readonly needed: bigint }): BtcError {
  const reason = REASONS[fault];
  if (reason !== undefined) return refuse('outputs', reason);
  const { available, needed } = amounts;
  const message = `The coins hold ${available} sat, but outputs and their fee take ${needed} sat and more for the inputs: add coins or pay less`;
  return new BtcError('build/insufficient-funds', amounts, message);
}
