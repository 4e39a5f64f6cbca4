import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { invalidParameter, RPC_MISC_ERROR, RPC_VERIFY_ERROR } from '../../../answers/method/errorCodes.ts';
import { array, hexString } from '../../../answers/method/parameters.ts';
import type { Draft } from '../../../answers/method/results.ts';
import { type Answer, dictionary, hex, list, maybe, members, numeric, text } from '../../../answers/method/results.ts';
import { RpcError } from '../../../core/errors.ts';
import { formatTxid, outpointTxKey, wtxid } from '../../../core/tx/txid.ts';
import type { TxKey } from '../../../core/tx/types.ts';
import { sizeOfWeight, transactionSize } from '../../../core/tx/weight.ts';
import { MISSING_INPUTS } from '../../chain/connectRules.ts';
import { faultText } from '../../chain/fault.ts';
import { familyTotals } from '../../chain/mempool.ts';
import type { ChainTx, PoolEntry } from '../../chain/types.ts';
import { type Admission, judge, type Verdict } from '../../mempool/acceptance.ts';
import { judgePackage, MAX_PACKAGE_COUNT, packageFault } from '../../mempool/packages.ts';
import { replacedBy } from '../../mempool/replacement.ts';
import type { NodeContext } from '../context.ts';
import { nodeMethod } from '../context.ts';
import { createBroadcastGate, createGate } from '../gate.ts';
import { addToMempool, evictedBy } from '../submitTransaction.ts';
import { assertNoBurn, DEFAULT_MAX_FEE_RATE, maxBurnParam, maxFeeRateParam } from './sendrawtransaction.ts';
import { acceptedFeesResult, parseTransaction } from './testmempoolaccept.ts';

const submittedTransactionResult = members({
  txid: hex(),
  'other-wtxid': maybe(hex('of the transaction with other witnesses that the mempool has')),
  vsize_adjusted: maybe(numeric('adjusted for signature operations'), { since: 'core-32' }),
  vsize: maybe(numeric('the same')),
  vsize_bip141: maybe(numeric(), { since: 'core-32' }),
  fees: maybe(acceptedFeesResult),
  error: maybe(text()),
});

const submittedPackageResult = members({
  package_msg: text('success, or why not all transactions are in the mempool'),
  'tx-results': dictionary(submittedTransactionResult, 'by wtxid'),
  'replaced-transactions': list(hex(), 'the ids'),
});

/** The answer of `submitpackage`. */
export type SubmittedPackageJson = Answer<typeof submittedPackageResult>;

type SubmittedDraft = Draft<typeof submittedTransactionResult>;
type PackageDraft = Draft<typeof submittedPackageResult>;

export const submitpackage = lasting(
  nodeMethod({
    name: 'submitpackage',
    category: 'rawtransactions',
    about: `Adds a transaction and its unconfirmed parents to the mempool, without broadcasting them: the fees of the child
may pay for its parents.`,
    params: [
      array('package', hexString('rawtx', 'a transaction'), `up to ${MAX_PACKAGE_COUNT} transactions, the child last`),
      maxFeeRateParam('0.10'),
      maxBurnParam('0'),
    ],
    result: submittedPackageResult,
    examples: ['submitpackage \'["0200...", "0200..."]\''],
    run: (args, context) => {
      const items = args.package;
      if (items.length < 1 || items.length > MAX_PACKAGE_COUNT)
        throw invalidParameter(`Array must contain between 1 and ${MAX_PACKAGE_COUNT} transactions.`);
      const { maxfeerate: maxFeeRate = DEFAULT_MAX_FEE_RATE } = args;
      const { maxburnamount: maxBurn = 0n } = args;
      const txs = items.map((text) => {
        const tx = parseTransaction(text, context);
        assertNoBurn(tx.tx, maxBurn);
        return tx;
      });
      if (txs.length > 1 && !isTree(txs)) {
        throw new RpcError(
          RPC_VERIFY_ERROR,
          'package topology disallowed. not child-with-parents or parents depend on each other.',
        );
      }
      const fault = packageFault(txs) ?? missingParentsFault(txs, context);
      return fault === undefined ? submit(txs, maxFeeRate, context) : unjudged(txs, fault, context);
    },
  }),
  { since: 'core-29' },
);

