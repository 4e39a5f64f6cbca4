import { byteName, compareBytes } from '../../../bytes/compare.ts';
import { formatHex } from '../../../bytes/hex.ts';
import { scriptIdOf } from '../../../descriptors/scriptId.ts';
import { RpcError } from '../../../errors.ts';
import { classifyScript } from '../../../script/template.ts';
import { policySize } from '../../../tx/policySize.ts';
import { formatTxid } from '../../../tx/txid.ts';
import type { Transaction, TxOut } from '../../../tx/types.ts';
import { type ChainTx, coinAt, outpointName, spentNames } from '../../../wallet/chainState.ts';
import { isFinalNow, isImmature, isSpent, isTrusted, type View } from '../../../wallet/derived.ts';
import { ancestorsOf } from '../../../wallet/mempool.ts';
import { bookEntryOf, isMine, isUsedBefore, ownershipOf } from '../../../wallet/ownership.ts';
import { depthOf } from '../../../wallet/records.ts';
import type { WalletTx } from '../../../wallet/walletState.ts';
import { amountOf } from '../../amount.ts';
import { RPC_INVALID_PARAMETER } from '../../errorCodes.ts';
import { keepExact, toCoins } from '../../exact.ts';
import { type JsonValue, memberOf } from '../../jsonValue.ts';
import { int32Of, int64Of } from '../../members.ts';
import { addressArg, outputAddress } from '../../wallet/addresses.ts';
import { checkedArg, checkMembers, taken, takenArg } from '../../wallet/args.ts';
import { viewOf, type WalletContext, type WalletMethod } from '../../wallet/context.ts';
import { parentsOf, type Solution, solutionOf } from '../../wallet/solving.ts';

/** One element of the answer. */
type UnspentJson = Readonly<Record<string, unknown>>;

const OPTIONS = ['minimumAmount', 'maximumAmount', 'minimumSumAmount', 'maximumCount'] as const;

