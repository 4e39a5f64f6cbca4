import type { Deployment } from '../../core/network/networks.ts';
import { decodeBlockHeader } from './blockHeader.ts';
import { type Chain, findActiveBlock, medianTimePast } from './chainState.ts';
import type { ChainBlock } from './types.ts';

/** For the block after the tip. @see Bitcoin Core `ThresholdState` */
export interface DeploymentState {
  readonly status: 'defined' | 'started' | 'locked_in' | 'active';
  readonly since: number;
  /** Of the current period. */
  readonly votes?: { readonly elapsed: number; readonly count: number };
}

/** On test networks. */
export const VOTING = { period: 144, threshold: 108 } as const;

type Reached = Pick<DeploymentState, 'status' | 'since'>;

/** The states at the ends of periods, memoized. */
const reached = new WeakMap<Chain, Map<string, Reached>>();

const DEFINED: Reached = { status: 'defined', since: 0 };

/** @see BIP9 "State transitions" */
export function deploymentState(chain: Chain, tip: ChainBlock, deployment: Deployment): DeploymentState {
  if (deployment.start === 'always') return { status: 'active', since: 0 };
  const states = reached.get(chain) ?? new Map<string, Reached>();
  reached.set(chain, states);
  const { period } = VOTING;
  const last = tip.height - ((tip.height + 1) % period);
  // Walks back to a known state or the first block.
  const ends: ChainBlock[] = [];
  let state = DEFINED;
  for (let height = last; ; height -= period) {
    const end = findActiveBlock(chain, height);
    const before = end && states.get(`${deployment.name} ${end.key}`);
    if (before) state = before;
    if (!end || before) break;
    ends.push(end);
  }
  for (const end of ends.reverse()) {
    const status = nextStatus(chain, deployment, { end, status: state.status });
    if (status !== state.status) state = { status, since: end.height + 1 };
    states.set(`${deployment.name} ${end.key}`, state);
  }
  if (state.status !== 'started') return state;
  const elapsed = tip.height - last;
  return { ...state, votes: { elapsed, count: countVotes(chain, deployment, { height: tip.height, count: elapsed }) } };
}

function nextStatus(
  chain: Chain,
  deployment: Deployment,
  { end, status }: { readonly end: ChainBlock; readonly status: Reached['status'] },
): Reached['status'] {
  const { period, threshold } = VOTING;
  switch (status) {
    case 'defined':
      return medianTimePast(chain, end) >= Number(deployment.start) ? 'started' : 'defined';
    case 'started':
      return countVotes(chain, deployment, { height: end.height, count: period }) >= threshold
        ? 'locked_in'
        : 'started';
    default:
      return 'active';
  }
}

/** Mark a version whose other bits are votes. @see BIP9 "Bit flags" */
const [TOP_MASK, TOP_BITS] = [0b111, 0b001];

/** Counts those of the last `count` blocks up to a height that vote. */
function countVotes(
  chain: Chain,
  { bit }: Deployment,
  { height, count }: { readonly height: number; readonly count: number },
): number {
  let votes = 0;
  for (let at = height; at > height - count; at -= 1) {
    const block = findActiveBlock(chain, at);
    // A chain that begins above the genesis block lacks the votes below.
    if (!block) break;
    const { version } = decodeBlockHeader(block.header);
    if (((version >>> 29) & TOP_MASK) === TOP_BITS && ((version >>> bit) & 1) === 1) votes += 1;
  }
  return votes;
}
