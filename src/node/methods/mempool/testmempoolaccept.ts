import { invalidParameter, RPC_DESERIALIZATION_ERROR, RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import type { ReadArguments } from '../../../answers/method/parameters.ts';
import { array, hexString } from '../../../answers/method/parameters.ts';
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
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import { guessTransaction } from '../../../core/tx/guess.ts';
import { formatTxid, wtxid } from '../../../core/tx/txid.ts';
import { sizeOfWeight, transactionSize } from '../../../core/tx/weight.ts';
import { chainTx } from '../../chain/chainTx.ts';
import { faultText } from '../../chain/fault.ts';
import { modifiedFee } from '../../chain/mempool.ts';
import type { ChainTx } from '../../chain/types.ts';
import { type Admission, judge, type Verdict } from '../../mempool/acceptance.ts';
import { feeOfSize } from '../../mempool/mempoolPolicy.ts';
import { judgePackage, MAX_PACKAGE_COUNT, type PackageVerdict } from '../../mempool/packages.ts';
import type { NodeContext } from '../context.ts';
import { nodeMethod } from '../context.ts';
import { createGate } from '../gate.ts';
import { DEFAULT_MAX_FEE_RATE, maxFeeRateParam } from './sendrawtransaction.ts';

export const acceptedFeesResult = members({
  base: amount(),
  'effective-feerate': maybe(amount('per 1000 virtual bytes'), { since: 'core-29' }),
  'effective-includes': maybe(list(hex(), 'the wtxids that the rate counts'), { since: 'core-29' }),
});

/** The fees of a transaction that the mempool would take, in coins. */
export type AcceptedFeesJson = Answer<typeof acceptedFeesResult>;

const mempoolTestResult = members({
  txid: hex(),
  wtxid: maybe(hex(), { since: 'core-29' }),
  'package-error': maybe(text(), { since: 'core-29' }),
  allowed: maybe(flag('missing if the test ended before this transaction')),
  vsize_adjusted: maybe(numeric('adjusted for signature operations'), { since: 'core-32' }),
  vsize: maybe(numeric('the same')),
  vsize_bip141: maybe(numeric(), { since: 'core-32' }),
  fees: maybe(acceptedFeesResult),
  'reject-reason': maybe(text()),
  'reject-details': maybe(text(), { since: 'core-29' }),
});

/** An element of `testmempoolaccept`. */
export type MempoolTestJson = Answer<typeof mempoolTestResult>;

type TestDraft = Draft<typeof mempoolTestResult>;

const PARAMS = [
  array(
    'rawtxs',
    hexString('rawtx', 'a transaction'),
    `the transaction; since core-29 up to ${MAX_PACKAGE_COUNT}, parents before their children`,
  ),
  maxFeeRateParam('0.10'),
] as const;

export const testmempoolaccept = nodeMethod({
  name: 'testmempoolaccept',
  category: 'rawtransactions',
  about: 'Tells whether sendrawtransaction would accept transactions.',
  params: PARAMS,
  result: list(mempoolTestResult, 'for each transaction'),
  examples: ['testmempoolaccept \'["0200000001..."]\''],
  run: (args, context) => {
    return context.mempool.rules.testsPackages ? testPackage(args, context) : testOne(args, context);
  },
});

function testOne(args: ReadArguments<typeof PARAMS>, context: NodeContext): readonly TestDraft[] {
  const { rawtxs: texts } = args;
  if (texts.length !== 1) throw invalidParameter('Array must contain exactly one raw transaction for now');
  const [text = ''] = texts;
  const tx = parseTransaction(text, context, () => 'TX decode failed.');
  const { maxfeerate: rate = DEFAULT_MAX_FEE_RATE } = args;
  const verdict = judge(createGate(context), tx);
  const { vsize } = transactionSize(tx.tx);
  const outcome = applyFeeLimit(verdict, feeOfSize(rate, vsize, context.mempool.rules));
  const txid = formatTxid(tx.id);
  if (outcome.kind === 'refused') return [{ txid, allowed: false, 'reject-reason': outcome.reason }];
  const { fee = 0n } = outcome.admission.entry;
  return [{ txid, allowed: true, vsize, fees: { base: fee } }];
}

function testPackage(args: ReadArguments<typeof PARAMS>, context: NodeContext): readonly TestDraft[] {
  const { rawtxs: items } = args;
  if (items.length < 1 || items.length > MAX_PACKAGE_COUNT) {
    throw invalidParameter(`Array must contain between 1 and ${MAX_PACKAGE_COUNT} transactions.`);
  }
  const { maxfeerate: rate = DEFAULT_MAX_FEE_RATE } = args;
  const txs = items.map((text) => parseTransaction(text, context));
  const { rejection, verdicts } = judgeAll(txs, context);
  const packageError = rejection && { 'package-error': faultText(rejection) };
  let isOver = false;
  return txs.map((tx, index) => {
    const ids = { txid: formatTxid(tx.id), wtxid: formatTxid(wtxid(tx.tx)), ...packageError };
    const verdict = verdicts.get(index);
    if (isOver || !verdict) return ids;
    const size = verdict.kind === 'accepted' ? sizeOfWeight(verdict.admission.entry.policyWeight) : 0;
    const outcome = applyFeeLimit(verdict, feeOfSize(rate, size, context.mempool.rules));
    if (outcome.kind === 'accepted') return { ...ids, ...acceptedDraft(outcome.admission, ids.wtxid) };
    isOver = outcome.isTooExpensive === true;
    const details = outcome.details === undefined ? undefined : { 'reject-details': outcome.details };
    return { ...ids, allowed: false, 'reject-reason': outcome.reason, ...details };
  });
}

function judgeAll(txs: readonly ChainTx[], context: NodeContext): PackageVerdict {
  const gate = createGate(context);
  const [first, ...others] = txs;
  return first && others.length === 0 ? { verdicts: new Map([[0, judge(gate, first)]]) } : judgePackage(gate, txs);
}

/** @throws RpcError -22 */
export function parseTransaction(
  hex: string,
  { network }: NodeContext,
  fault: (hex: string) => string = (hex) => `TX decode failed: ${withoutSecrets(hex, 'script')}`,
): ChainTx {
  const tx = guessTransaction(hex, { triesWitness: true, triesNoWitness: true, mweb: network.mweb });
  if (tx) return chainTx(tx);
  throw new RpcError(RPC_DESERIALIZATION_ERROR, `${fault(hex)} Make sure the tx has at least one input.`);
}

type Outcome =
  | { readonly kind: 'accepted'; readonly admission: Admission }
  | { readonly kind: 'refused'; readonly reason: string; readonly details?: string; readonly isTooExpensive?: true };

/**
 * Adds the caller's limit to a verdict: `maxFee` in satoshi; 0 for any.
 * @throws RpcError -1 if the chain lacks blocks that may hold the coins
 */
function applyFeeLimit(verdict: Verdict, maxFee: bigint): Outcome {
  switch (verdict.kind) {
    case 'missing-inputs':
      return { kind: 'refused', reason: 'missing-inputs' };
    case 'refused':
      return { kind: 'refused', reason: verdict.rejection.reason, details: faultText(verdict.rejection) };
    case 'unknown-coins':
      throw new RpcError(
        RPC_MISC_ERROR,
        'The coins of the transaction are unknown, since the chain lacks blocks: test it with a node that has them',
      );
    default: {
      const { fee = 0n } = verdict.admission.entry;
      const isTooExpensive = maxFee > 0n && fee > maxFee;
      return isTooExpensive ? { kind: 'refused', reason: 'max-fee-exceeded', isTooExpensive } : verdict;
    }
  }
}

function acceptedDraft(admission: Admission, ownId: string): Omit<TestDraft, 'txid' | 'wtxid'> {
  const { entry } = admission;
  const { fee = 0n, policyWeight, tx } = entry;
  const adjusted = sizeOfWeight(policyWeight);
  return {
    allowed: true,
    vsize_adjusted: adjusted,
    vsize: adjusted,
    vsize_bip141: transactionSize(tx).vsize,
    fees: {
      base: fee,
      'effective-feerate': (modifiedFee(entry) * 1000n) / BigInt(adjusted),
      'effective-includes': [ownId],
    },
  };
}