/** @see Bitcoin Core `IsChildWithParentsTree` */
function isTree(txs: readonly ChainTx[]): boolean {
  const parents = txs.slice(0, -1);
  const spends = (tx: ChainTx | undefined, key: TxKey): boolean =>
    tx?.spends.some((spent) => outpointTxKey(spent) === key) === true;
  return parents.every(({ key }) => spends(txs.at(-1), key) && !parents.some((other) => spends(other, key)));
}

function missingParentsFault(txs: readonly ChainTx[], { mempool, node }: NodeContext): string | undefined {
  if (txs.length === 1 || !mempool.rules.needsAllParents) return undefined;
  const own = new Set(txs.map(({ key }) => key));
  const isKnown = txs.at(-1)?.spends.every((spent) => own.has(outpointTxKey(spent)) || node.chain.coins.has(spent));
  return isKnown ? undefined : 'package-not-child-with-unconfirmed-parents';
}

/** What became of a transaction. */
type Fate =
  | { readonly kind: 'known'; readonly entry: PoolEntry }
  | {
      readonly kind: 'added';
      readonly entry: PoolEntry;
      readonly together: readonly PoolEntry[];
      readonly replaced: readonly PoolEntry[];
    }
  | { readonly kind: 'other-witness'; readonly entry: PoolEntry }
  | { readonly kind: 'refused'; readonly error: string };

type Fates = Map<TxKey, Fate>;

const FAILED = 'transaction failed';

/**
 * Adds each transaction that can stand alone, then those that cannot, together.
 * @see Bitcoin Core `MemPoolAccept::AcceptPackage`
 */
function submit(txs: readonly ChainTx[], maxFeeRate: bigint, context: NodeContext): PackageDraft {
  const fates: Fates = new Map();
  const refused = txs.flatMap((tx) => {
    const verdict = submitAlone(tx, fates, { maxFeeRate, context });
    return verdict ? [{ tx, verdict }] : [];
  });
  const rest = refused.map(({ tx }) => tx);
  const isOver = refused.some(({ verdict }) => txs.length === 1 || !isReconsiderable(verdict));
  const outcome = isOver
    ? FAILED
    : rest.length === 0
      ? 'success'
      : submitTogether(rest, fates, { maxFeeRate, context });
  context.node.change({ type: 'limit' });
  // A later transaction may replace an earlier one, which counts as lack of room.
  const lost = txs.filter(({ key }) => fates.get(key)?.kind !== 'refused' && !context.node.chain.mempool.has(key));
  for (const { key } of lost) fates.set(key, { kind: 'refused', error: 'mempool full' });
  return packageDraft(txs, lost.length > 0 ? FAILED : outcome, { fates, context });
}

/** @returns the verdict on a transaction that is refused */
function submitAlone(
  tx: ChainTx,
  fates: Fates,
  { maxFeeRate, context }: { readonly maxFeeRate: bigint; readonly context: NodeContext },
): Verdict | undefined {
  const pooled = context.node.chain.mempool.get(tx.key);
  if (pooled) {
    const isSame = formatTxid(wtxid(pooled.tx)) === formatTxid(wtxid(tx.tx));
    fates.set(tx.key, { kind: isSame ? 'known' : 'other-witness', entry: pooled });
    return undefined;
  }
  const verdict = judge(createBroadcastGate(context), tx, { isSubmitted: true, maxFeeRate });
  if (verdict.kind !== 'accepted') {
    fates.set(tx.key, { kind: 'refused', error: errorText(verdict) });
    return verdict;
  }
  add([verdict.admission], fates, context);
  return undefined;
}

/** @returns the message of the package */
function submitTogether(
  txs: readonly ChainTx[],
  fates: Fates,
  { maxFeeRate, context }: { readonly maxFeeRate: bigint; readonly context: NodeContext },
): string {
  const [only, ...others] = txs;
  const gate = createGate(context);
  const { rejection, verdicts } =
    only && others.length === 0
      ? { rejection: undefined, verdicts: new Map([[0, judge(gate, only, { isSubmitted: true, maxFeeRate })]]) }
      : judgePackage(gate, txs, { isSubmitted: true, maxFeeRate });
  if (rejection) return faultText(rejection);
  const admissions: Admission[] = [];
  for (const [index, verdict] of verdicts) {
    const tx = txs[index];
    if (verdict.kind === 'accepted') admissions.push(verdict.admission);
    else if (tx) fates.set(tx.key, { kind: 'refused', error: errorText(verdict) });
  }
  if (admissions.length < txs.length) {
    const isDust = [...verdicts.values()].some(
      (verdict) => verdict.kind === 'refused' && verdict.rejection.reason === 'missing-ephemeral-spends',
    );
    return isDust && txs.length > 1 ? 'unspent-dust' : FAILED;
  }
  add(admissions, fates, context);
  return 'success';
}

