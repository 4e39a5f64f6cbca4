import type { RpcContext } from '../../../answers/dialect/dialect.ts';
import { keepTexts } from '../../../answers/json/exactNumbers.ts';
import {
  type Answer,
  either,
  flag,
  maybe,
  members,
  numeric,
  oneOf,
  text,
  time,
} from '../../../answers/method/results.ts';
import { isWithin } from '../../../core/generations.ts';
import { type Deployment, headerRules, type Network } from '../../../core/network/networks.ts';
import { type Chain, findParent } from '../../chain/chainState.ts';
import type { ChainBlock } from '../../chain/types.ts';
import { deploymentState, periodVotes } from '../../chain/versionBits.ts';
import type { NodeContext } from '../context.ts';

const statisticsMembers = {
  period: numeric('in blocks'),
  threshold: maybe(numeric()),
  elapsed: numeric('the blocks of the period so far'),
  count: numeric('those that vote for the fork'),
  possible: maybe(flag('whether the threshold can still be reached')),
};

const buriedForkResult = members({ type: oneOf(['buried']), active: flag(), height: numeric() });

const status = oneOf(['defined', 'started', 'locked_in', 'active', 'failed']);

const votedForkResult = members({
  status,
  bit: maybe(numeric('during the vote')),
  start_time: time('-1 for a fork that is always active'),
  timeout: time('2^63 - 1 for none'),
  since: numeric('the height at which the status began'),
  statistics: maybe(members(statisticsMembers)),
});

/** The vote on a soft fork. */
export type VotedForkJson = Answer<typeof votedForkResult>;

export const softForkResult = either(
  buriedForkResult,
  members({ type: oneOf(['bip9']), bip9: votedForkResult, height: maybe(numeric()), active: flag() }),
);

/** A soft fork in `getblockchaininfo`. */
export type SoftForkJson = Answer<typeof softForkResult>;

const voteResult = members({
  bit: maybe(numeric('during the vote')),
  start_time: time('-1 for a fork that is always active'),
  timeout: time('2^63 - 1 for none'),
  min_activation_height: numeric(),
  status,
  since: numeric('the height at which the status began'),
  status_next: status,
  statistics: maybe(members(statisticsMembers)),
  signalling: maybe(text('the blocks of the period: # for those that vote for the fork, - for others')),
});

type VoteJson = Answer<typeof voteResult>;

export const deploymentResult = either(
  buriedForkResult,
  members({ type: oneOf(['bip9']), height: maybe(numeric()), active: flag(), bip9: voteResult }),
);

type DeploymentJson = Answer<typeof deploymentResult>;

/** @see Bitcoin Core 0.21 `BIP9SoftForkDescPushBack` */
export function softForks(tip: ChainBlock, context: NodeContext): Readonly<Record<string, SoftForkJson>> {
  const { chain, network } = context.node;
  const voted = deploymentsOf(context).map((deployment) => {
    const state = deploymentState(chain, tip, deployment);
    const active = state.status === 'active';
    const height = active ? { height: state.since } : {};
    const { period, bit } = deployment;
    // A period that has just ended counts as the next one.
    const votes = (tip.height + 1) % period === 0 ? [] : periodVotes(chain, tip, deployment);
    const isVoting = state.status === 'started';
    const bip9 = {
      status: state.status,
      ...(isVoting && { bit }),
      ...times(deployment),
      since: state.since,
      ...(isVoting && { statistics: statistics(deployment, votes) }),
    };
    return [
      deployment.name,
      { type: 'bip9', bip9: keepTexts(bip9, timeoutText(deployment)), ...height, active },
    ] as const;
  });
  return { ...buriedForks(network, tip), ...Object.fromEntries(voted) };
}

/** @see Bitcoin Core `DeploymentInfo` */
export function deployments(block: ChainBlock, context: NodeContext): Readonly<Record<string, DeploymentJson>> {
  const { chain, network } = context.node;
  const voted = deploymentsOf(context).map((deployment) => {
    const own = deploymentState(chain, findParent(chain, block), deployment);
    const next = deploymentState(chain, block, deployment);
    const height = own.status === 'active' ? own.since : next.status === 'active' ? block.height + 1 : undefined;
    const bip9: VoteJson = {
      ...(isCounted(own.status) && { bit: deployment.bit }),
      ...times(deployment),
      min_activation_height: deployment.minHeight ?? 0,
      status: own.status,
      since: own.since,
      status_next: next.status,
      ...(isCounted(own.status) && countedMembers(chain, block, { deployment, status: own.status })),
    };
    const active = height !== undefined && height <= block.height + 1;
    const members = { type: 'bip9', ...(height !== undefined && { height }), active } as const;
    return [deployment.name, { ...members, bip9: keepTexts(bip9, timeoutText(deployment)) }] as const;
  });
  return { ...buriedForks(network, block), ...Object.fromEntries(voted) };
}

/** Returns the votes that a node reports. */
export const deploymentsOf = ({ network, dialect }: Pick<RpcContext, 'network' | 'dialect'>): readonly Deployment[] =>
  (headerRules(network)?.deployments ?? []).filter((deployment) => isWithin(dialect.generation, deployment));

const isCounted = (status: VoteJson['status']): boolean => status === 'started' || status === 'locked_in';

function countedMembers(
  chain: Chain,
  block: ChainBlock,
  { deployment, status }: { readonly deployment: Deployment; readonly status: VoteJson['status'] },
): Pick<VoteJson, 'statistics' | 'signalling'> {
  const votes = periodVotes(chain, block, deployment);
  const { threshold, possible, ...counts } = statistics(deployment, votes);
  return {
    statistics: status === 'started' ? { ...counts, threshold, possible } : counts,
    signalling: votes.map((isFor) => (isFor ? '#' : '-')).join(''),
  };
}

function statistics({ period, threshold }: Deployment, votes: readonly boolean[]) {
  const count = votes.filter(Boolean).length;
  const elapsed = votes.length;
  return { period, threshold, elapsed, count, possible: period - threshold >= elapsed - count };
}

/** @see Bitcoin Core `BIP9Deployment::NO_TIMEOUT` */
const NO_TIMEOUT = 2n ** 63n - 1n;

const times = ({ start, timeout = Number(NO_TIMEOUT) }: Deployment): Pick<VoteJson, 'start_time' | 'timeout'> => ({
  start_time: start === 'always' ? -1 : start,
  timeout,
});

const timeoutText = ({ timeout }: Deployment): { readonly timeout: string } => ({
  timeout: String(timeout ?? NO_TIMEOUT),
});

/** @see Bitcoin Core 0.21 `BuriedForkDescPushBack` */
function buriedForks(network: Network, { height: tip }: ChainBlock): Readonly<Record<string, BuriedForkJson>> {
  const { versionHeights: [bip34, bip66, bip65] = [], laterForks: [csv, segwit] = [] } = headerRules(network) ?? {};
  const forks = Object.entries({ bip34, bip66, bip65, csv, segwit }).flatMap(([name, height]) =>
    // Active from the block before, since the next block obeys the fork.
    height === undefined ? [] : [[name, { type: 'buried', active: tip + 1 >= height, height }] as const],
  );
  return Object.fromEntries(forks);
}

type BuriedForkJson = Answer<typeof buriedForkResult>;
