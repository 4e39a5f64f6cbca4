import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { RPC_METHOD_DEPRECATED } from '../../../answers/method/errorCodes.ts';
import { bool, int32, optional, string } from '../../../answers/method/parameters.ts';
import type { Draft } from '../../../answers/method/results.ts';
import { amount, maybe, members } from '../../../answers/method/results.ts';
import { RpcError } from '../../../core/errors.ts';
import { type Balances, computeBalances } from '../../wallet/queries/balances.ts';
import { createView, type WalletContext, walletMethod } from '../context.ts';
import { avoidsReuse, watchFilter } from '../walletArguments.ts';
import { walletMethodRules } from '../walletMethodRules.ts';
import { lastProcessedBlock, lastProcessedBlockResult } from './lastProcessedBlock.ts';

const watchedBalancesResult = members({
  trusted: amount("confirmed, or unconfirmed in the wallet's own transactions"),
  untrusted_pending: amount('unconfirmed, from others'),
  immature: amount('of coinbases that are too young'),
});

const ownBalancesResult = members({
  ...watchedBalancesResult.members,
  nonmempool: maybe(
    amount('what transactions spend that are neither in a block nor in the mempool, as a negative amount'),
    { since: 'core-32' },
  ),
  used: maybe(amount('with avoid_reuse: of addresses that were spent from, which the others leave out')),
});

const balancesResult = members({
  mine: ownBalancesResult,
  watchonly: maybe(watchedBalancesResult, { until: 'core-0.21' }),
  lastprocessedblock: maybe(lastProcessedBlockResult, { since: 'core-29' }),
});

export const getbalance = walletMethod({
  name: 'getbalance',
  checksLate: true,
  about: 'Shows the balance that the wallet trusts: confirmed outputs, and unconfirmed ones of its own transactions.',
  params: [
    optional(string('dummy', 'must be "*" if it is given')),
    optional(int32('minconf', 'counts only outputs with at least this many confirmations'), 0),
    optional(
      bool('include_watchonly', 'whether to count watch-only outputs (0.21); default true for watch-only wallets'),
    ),
    optional(
      bool(
        'avoid_reuse',
        'whether to leave out outputs on addresses that were spent from, in wallets that mark these',
        { default: 'true' },
      ),
    ),
  ],
  result: amount('the balance'),
  examples: ["getbalance '*' 6"],
  run: (args, context) => {
    if ((args.dummy ?? '*') !== '*') {
      throw new RpcError(RPC_METHOD_DEPRECATED, 'dummy first argument must be excluded or set to "*".');
    }
    const minDepth = args.minconf;
    const filter = watchFilter(args.include_watchonly, context);
    const isAvoiding = avoidsReuse(args.avoid_reuse, context);
    const { own, watched, usedOwn, usedWatched } = computeBalances(createView(context), { minDepth }).trusted;
    const sum = (unused: bigint, used: bigint): bigint => (isAvoiding ? unused : unused + used);
    return sum(own, usedOwn) + (filter === 'all' ? sum(watched, usedWatched) : 0n);
  },
});

export const getbalances = walletMethod({
  name: 'getbalances',
  about: 'Shows the balances of the wallet in coins.',
  params: [],
  result: balancesResult,
  examples: ['getbalances'],
  run: (_, context) => {
    const view = createView(context);
    const { countsNonmempool } = walletMethodRules[context.dialect.generation];
    return context.wallet.legacy
      ? balancesWithWatched(computeBalances(view), context)
      : balancesAtTip(computeBalances(view, { countsNonmempool }), context);
  },
});

function balancesWithWatched(balances: Balances, { wallet }: WalletContext): Draft<typeof balancesResult> {
  const { trusted, pending, immature } = balances;
  const mine = {
    trusted: trusted.own,
    untrusted_pending: pending.own,
    // Core leaves out no immature coins.
    immature: immature.own + immature.usedOwn,
    ...(wallet.row.avoidsReuse && { used: trusted.usedOwn + pending.usedOwn }),
  };
  const watchonly = {
    trusted: trusted.watched,
    untrusted_pending: pending.watched,
    immature: immature.watched + immature.usedWatched,
  };
  return {
    mine,
    ...(wallet.legacy?.watchesAny() && { watchonly }),
  };
}

function balancesAtTip(
  { trusted, pending, immature, nonmempool }: Balances,
  { wallet, dialect }: WalletContext,
): Draft<typeof balancesResult> {
  const { countsNonmempool, countsUsedAsImmature } = walletMethodRules[dialect.generation];
  const mine = {
    trusted: trusted.own,
    untrusted_pending: pending.own,
    immature: immature.own + (countsUsedAsImmature ? immature.usedOwn : 0n),
    ...(countsNonmempool && { nonmempool: -(nonmempool.own + nonmempool.usedOwn) }),
    ...(wallet.row.avoidsReuse && {
      used: trusted.usedOwn + pending.usedOwn + (countsNonmempool ? immature.usedOwn : 0n),
    }),
  };
  return { mine, lastprocessedblock: lastProcessedBlock(wallet) };
}

export const getunconfirmedbalance = lasting(
  walletMethod({
    name: 'getunconfirmedbalance',
    about: 'Shows the balance of unconfirmed outputs from others, which the wallet does not trust.',
    params: [],
    result: amount('the balance'),
    examples: ['getunconfirmedbalance'],
    run: (_, context) => computeBalances(createView(context)).pending.own,
  }),
  { until: 'core-29' },
);