/** @see Bitcoin Core `listunspent` */
export const listunspent: WalletMethod<readonly UnspentJson[]> = {
  name: 'listunspent',
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
1. minconf          (number, optional, default 1) the fewest confirmations
2. maxconf          (number, optional, default 9999999) the most confirmations
3. addresses        (array, optional) only outputs to these addresses
4. include_unsafe   (bool, optional, default true) whether to list what is not safe to spend: unconfirmed from others
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
    const trusted = new Set<string>();
    const listed: Coin[] = [];
    let sum = 0n;
    for (const one of inOrder(context)) {
      const found = coinsOf(one, query, { view, trusted, context });
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

/** 0.21 goes through transactions by their ids' bytes; newer nodes in no order that anybody could count on. */
function inOrder({ wallet, dialect }: WalletContext): readonly WalletTx[] {
  if (dialect.generation === 'core-31') return wallet.ordered;
  return [...wallet.ordered].sort((a, b) => compareBytes(a.id, b.id));
}

interface Query {
  readonly minDepth: number;
  readonly maxDepth: number;
  /** Names of the scripts of addresses; empty for all. */
  readonly destinations: ReadonlySet<string>;
  readonly includesUnsafe: boolean;
  readonly minimum: bigint;
  readonly maximum: bigint;
  readonly minimumSum: bigint;
  readonly maximumCount: number;
  readonly includesImmature: boolean;
}

/** @throws RpcError -1, -3, -5, -8 */
function queryOf(args: readonly (JsonValue | undefined)[], context: WalletContext): Query {
  const minconf = checkedArg(args[0], 'number');
  const minDepth = minconf ? int32Of(minconf) : 1;
  const maxconf = checkedArg(args[1], 'number');
  const maxDepth = maxconf ? int32Of(maxconf) : 9_999_999;
  const destinations = destinationsOf(args[2], context);
  const includesUnsafe = checkedArg(args[3], 'bool')?.value ?? true;
  return { minDepth, maxDepth, destinations, includesUnsafe, ...optionsOf(args[4], context) };
}

function destinationsOf(value: JsonValue | undefined, context: WalletContext): ReadonlySet<string> {
  const names = new Set<string>();
  for (const item of checkedArg(value, 'array')?.items ?? []) {
    const text = taken(item, 'string', context.dialect).value;
    const name = byteName(addressArg(text, context, { shows: true }));
    if (names.has(name)) throw new RpcError(RPC_INVALID_PARAMETER, `Invalid parameter, duplicated address: ${text}`);
    names.add(name);
  }
  return names;
}

function optionsOf(
  value: JsonValue | undefined,
  context: WalletContext,
): Pick<Query, 'minimum' | 'maximum' | 'minimumSum' | 'maximumCount' | 'includesImmature'> {
  const { dialect, network } = context;
  const members = takenArg(value, 'object', dialect)?.members ?? [];
  checkMembers(
    members,
    {
      minimumAmount: 'any',
      maximumAmount: 'any',
      minimumSumAmount: 'any',
      maximumCount: 'number',
      ...(dialect.generation === 'core-31' && { include_immature_coinbase: 'bool' }),
    },
    dialect,
  );
  const amount = (name: string, fallback: bigint): bigint => {
    const given = memberOf(members, name);
    return given ? amountOf(given, network) : fallback;
  };
  const minimum = amount('minimumAmount', 0n);
  const maximum = amount('maximumAmount', network.maxMoney);
  const minimumSum = amount('minimumSumAmount', network.maxMoney);
  const count = memberOf(members, 'maximumCount');
  const maximumCount = count ? int64Of(taken(count, 'number', dialect)) : 0;
  const immature = memberOf(members, 'include_immature_coinbase');
  const includesImmature = immature ? taken(immature, 'bool', dialect).value : false;
  return { minimum, maximum, minimumSum, maximumCount, includesImmature };
}

interface Coin {
  readonly one: WalletTx;
  readonly vout: number;
  readonly output: TxOut;
  readonly isSafe: boolean;
}

interface Asked {
  readonly view: View;
  readonly trusted: Set<string>;
  readonly context: WalletContext;
}

/** The coins of one transaction that a query is for. @see Bitcoin Core `AvailableCoins` */
function coinsOf(one: WalletTx, query: Query, asked: Asked): readonly Coin[] {
  if (!isAvailable(one, query, asked)) return [];
  const { wallet } = asked.view;
  const isSafe = isTrusted(asked.view, one, asked.trusted);
  if (!query.includesUnsafe && !isSafe) return [];
  return [...one.tx.outputs.entries()].flatMap(([vout, output]) => {
    const { value, scriptPubKey } = output;
    const isWanted = value >= query.minimum && value <= query.maximum;
    const isFree = isWanted && !wallet.locked.has(outpointName(one.id, vout)) && !isSpent(wallet, one.id, vout);
    return isFree && isMine(wallet, scriptPubKey) ? [{ one, vout, output, isSafe }] : [];
  });
}

function isAvailable(one: WalletTx, query: Query, { view }: Asked): boolean {
  const { wallet } = view;
  if (!wallet.rules.isModern && !isFinalNow(view, one)) return false;
  if (isImmature(wallet, one) && !query.includesImmature) return false;
  const depth = depthOf(wallet, one);
  if (depth < 0 || (depth === 0 && !one.isInMempool)) return false;
  return depth >= query.minDepth && depth <= query.maxDepth;
}

/** @returns nothing where addresses are asked for, and this is none of them */
function describe(coin: Coin, { destinations }: Query, context: WalletContext): readonly UnspentJson[] {
  const { wallet, dialect } = context;
  const { one, vout, output } = coin;
  const { scriptPubKey } = output;
  const found = outputAddress(wallet, scriptPubKey, context);
  if (destinations.size > 0 && !(found && destinations.has(byteName(found.destination)))) return [];
  const solution = solutionOf(scriptPubKey, context);
  const isModern = dialect.generation === 'core-31';
  const amounts = { amount: toCoins(output.value), confirmations: depthOf(wallet, one) };
  const isSpendable = isModern || ownershipOf(wallet, scriptPubKey) === 'own';
  const label = found && bookEntryOf(wallet, found.destination)?.label;
  const named = found ? { address: found.address, ...(label !== undefined && { label }) } : {};
  const scripts = found ? scriptsOf(scriptPubKey, solution, context) : {};
  const script = { scriptPubKey: formatHex(scriptPubKey) };
  const solved = {
    solvable: solution.isSolvable,
    ...(solution.desc !== undefined && { desc: solution.desc }),
    ...(isModern && { parent_descs: parentsOf(scriptPubKey, context) }),
    ...(wallet.avoidsReuse && { reused: isUsedBefore(wallet, scriptPubKey) }),
    safe: coin.isSafe,
  };
  const outpoint = { txid: formatTxid(one.id) };
  const entry: UnspentJson & { amount: number } =
    dialect.coinName === 'Litecoin'
      ? { ...outpoint, ...amounts, spendable: isSpendable, ...named, vout, ...script, ...solved, ...scripts }
      : {
          ...outpoint,
          vout,
          ...named,
          ...scripts,
          ...script,
          ...amounts,
          ...(isModern && ancestry(one, context)),
          spendable: isSpendable,
          ...solved,
        };
  return [keepExact(entry, 'amount', output.value)];
}

function scriptsOf(scriptPubKey: Uint8Array, { provider }: Solution, { dialect }: WalletContext): UnspentJson {
  const template = classifyScript(scriptPubKey, dialect.templates);
  const witnessScript = (program: Uint8Array): UnspentJson => {
    const script = provider?.script(scriptIdOf(program));
    return script ? { witnessScript: formatHex(script) } : {};
  };
  if (template.type === 'witness_v0_scripthash') return witnessScript(template.program);
  const redeemScript = template.type === 'scripthash' ? provider?.script(template.hash) : undefined;
  if (!redeemScript) return {};
  const inner = classifyScript(redeemScript, dialect.templates);
  return {
    redeemScript: formatHex(redeemScript),
    ...(inner.type === 'witness_v0_scripthash' && witnessScript(inner.program)),
  };
}

/** Of a transaction in the mempool, those that it depends on and itself. */
function ancestry(one: WalletTx, { node }: WalletContext): UnspentJson {
  const there = node.chain.mempool.get(one.name);
  if (!there || !one.isInMempool || one.state.kind === 'confirmed') return {};
  const family = [there, ...ancestorsOf(node.chain, there)];
  return {
    ancestorcount: family.length,
    ancestorsize: family.reduce((size, { tx }) => size + policySize(tx, scriptsSpentBy(tx, node)), 0),
    ancestorfees: Number(family.reduce((fees, member) => fees + feeOf(member, node), 0n)),
  };
}

const scriptsSpentBy = (tx: Transaction, { chain }: WalletContext['node']): readonly (Uint8Array | undefined)[] =>
  spentNames(tx).map((name) => coinAt(chain, name)?.scriptPubKey);

function feeOf({ tx }: ChainTx, { chain }: WalletContext['node']): bigint {
  const paid = spentNames(tx).reduce((sum, name) => sum + (coinAt(chain, name)?.value ?? 0n), 0n);
  return paid - tx.outputs.reduce((sum, { value }) => sum + value, 0n);
}
