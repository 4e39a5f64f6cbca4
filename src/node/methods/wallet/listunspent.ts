import { addressArg } from '../../../answers/arguments/addressArgument.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { RPC_INVALID_PARAMETER } from '../../../answers/method/errorCodes.ts';
import {
  array,
  bool,
  coinAmount,
  int32,
  int64,
  optional,
  options,
  type ReadArguments,
  string,
} from '../../../answers/method/parameters.ts';
import type { Draft } from '../../../answers/method/results.ts';
import {
  type Answer,
  amount,
  flag,
  hex,
  list,
  maybe,
  members,
  numeric,
  text,
} from '../../../answers/method/results.ts';
import { checkMembers } from '../../../answers/method/values.ts';
import { formatHex } from '../../../core/bytes/hex.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import { type ScriptKey, scriptKey } from '../../../core/script/scriptKey.ts';
import { formatTxid } from '../../../core/tx/txid.ts';
import type { TxOut } from '../../../core/tx/types.ts';
import { familyTotals, mempoolAncestors } from '../../chain/mempool.ts';
import { type CoinFilter, coinsOfRecord, type WalletCoin } from '../../wallet/queries/availableCoins.ts';
import {
  extractDestination,
  factsKey,
  findBookEntry,
  findOwnership,
  isUsedBefore,
} from '../../wallet/queries/ownership.ts';
import type { TrustCache } from '../../wallet/queries/txQueries.ts';
import { coinRecordsPaying } from '../../wallet/records/recordIndex.ts';
import { chainDepth } from '../../wallet/records/records.ts';
import type { Wallet } from '../../wallet/records/walletState.ts';
import type { WalletTx } from '../../wallet/records/walletTx.ts';
import { createView, type WalletContext, walletMethod } from '../context.ts';
import { coinRecordsInOrder, inOrder } from '../recordOrder.ts';
import { walletMethodRules } from '../walletMethodRules.ts';
import { outputFacts, spendFacts } from './outputFacts.ts';

const unspentResult = members(
  {
    txid: hex(),
    vout: numeric(),
    address: maybe(text('if it has one')),
    label: maybe(text()),
    redeemScript: maybe(hex()),
    witnessScript: maybe(hex()),
    scriptPubKey: hex(),
    amount: amount(),
    confirmations: numeric(),
    ancestorcount: maybe(numeric('of an unconfirmed coin: its transaction and all ancestors, as in the next two'), {
      since: 'core-29',
    }),
    ancestorsize: maybe(numeric(), { since: 'core-29' }),
    ancestorfees: maybe(numeric('in satoshi'), { since: 'core-29' }),
    spendable: flag('whether the wallet has the private keys'),
    solvable: flag('whether the wallet knows how to spend it, apart from private keys'),
    desc: maybe(text('of a solvable coin')),
    parent_descs: maybe(list(text(), 'the descriptors of the wallet that its script comes from'), { since: 'core-29' }),
    reused: maybe(flag('with avoid_reuse: whether its address was spent from')),
    safe: flag('whether it is safe to spend: confirmed, or unconfirmed from the wallet itself'),
  },
  '',
  [
    {
      onlyInDialect: 'litecoin-0.21',
      first: [
        'txid',
        'amount',
        'confirmations',
        'spendable',
        'address',
        'label',
        'vout',
        'scriptPubKey',
        'solvable',
        'desc',
        'reused',
        'safe',
      ],
    },
  ],
);

/** An element of `listunspent`. */
export type UnspentJson = Answer<typeof unspentResult>;

const PARAMS = [
  optional(int32('minconf', 'the minimum number of confirmations', { isChecked: true }), 1),
  optional(int32('maxconf', 'the maximum number of confirmations', { isChecked: true }), 9_999_999),
  optional(
    array('addresses', string('address', 'an address'), 'lists only outputs to these addresses', { isChecked: true }),
  ),
  optional(
    bool('include_unsafe', 'whether to list outputs that are not safe to spend: unconfirmed ones from others', {
      isChecked: true,
    }),
    true,
  ),
  options(
    'query_options',
    [
      optional(coinAmount('minimumAmount', 'the least that an output has', { countsNull: true, default: '0' })),
      optional(coinAmount('maximumAmount', 'the most that an output has', { countsNull: true })),
      optional(int64('maximumCount', 'the most outputs', { countsNull: true })),
      optional(coinAmount('minimumSumAmount', 'ends the list when the sum is reached', { countsNull: true })),
      lasting(
        optional(
          bool('include_immature_coinbase', 'whether to list coinbases that are too young', { countsNull: true }),
          false,
        ),
        { since: 'core-29' },
      ),
    ],
    '',
    { shownAs: 'query_options' },
  ),
] as const;

export const listunspent = walletMethod({
  name: 'listunspent',
  checksLate: true,
  about: 'Lists the unspent outputs of the wallet.',
  params: PARAMS,
  result: list(unspentResult),
  examples: ['listunspent 1 9999999 \'["bc1q..."]\''],
  run: (args, context) => {
    const query = readQuery(args, context);
    const view = createView(context);
    const trusted: TrustCache = new Map();
    const listed: WalletCoin[] = [];
    let sum = 0n;
    for (const record of recordsAsked(query, context)) {
      for (const coin of coinsOfRecord(record, query, { view, trusted })) {
        if (!isCounting(query, context) && !isAsked(coin.output, query, context.wallet)) continue;
        listed.push(coin);
        sum += coin.output.value;
        const isEnough = query.minimumSum !== context.network.maxMoney && sum >= query.minimumSum;
        if (isEnough || (query.maximumCount > 0 && listed.length >= query.maximumCount)) {
          return unspentAnswer(listed, query, context);
        }
      }
    }
    return unspentAnswer(listed, query, context);
  },
});

