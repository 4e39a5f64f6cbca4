import { bytesKey } from '../../bytes/compare.ts';
import { formatHex } from '../../bytes/hex.ts';
import { coinAt } from '../../chain/chainState.ts';
import { ancestorsOf } from '../../chain/mempool.ts';
import { withoutSecrets } from '../../encoding/redaction.ts';
import { RpcError } from '../../errors.ts';
import { walletMethodRules } from '../../generations.ts';
import { formatTxid } from '../../tx/txid.ts';
import type { TxOut } from '../../tx/types.ts';
import { policySize } from '../../tx/weight.ts';
import { type CoinFilter, coinsOfRecord, type WalletCoin } from '../../wallet/availableCoins.ts';
import { bookEntryOf, destinationOf, isUsedBefore, ownershipOf } from '../../wallet/ownership.ts';
import { openRecordsInOrder, openRecordsPaying } from '../../wallet/recordIndex.ts';
import { depthOf } from '../../wallet/records.ts';
import type { TrustCache, View } from '../../wallet/txQueries.ts';
import type { Wallet, WalletTx } from '../../wallet/walletState.ts';
import { addressArg } from '../addressArgument.ts';
import { parseAmountArgument } from '../amountArgument.ts';
import { checkFields, checkOptional, parseInt32, parseInt64, readOptional, readValue } from '../argumentValues.ts';
import { RPC_INVALID_PARAMETER } from '../errorCodes.ts';
import { keepExact, toCoins } from '../json/exactAmounts.ts';
import { type JsonValue, memberOf } from '../json/jsonValue.ts';
import { orderOf, viewOf, type WalletContext, type WalletMethod } from './context.ts';
import { type OutputFacts, outputFacts, type SpendFacts, spendFacts } from './outputFacts.ts';

/** One element of the answer. */
type UnspentJson = Readonly<Record<string, unknown>>;

const OPTIONS = ['minimumAmount', 'maximumAmount', 'minimumSumAmount', 'maximumCount'] as const;

/** @see Bitcoin Core `listunspent` */
export const listunspent: WalletMethod<readonly UnspentJson[]> = {
  name: 'listunspent',
  needs: 'wallet',
  params: [
    { name: 'minconf', type: 'number', isOptional: true },
    { name: 'maxconf', type: 'number', isOptional: true },
    { name: 'addresses', type: 'array', isOptional: true },
    { name: 'include_unsafe', type: 'bool', isOptional: true },
    { name: 'query_options', type: 'object', isOptional: true, members: [...OPTIONS, 'include_immature_coinbase'] },
  ],
  checksLate: true,
  help: `Lists the unspent outputs of the wallet.

Arguments:
1. minconf          (number, optional, default 1) the minimum number of confirmations
2. maxconf          (number, optional, default 9999999) the maximum number of confirmations
3. addresses        (array, optional) lists only outputs to these addresses
4. include_unsafe   (bool, optional, default true) whether to list outputs that are not safe to spend: unconfirmed ones
                    from others
5. query_options    (object, optional)
     { "minimumAmount": amount, "maximumAmount": amount, "maximumCount": n, "minimumSumAmount": amount }

Result:
[ { "txid", "vout", "address", "label", "scriptPubKey", "amount", "confirmations", "spendable", "solvable", "desc",
    "safe", ... }, ... ]

Examples:
> countersign listunspent 1 9999999 '["bc1q..."]'`,
  run: (args, context) => {
    const query = queryOf(args, context);
    const view = viewOf(context);
    const trusted: TrustCache = new Map();
    const listed: WalletCoin[] = [];
    let sum = 0n;
    for (const record of recordsAsked(query, context)) {
      const found = coinsOf(record, query, { view, trusted }, context);
      for (const coin of found) {
        listed.push(coin);
        sum += coin.output.value;
        const isEnough = query.minimumSum !== context.network.maxMoney && sum >= query.minimumSum;
        if (isEnough || (query.maximumCount > 0 && listed.length >= query.maximumCount)) {
          return listed.flatMap((each) => describe(each, query, context));
        }
      }
    }
    return listed.flatMap((each) => describe(each, query, context));
  },
};

