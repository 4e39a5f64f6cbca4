import { modifiedFee } from '../chain/mempool.ts';
import type { PoolEntry } from '../chain/types.ts';
import type { Verdict } from './acceptance.ts';
import type { MempoolPolicy, Rejection } from './mempoolPolicy.ts';

/** Makes the rejection of a transaction that would have been accepted. */
type Reject = (entry: PoolEntry, policy: MempoolPolicy) => Omit<Rejection, 'reason'>;

const plain: Reject = () => ({});
/** Names a fee that is just too low. */
const lowFee: Reject = (entry) => ({ detail: `${modifiedFee(entry)} < ${modifiedFee(entry) + 1n}` });

const REASONS = {
  'mempool full': plain,
  'mempool min fee not met': lowFee,
  'min relay fee not met': lowFee,
  'txn-mempool-conflict': plain,
  'insufficient fee': plain,
  'too-long-mempool-chain': (_, { family }) => ({
    detail: `too many unconfirmed ancestors [limit: ${family.ancestors}]`,
  }),
  'too-large-cluster': plain,
  'bad-txns-inputs-missingorspent': plain,
  'non-final': plain,
  'non-BIP68-final': plain,
  dust: plain,
} as const satisfies Readonly<Record<string, Reject>>;

/** Why a node refuses a broadcast: a reject reason of Bitcoin Core. */
export type RefusalReason = keyof typeof REASONS;

export const REFUSAL_REASONS = Object.keys(REASONS) as readonly RefusalReason[];

/** Tells whether nodes with these rules give a reason. */
export function givesReason(reason: RefusalReason, { rules }: MempoolPolicy): boolean {
  if (reason === 'too-long-mempool-chain') return !rules.cluster;
  if (reason === 'too-large-cluster') return Boolean(rules.cluster);
  return true;
}

/** Refuses a transaction that was accepted. */
export function refuseFor(reason: RefusalReason, entry: PoolEntry, policy: MempoolPolicy): Verdict {
  if (reason === 'bad-txns-inputs-missingorspent') return { kind: 'missing-inputs' };
  const reject: Reject = REASONS[reason];
  return { kind: 'refused', rejection: { reason, ...reject(entry, policy) } };
}