interface Query extends CoinFilter {
  /** The addresses' scripts; empty for all addresses. */
  readonly destinations: ReadonlySet<ScriptKey>;
  readonly minimumSum: bigint;
  readonly maximumCount: number;
}

/** Reads in Core's order, which decides the error of a call with several. */
function readQuery(args: ReadArguments<typeof PARAMS>, context: WalletContext): Query {
  return {
    minDepth: args.minconf,
    maxDepth: args.maxconf,
    destinations: parseDestinations(args.addresses, context),
    includesUnsafe: args.include_unsafe,
    ...readOptions(args.query_options, context),
  };
}

function parseDestinations(texts: Iterable<string> | undefined, context: WalletContext): ReadonlySet<ScriptKey> {
  const names = new Set<ScriptKey>();
  for (const text of texts ?? []) {
    const key = scriptKey(addressArg(text, context, { shows: true }));
    if (names.has(key))
      throw new RpcError(
        RPC_INVALID_PARAMETER,
        `Invalid parameter, duplicated address: ${withoutSecrets(text, 'address')}`,
      );
    names.add(key);
  }
  return names;
}

function readOptions(
  given: ReadArguments<typeof PARAMS>['query_options'],
  { network: { maxMoney } }: WalletContext,
): Pick<Query, 'minimum' | 'maximum' | 'minimumSum' | 'maximumCount' | 'includesImmature'> {
  checkMembers(given, { isStrict: true });
  const { minimumAmount: minimum = 0n, maximumAmount: maximum = maxMoney } = given;
  const { minimumSumAmount: minimumSum = maxMoney, maximumCount = 0 } = given;
  const { include_immature_coinbase: includesImmature } = given;
  return { minimum, maximum, minimumSum, maximumCount, includesImmature };
}

function recordsAsked(query: Query, context: WalletContext): Iterable<WalletTx> {
  const { destinations } = query;
  const isForFew = destinations.size > 0 && !isCounting(query, context);
  return isForFew ? inOrder(coinRecordsPaying(context.wallet, destinations), context) : coinRecordsInOrder(context);
}

/** Tells whether a query has limits, towards which coins to other addresses count, as in Core. */
const isCounting = ({ maximumCount, minimumSum }: Query, { network }: WalletContext): boolean =>
  maximumCount > 0 || minimumSum !== network.maxMoney;

type UnspentDraft = Draft<typeof unspentResult>;

function unspentAnswer(coins: readonly WalletCoin[], query: Query, context: WalletContext): readonly UnspentDraft[] {
  const selected = coins.filter(({ output }) => isAsked(output, query, context.wallet));
  const scripts: ScriptCache = new Map();
  return selected.map((coin) => unspentDraft(coin, factsOfScript(coin.output, scripts, context), context));
}

/** The members that all coins of a script share. */
type ScriptFacts = Pick<
  UnspentDraft,
  | 'address'
  | 'label'
  | 'redeemScript'
  | 'witnessScript'
  | 'scriptPubKey'
  | 'spendable'
  | 'solvable'
  | 'desc'
  | 'parent_descs'
  | 'reused'
>;

/** Keyed by the objects of {@link factsKey}, for one answer. */
type ScriptCache = Map<object, ScriptFacts>;

function factsOfScript({ scriptPubKey }: TxOut, cache: ScriptCache, context: WalletContext): ScriptFacts {
  const { wallet } = context;
  const knowledge = factsKey(wallet, scriptPubKey);
  const cachedFacts = knowledge && cache.get(knowledge);
  if (cachedFacts) return cachedFacts;
  const { address, destination, parents } = outputFacts(scriptPubKey, context);
  const { isSolvable, desc, scripts } = spendFacts(scriptPubKey, context);
  const facts: ScriptFacts = {
    address,
    label: destination && findBookEntry(wallet, destination)?.label,
    ...scripts,
    scriptPubKey: formatHex(scriptPubKey),
    spendable: isSpendable(scriptPubKey, context),
    solvable: isSolvable,
    desc,
    parent_descs: parents,
    reused: wallet.row.avoidsReuse ? isUsedBefore(wallet, scriptPubKey) : undefined,
  };
  if (knowledge) cache.set(knowledge, facts);
  return facts;
}

const unspentDraft = (
  { record, vout, output, isSafe }: WalletCoin,
  facts: ScriptFacts,
  context: WalletContext,
): UnspentDraft => ({
  txid: formatTxid(record.id),
  vout,
  amount: output.value,
  confirmations: chainDepth(context.wallet, record),
  safe: isSafe,
  ...ancestry(record, context),
  ...facts,
});

const isSpendable = (scriptPubKey: Uint8Array, { wallet, dialect }: WalletContext): boolean =>
  walletMethodRules[dialect.generation].callsAllSpendable || findOwnership(wallet, scriptPubKey) === 'own';

function isAsked({ scriptPubKey }: TxOut, { destinations }: Query, wallet: Wallet): boolean {
  if (destinations.size === 0) return true;
  const destination = extractDestination(wallet, scriptPubKey);
  return destination !== undefined && destinations.has(scriptKey(destination));
}

function ancestry(
  record: WalletTx,
  { node }: WalletContext,
): Pick<UnspentJson, 'ancestorcount' | 'ancestorsize' | 'ancestorfees'> {
  const entry = node.chain.mempool.get(record.key);
  if (!entry || !record.isInMempool || record.state.kind === 'confirmed') return {};
  const { count, size, fees } = familyTotals([entry, ...mempoolAncestors(node.chain, entry)]);
  return { ancestorcount: count, ancestorsize: size, ancestorfees: Number(fees) };
}