interface Query extends CoinFilter {
  /** `bytesKey`s of the addresses' scripts; empty for all addresses. */
  readonly destinations: ReadonlySet<string>;
  readonly minimumSum: bigint;
  readonly maximumCount: number;
}

/** @throws RpcError -1, -3, -5, -8 */
function queryOf(args: readonly (JsonValue | undefined)[], context: WalletContext): Query {
  const minconf = checkOptional(args[0], 'number');
  const minDepth = minconf ? parseInt32(minconf) : 1;
  const maxconf = checkOptional(args[1], 'number');
  const maxDepth = maxconf ? parseInt32(maxconf) : 9_999_999;
  const destinations = destinationsOf(args[2], context);
  const includesUnsafe = checkOptional(args[3], 'bool')?.value ?? true;
  return { minDepth, maxDepth, destinations, includesUnsafe, ...optionsOf(args[4], context) };
}

function destinationsOf(value: JsonValue | undefined, context: WalletContext): ReadonlySet<string> {
  const names = new Set<string>();
  for (const item of checkOptional(value, 'array')?.items ?? []) {
    const text = readValue(item, 'string', context.dialect).value;
    const key = bytesKey(addressArg(text, context, { shows: true }));
    if (names.has(key))
      throw new RpcError(
        RPC_INVALID_PARAMETER,
        `Invalid parameter, duplicated address: ${withoutSecrets(text, 'address')}`,
      );
    names.add(key);
  }
  return names;
}

function optionsOf(
  value: JsonValue | undefined,
  context: WalletContext,
): Pick<Query, 'minimum' | 'maximum' | 'minimumSum' | 'maximumCount' | 'includesImmature'> {
  const { dialect, network } = context;
  const members = readOptional(value, 'object', dialect)?.members ?? [];
  checkFields(
    members,
    {
      minimumAmount: 'any',
      maximumAmount: 'any',
      minimumSumAmount: 'any',
      maximumCount: 'number',
      ...(walletMethodRules[dialect.generation].listsImmature && { include_immature_coinbase: 'bool' }),
    },
    dialect,
  );
  const amount = (name: string, fallback: bigint): bigint => {
    const given = memberOf(members, name);
    return given ? parseAmountArgument(given, network) : fallback;
  };
  const minimum = amount('minimumAmount', 0n);
  const maximum = amount('maximumAmount', network.maxMoney);
  const minimumSum = amount('minimumSumAmount', network.maxMoney);
  const count = memberOf(members, 'maximumCount');
  const maximumCount = count ? parseInt64(readValue(count, 'number', dialect)) : 0;
  const immature = memberOf(members, 'include_immature_coinbase');
  const includesImmature = immature ? readValue(immature, 'bool', dialect).value : false;
  return { minimum, maximum, minimumSum, maximumCount, includesImmature };
}

/** Lists the transactions that may hold coins which match a query, in the order of a node. */
function recordsAsked(query: Query, context: WalletContext): Iterable<WalletTx> {
  const { wallet } = context;
  const { destinations } = query;
  const order = orderOf(context);
  const isForFew = destinations.size > 0 && !isCounting(query, context);
  return isForFew ? openRecordsPaying(wallet, destinations, order) : openRecordsInOrder(wallet, order);
}

/** Tells whether a query limits the coins. Coins to other addresses count towards the limits, as in Core. */
const isCounting = ({ maximumCount, minimumSum }: Query, { network }: WalletContext): boolean =>
  maximumCount > 0 || minimumSum !== network.maxMoney;

/** Lists the coins of a transaction that match a query. */
function coinsOf(
  record: WalletTx,
  query: Query,
  asked: { readonly view: View; readonly trusted: TrustCache },
  context: WalletContext,
): readonly WalletCoin[] {
  const takesAll = isCounting(query, context);
  return coinsOfRecord(record, query, asked, (output) => takesAll || isAsked(output, query, context.wallet));
}

/** @returns no element if the query names addresses, and the coin pays none of them */
function describe(coin: WalletCoin, query: Query, context: WalletContext): readonly UnspentJson[] {
  const { record, output } = coin;
  if (!isAsked(output, query, context.wallet)) return [];
  const entry: Record<string, unknown> = { txid: formatTxid(record.id) };
  if (context.dialect.coinName === 'Litecoin') describeLitecoin(coin, entry, context);
  else describeBitcoin(coin, entry, context);
  return [keepExact(entry, 'amount', output.value)];
}

