import { MISSING_INPUTS } from '../chain/connectRules.ts';
import { modifiedFee } from '../chain/mempool.ts';
import type { PoolEntry } from '../chain/types.ts';
import type { Verdict } from './acceptance.ts';
import { virtualSize } from './familyLimits.ts';
import type { MempoolPolicy } from './mempoolPolicy.ts';
import { feesFault } from './replacement.ts';

interface Reason {
  /** Default: every release gives it. */
  readonly isGiven?: (policy: MempoolPolicy) => boolean;
  /** Words why a transaction that was accepted is refused. */
  readonly detail?: (entry: PoolEntry, policy: MempoolPolicy) => string | undefined;
  /** Default: that it is refused. */
  readonly verdict?: Verdict;
}

/** Names a fee that is just too low. */
const lowFee: Reason['detail'] = (entry) => `${modifiedFee(entry)} < ${modifiedFee(entry) + 1n}`;

/** Pays less than a conflict would that pays a satoshi more. */
const poorReplacement: Reason['detail'] = (entry, policy) => {
  const [fee, size] = [modifiedFee(entry), virtualSize(entry)];
  return feesFault(policy, { entry, fee, size }, [{ ...entry, fee: (entry.fee ?? 0n) + 1n }]);
};

const REASONS = {
  'mempool full': {},
  'mempool min fee not met': { detail: lowFee },
  'min relay fee not met': { detail: lowFee },
  'txn-mempool-conflict': { isGiven: ({ rules }) => !rules.replacesAny },
  'insufficient fee': { detail: poorReplacement },
  'too-long-mempool-chain': {
    isGiven: ({ rules }) => !rules.cluster,
    detail: (_, { family }) => `too many unconfirmed ancestors [limit: ${family.ancestors}]`,
  },
  'too-large-cluster': { isGiven: ({ rules }) => rules.cluster !== undefined },
  [MISSING_INPUTS]: { verdict: { kind: 'missing-inputs' } },
  'non-final': {},
  'non-BIP68-final': {},
  dust: {},
} as const satisfies Readonly<Record<string, Reason>>;

/** Why a node refuses a broadcast: a reject reason of Bitcoin Core. */
export type RefusalReason = keyof typeof REASONS;

/** Lists the reasons that nodes with a policy give. */
export const givenReasons = (policy: MempoolPolicy): readonly RefusalReason[] =>
  (Object.entries(REASONS) as readonly (readonly [RefusalReason, Reason])[])
    .filter(([, { isGiven = () => true }]) => isGiven(policy))
    .map(([reason]) => reason);

/** Refuses a transaction that was accepted. */
export function refuseFor(reason: RefusalReason, entry: PoolEntry, policy: MempoolPolicy): Verdict {
  const { detail, verdict }: Reason = REASONS[reason];
  const text = detail?.(entry, policy);
  return verdict ?? { kind: 'refused', rejection: { reason, ...(text !== undefined && { detail: text }) } };
}
