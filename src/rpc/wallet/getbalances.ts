import { formatReversedHex } from '../../bytes/hex.ts';
import { RpcError } from '../../errors.ts';
import { walletMethodRules } from '../../generations.ts';
import { type Balances, balancesOf } from '../../wallet/balances.ts';
import { readOptional } from '../argumentValues.ts';
import { RPC_METHOD_DEPRECATED, RPC_WALLET_ERROR } from '../errorCodes.ts';
import { jsonValues } from '../json/jsonForm.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import type { BalancesJson, OwnBalancesJson } from '../views/walletJsonTypes.ts';
import { viewOf, type WalletContext, type WalletMethod } from './context.ts';
import { boolArg, filterArg, INCLUDE_WATCHONLY, int32Arg, MINCONF } from './walletArguments.ts';

/** @see Bitcoin Core `getbalance` */
export const getbalance: WalletMethod<number> = {
  name: 'getbalance',
  needs: 'wallet',
  params: [
    { name: 'dummy', type: 'string', isOptional: true },
    MINCONF,
    INCLUDE_WATCHONLY,
    { name: 'avoid_reuse', type: 'bool', isOptional: true },
  ],
  checksLate: true,
  help: `Shows the balance that the wallet trusts: confirmed outputs, and unconfirmed ones of its own transactions.

Arguments:
1. dummy                (string, optional) must be "*" if it is given
2. minconf              (number, optional, default 0) counts only outputs with at least this many confirmations
3. include_watchonly    (bool, optional) whether to count watch-only outputs (0.21); default true for watch-only wallets
4. avoid_reuse          (bool, optional, default true) whether to leave out outputs on addresses that were spent from, in
                        wallets that mark these

Result:
the balance in coins

Examples:
> countersign getbalance '*' 6`,
  run: (args, context) => {
    if ((readOptional(args[0], 'string', context.dialect)?.value ?? '*') !== '*') {
      throw new RpcError(RPC_METHOD_DEPRECATED, 'dummy first argument must be excluded or set to "*".');
    }
    const minDepth = int32Arg(args[1], 0, context);
    const filter = filterArg(args[2], context);
    const avoidsReuse = avoidReuseArg(args[3], context);
    const { own, watched, usedOwn, usedWatched } = balancesOf(viewOf(context), { minDepth }).trusted;
    const sum = (unused: bigint, used: bigint): bigint => (avoidsReuse ? unused : unused + used);
    return context.json.amountAnswer(sum(own, usedOwn) + (filter === 'all' ? sum(watched, usedWatched) : 0n));
  },
};

/** @throws RpcError -1, -3, -4 @see Bitcoin Core `GetAvoidReuseFlag` */
function avoidReuseArg(value: JsonValue | undefined, context: WalletContext): boolean {
  const { avoidsReuse } = context.wallet;
  const given = boolArg(value, avoidsReuse, context);
  if (given && !avoidsReuse) {
    throw new RpcError(RPC_WALLET_ERROR, 'wallet does not have the "avoid reuse" feature enabled');
  }
  return given;
}

/** @see Bitcoin Core `getbalances` */
export const getbalances: WalletMethod<BalancesJson> = {
  name: 'getbalances',
  needs: 'wallet',
  params: [],
  help: `Shows the balances of the wallet in coins.

Result:
mine                  the outputs that the wallet can spend, or in core-31 that it watches
  trusted             confirmed, or unconfirmed in the wallet's own transactions
  untrusted_pending   unconfirmed, from others
  immature            of coinbases that are too young
  nonmempool          (core-31) what transactions of the wallet spend that are neither in a block nor in the mempool
  used                (with avoid_reuse) outputs on addresses that were spent from, which the others leave out
watchonly             (0.21) the same of watch-only outputs
lastprocessedblock    (core-31) the block up to which the wallet knows the chain

Examples:
> countersign getbalances`,
  run: (_, context) => {
    const view = viewOf(context);
    return walletMethodRules[context.dialect.generation].reportsBalances
      ? balancesWithWatched(balancesOf(view), context)
      : balancesAtTip(balancesOf(view, { countsNonmempool: true }), context);
  },
};

function balancesWithWatched(balances: Balances, { wallet }: WalletContext): BalancesJson {
  const { trusted, pending, immature } = balances;
  const mine = {
    trusted: trusted.own,
    untrusted_pending: pending.own,
    // Core leaves out no immature coins.
    immature: immature.own + immature.usedOwn,
    ...(wallet.avoidsReuse && { used: trusted.usedOwn + pending.usedOwn }),
  };
  const watchonly = {
    trusted: trusted.watched,
    untrusted_pending: pending.watched,
    immature: immature.watched + immature.usedWatched,
  };
  return { mine: inCoins(mine), ...(wallet.legacy?.watchesAny() && { watchonly: inCoins(watchonly) }) };
}

function balancesAtTip({ trusted, pending, immature, nonmempool }: Balances, { wallet }: WalletContext): BalancesJson {
  const mine = {
    trusted: trusted.own,
    untrusted_pending: pending.own,
    immature: immature.own,
    nonmempool: -(nonmempool.own + nonmempool.usedOwn),
    ...(wallet.avoidsReuse && { used: trusted.usedOwn + pending.usedOwn + immature.usedOwn }),
  };
  const { hash, height } = wallet.tip;
  return { mine: inCoins(mine), lastprocessedblock: { hash: formatReversedHex(hash), height } };
}

type InSatoshi = { readonly [N in keyof OwnBalancesJson]: bigint };

/** Turns amounts in satoshi into coins. */
function inCoins(balances: InSatoshi): OwnBalancesJson {
  const members = Object.entries(balances).map(([name, sats]) => [name, jsonValues.amount(sats)] as const);
  return jsonValues.answer(jsonValues.object<OwnBalancesJson>(Object.fromEntries(members) as never));
}

/** @see Bitcoin Core 0.21 `getunconfirmedbalance` */
export const getunconfirmedbalance: WalletMethod<number> = {
  name: 'getunconfirmedbalance',
  needs: 'wallet',
  onlyIn: 'core-0.21',
  params: [],
  help: `Shows the balance of unconfirmed outputs from others, which the wallet does not trust. 0.21 only.

Result:
the balance in coins

Examples:
> countersign getunconfirmedbalance`,
  run: (_, context) => context.json.amountAnswer(balancesOf(viewOf(context)).pending.own),
};