// Wallets have many coins: setting members one by one is several times faster than object spread.
type Describer = (coin: WalletCoin, entry: Record<string, unknown>, context: WalletContext) => void;

const describeBitcoin: Describer = (coin, entry, context) => {
  const { record, vout, output } = coin;
  const { showsAncestors, showsParents } = walletMethodRules[context.dialect.generation];
  const facts = outputFacts(output.scriptPubKey, context);
  const spending = spendFacts(output.scriptPubKey, context);
  entry['vout'] = vout;
  addAddress(facts, entry, context);
  Object.assign(entry, spending.scripts);
  entry['scriptPubKey'] = formatHex(output.scriptPubKey);
  entry['amount'] = toCoins(output.value);
  entry['confirmations'] = depthOf(context.wallet, record);
  if (showsAncestors) Object.assign(entry, ancestry(record, context));
  entry['spendable'] = isSpendable(output, context);
  addSolvability(spending, entry);
  if (showsParents) entry['parent_descs'] = facts.parents;
  addSafety(coin, entry, context);
};

const describeLitecoin: Describer = (coin, entry, context) => {
  const { record, vout, output } = coin;
  const spending = spendFacts(output.scriptPubKey, context);
  entry['amount'] = toCoins(output.value);
  entry['confirmations'] = depthOf(context.wallet, record);
  entry['spendable'] = isSpendable(output, context);
  addAddress(outputFacts(output.scriptPubKey, context), entry, context);
  entry['vout'] = vout;
  entry['scriptPubKey'] = formatHex(output.scriptPubKey);
  addSolvability(spending, entry);
  addSafety(coin, entry, context);
  Object.assign(entry, spending.scripts);
};

const isSpendable = ({ scriptPubKey }: TxOut, { wallet, dialect }: WalletContext): boolean =>
  walletMethodRules[dialect.generation].callsAllSpendable || ownershipOf(wallet, scriptPubKey) === 'own';

function addAddress(
  { address, destination }: OutputFacts,
  entry: Record<string, unknown>,
  { wallet }: WalletContext,
): void {
  if (address === undefined || !destination) return;
  entry['address'] = address;
  const label = bookEntryOf(wallet, destination)?.label;
  if (label !== undefined) entry['label'] = label;
}

function addSolvability({ isSolvable, desc }: SpendFacts, entry: Record<string, unknown>): void {
  entry['solvable'] = isSolvable;
  if (desc !== undefined) entry['desc'] = desc;
}

const addSafety: Describer = ({ output, isSafe }, entry, { wallet }) => {
  if (wallet.avoidsReuse) entry['reused'] = isUsedBefore(wallet, output.scriptPubKey);
  entry['safe'] = isSafe;
};

/** Tells whether an output pays one of the query's addresses, if it names any. */
function isAsked({ scriptPubKey }: TxOut, { destinations }: Query, wallet: Wallet): boolean {
  if (destinations.size === 0) return true;
  const destination = destinationOf(wallet, scriptPubKey);
  return destination !== undefined && destinations.has(bytesKey(destination));
}

/** Counts a mempool transaction and its ancestors: number, virtual size, and fees in satoshi. */
function ancestry(record: WalletTx, { node }: WalletContext): UnspentJson {
  const entry = node.chain.mempool.get(record.key);
  if (!entry || !record.isInMempool || record.state.kind === 'confirmed') return {};
  const family = [entry, ...ancestorsOf(node.chain, entry)].map(({ tx, spends }) => {
    const coins = spends.map((name) => coinAt(node.chain, name));
    const scripts = coins.map((coin) => coin?.scriptPubKey);
    return { size: policySize(tx, scripts), fee: sumOf(coins) - sumOf(tx.outputs) };
  });
  return {
    ancestorcount: family.length,
    ancestorsize: family.reduce((sum, { size }) => sum + size, 0),
    ancestorfees: Number(family.reduce((sum, { fee }) => sum + fee, 0n)),
  };
}

const sumOf = (outputs: readonly (TxOut | undefined)[]): bigint =>
  outputs.reduce((sum, output) => sum + (output?.value ?? 0n), 0n);
