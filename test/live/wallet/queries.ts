import { decodeTransaction, encodeTransaction, formatHex, parseHex, type Transaction } from '../../support/library.ts';
import { LABELS } from './importing.ts';
import { prevtxOf, signed, unsignedTx } from './spending.ts';
import { watchStranger } from './walletSteps.ts';
import { type Coin, mempoolTxs, type World } from './world.ts';

/** Random queries of wallets. */

type Question = (world: World, wallet: string) => Promise<void>;

const ODD_ADDRESSES: readonly unknown[] = ['', 'nope', 'rltc1qqqq', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfN1', 1, null, []];

const addressesOf = ({ locks }: World): string[] => locks.flatMap(({ address }) => address ?? []);

function unspentOptions({ dice }: World): unknown {
  const amount = (): unknown => dice.pick<unknown>([0, 0.5, '1.00000000', 20, 50, '12.5', 1e-8, 84_000_000]);
  const odd = dice.pick<unknown>([-1, 'x', null, 1e9, [], '0.000000001', '1e-8']);
  const fields = {
    minimumAmount: amount(),
    maximumAmount: amount(),
    maximumCount: dice.pick([0, 1, 2, 5, -1]),
    minimumSumAmount: amount(),
  };
  const names = dice.some(Object.keys(fields), 2) as (keyof typeof fields)[];
  return {
    ...Object.fromEntries(names.map((name) => [name, fields[name]])),
    ...(dice.chance(0.08) && { [dice.pick(names)]: odd }),
    ...(dice.chance(0.02) && { minimumamount: 1 }),
  };
}

export const askUnspent: Question = async (world, wallet) => {
  const { dice, both } = world;
  const odd = <T>(usual: T): unknown =>
    dice.chance(0.02) ? dice.pick<unknown>([null, 'x', 1.5, {}, 99_999_999_999]) : usual;
  const wanted = dice.some(addressesOf(world), 30);
  const addresses = dice.weighed<unknown>([
    [4, []],
    [4, wanted],
    [0.2, [...wanted, wanted[0]]],
    [0.2, [dice.pick(ODD_ADDRESSES)]],
    [1, null],
  ]);
  const args = [
    odd(dice.pick([0, 0, 1, 2, 6, 101, -1])),
    odd(dice.pick([9_999_999, 0, 1, 5, 100])),
    addresses,
    odd(dice.chance(0.6)),
    odd(unspentOptions(world)),
  ];
  const count = dice.pick([0, 1, 1, 2, 3, 4, 5]);
  const names = ['minconf', 'maxconf', 'addresses', 'include_unsafe', 'query_options'];
  const isNamed = dice.chance(0.1);
  const named = Object.fromEntries(args.slice(0, count).map((arg, i) => [names[i], arg]));
  await both.ask('listunspent', isNamed ? named : args.slice(0, count), wallet);
};

export const askSince: Question = async (world, wallet) => {
  const { dice, both, blocks, tip } = world;
  const odd = <T>(usual: T): unknown => (dice.chance(0.03) ? dice.pick<unknown>([null, 'x', 1.5, {}, 0, -1]) : usual);
  const hashes = [...blocks.keys()];
  const hash = dice.weighed<unknown>([
    [3, hashes.at(-1 - dice.below(Math.min(10, hashes.length)))],
    [3, dice.pick(hashes)],
    [2, tip.hash],
    [1, ''],
    [0.2, '11'.repeat(32)],
    [0.2, 'zz'],
    [0.1, 'z'.repeat(64)],
  ]);
  const args = [
    odd(hash),
    odd(dice.pick([1, 1, 2, 6, 100, 2_147_483_647])),
    odd(dice.chance(0.6)),
    odd(dice.chance(0.7)),
  ];
  const count = dice.pick([0, 1, 1, 2, 3, 3, 4]);
  const names = ['blockhash', 'target_confirmations', 'include_watchonly', 'include_removed'];
  const named = Object.fromEntries(args.slice(0, count).map((arg, i) => [names[i], arg]));
  await both.ask('listsinceblock', dice.chance(0.1) ? named : args.slice(0, count), wallet);
};

export const askAddress: Question = async (world, wallet) => {
  const { dice, both } = world;
  const address = dice.chance(0.97) ? dice.pick(addressesOf(world)) : dice.pick(ODD_ADDRESSES);
  await both.ask(
    'getaddressinfo',
    [dice.chance(0.05) && typeof address === 'string' ? address.toUpperCase() : address],
    wallet,
  );
};

export const askInfo: Question = async (world, wallet) => {
  const { both } = world;
  // The node counts coins of a used key until its cached balances are computed anew, if the address that was spent from
  // is of another type than theirs (`CWallet::MarkDestinationsDirty`).
  await watchStranger(world, wallet);
  await both.ask('getwalletinfo', [], wallet);
};

/** Signs with at most one key of each coin; often returns the transaction unsigned. */
function partlySigned({ dice }: World, tx: Transaction, coins: readonly Coin[]): Transaction {
  if (dice.chance(0.6)) return tx;
  const few = coins.map((coin) => ({ ...coin, lock: { ...coin.lock, keys: dice.some(coin.lock.keys, 1) } }));
  return signed(tx, few).tx;
}

export const askSignature: Question = async (world, wallet) => {
  const { dice, both, tip } = world;
  const loose = mempoolTxs(world).flatMap(({ tx }) => tx);
  const all = [...tip.coins.values()];
  if (all.length === 0) return;
  const coins = dice.some(all, 3);
  const tx =
    dice.chance(0.1) && loose.length > 0
      ? dice.pick(loose)
      : partlySigned(world, unsignedTx(world, coins, 1000n), coins);
  const hex = formatHex(encodeTransaction(tx));
  const { amount, ...rest } = prevtxOf(dice.pick(coins));
  const prevtx = dice.weighed<unknown>([
    [3, { ...rest, amount }],
    [1, rest],
    [0.5, { ...rest, amount: '0.1' }],
    [0.2, { ...rest, scriptPubKey: '51' }],
    [0.2, { ...rest, amount: dice.pick<unknown>([-1, 'x', null]) }],
    [0.2, { ...rest, vout: dice.pick<unknown>([-1, 'x', null, 9]), amount }],
    [0.2, dice.pick<unknown>([null, 1, {}])],
  ]);
  const types = [
    'ALL',
    'ALL',
    'NONE',
    'SINGLE',
    'ALL|ANYONECANPAY',
    'SINGLE|ANYONECANPAY',
    'NONE|ANYONECANPAY',
    'all',
    '',
    null,
  ];
  const args = [
    dice.chance(0.97) ? hex : dice.pick<unknown>(['', 'zz', hex.slice(2), hex.slice(0, -2), 1, null]),
    dice.pick<unknown>([null, [], [prevtx], [prevtx]]),
    dice.pick(types),
  ];
  await both.ask('signrawtransactionwithwallet', args.slice(0, dice.pick([1, 1, 1, 2, 3])), wallet);
};

/** Has a wallet sign a spend of its coins. @returns the transaction if complete */
export const askSpend = async (world: World, wallet: string): Promise<Transaction | undefined> => {
  const { dice, both, tip } = world;
  const { result: listed } = await both.ask('listunspent', [0], wallet);
  const names = (listed as { txid: string; vout: number }[] | null)?.map(({ txid, vout }) => `${txid}:${vout}`) ?? [];
  const coins = names.flatMap((name) => tip.coins.get(name) ?? []);
  if (coins.length === 0) return undefined;
  const tx = unsignedTx(world, dice.some(coins, 2), 50_000n);
  const { result } = await both.ask('signrawtransactionwithwallet', [formatHex(encodeTransaction(tx))], wallet);
  const answer = result as { hex: string; complete: boolean } | null;
  return answer?.complete ? decodeTransaction(parseHex(answer.hex)) : undefined;
};

export const askSmall: Question = async ({ dice, both }, wallet) => {
  const [method, params] = dice.pick<readonly [string, unknown]>([
    ['getblockcount', []],
    ['getbestblockhash', []],
    ['listwallets', []],
    ['listlockunspent', []],
    ['listunspent', [1, 2, 3, 4, 5, 6]],
    ['getaddressinfo', []],
    ['setlabel', [dice.pick(LABELS)]],
    ['listsinceblock', { nope: 1 }],
    ['importprivkey', {}],
    ['nosuchmethod', []],
  ]);
  await both.ask(method, params, wallet);
};