function add(admissions: readonly Admission[], fates: Fates, context: NodeContext): void {
  const { chain } = context.node;
  const together = admissions.map(({ entry }) => entry);
  const conflicts = admissions.flatMap(({ replacement }) => replacement.conflicts);
  const replaced = replacedBy({ chain, conflicts });
  for (const admission of admissions) {
    const { entry } = admission;
    // As in Core, only sendrawtransaction counts as sending.
    addToMempool(entry.tx, evictedBy(admission), context, { isUnbroadcast: false, mayExceed: true });
    fates.set(entry.key, { kind: 'added', entry, together, replaced });
  }
}

/** @throws RpcError -1 if the chain lacks blocks that may hold the coins */
function errorText(verdict: Exclude<Verdict, { readonly kind: 'accepted' }>): string {
  if (verdict.kind === 'refused') return faultText(verdict.rejection);
  if (verdict.kind === 'missing-inputs') return MISSING_INPUTS;
  throw new RpcError(
    RPC_MISC_ERROR,
    'The coins of the transaction are unknown, since the chain lacks blocks: submit it to a node that has them',
  );
}

const isReconsiderable = (verdict: Verdict): boolean =>
  verdict.kind === 'missing-inputs' || (verdict.kind === 'refused' && verdict.rejection.isReconsiderable === true);

interface Outcome {
  readonly fates: Fates;
  readonly context: NodeContext;
}

function packageDraft(txs: readonly ChainTx[], message: string, { fates, context }: Outcome): PackageDraft {
  const replaced = new Map(
    [...fates.values()].flatMap((fate) => (fate.kind === 'added' ? fate.replaced.map(({ key, id }) => [key, id]) : [])),
  );
  return {
    package_msg: message,
    'tx-results': Object.fromEntries(
      txs.flatMap((tx) => {
        const draft = fateDraft(tx, fates.get(tx.key), context);
        return draft ? [[formatTxid(wtxid(tx.tx)), draft]] : [];
      }),
    ),
    'replaced-transactions': [...replaced.keys()]
      .sort()
      .flatMap((key) => replaced.get(key) ?? [])
      .map(formatTxid),
  };
}

function fateDraft(tx: ChainTx, fate: Fate | undefined, { mempool }: NodeContext): SubmittedDraft | undefined {
  const txid = formatTxid(tx.id);
  switch (fate?.kind) {
    case undefined: {
      const error = mempool.rules.unjudged;
      return error === undefined ? undefined : { txid, error };
    }
    case 'refused':
      return { txid, error: fate.error };
    case 'other-witness':
      return { txid, 'other-wtxid': formatTxid(wtxid(fate.entry.tx)) };
    case 'known':
    case 'added': {
      const { fee: base = 0n, policyWeight } = fate.entry;
      const adjusted = sizeOfWeight(policyWeight);
      return {
        txid,
        vsize_adjusted: adjusted,
        vsize: adjusted,
        vsize_bip141: transactionSize(tx.tx).vsize,
        fees: fate.kind === 'known' ? { base } : { base, ...effectiveMembers(fate.together) },
      };
    }
    default:
      return fate satisfies never;
  }
}

/** Returns the fee rate of transactions that pay together. */
function effectiveMembers(together: readonly PoolEntry[]) {
  const { fees, size } = familyTotals(together);
  return {
    'effective-feerate': (fees * 1000n) / BigInt(size),
    'effective-includes': together.map(({ tx }) => formatTxid(wtxid(tx))),
  };
}

const unjudged = (txs: readonly ChainTx[], message: string, context: NodeContext): PackageDraft =>
  packageDraft(txs, message, { fates: new Map(), context });
