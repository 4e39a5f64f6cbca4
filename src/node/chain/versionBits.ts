import type { Deployment } from '../../core/network/networks.ts';
import { decodeBlockHeader } from './blockHeader.ts';
import { type Chain, findActiveBlock, medianTimePast } from './chainState.ts';
import type { ChainBlock } from './types.ts';

/** The state of a soft fork for the block after the tip. @see Bitcoin Core `ThresholdState` */
export interface DeploymentState {
  readonly status: 'defined' | 'started' | 'locked_in' | 'active';
  /** The height of the first block in this state. */
  readonly since: number;
  /** The vote of the period that the tip is in, while it is going on. */
  readonly votes?: { readonly elapsed: number; readonly count: number };
}

/** The blocks of a period, and the votes of them that lock a fork in, on networks for tests. */
export const VOTING = { period: 144, threshold: 108 } as const;

type Reached = Pick<DeploymentState, 'status' | 'since'>;

/** The states after the periods of each chain, by fork and last block: a later call goes on from there. */
const reached = new WeakMap<Chain, Map<string, Reached>>();

const DEFINED: Reached = { status: 'defined', since: 0 };

/** Returns the state of a soft fork after a block of the active chain. @see BIP9 "State transitions" */
export function deploymentState(chain: Chain, tip: ChainBlock, deployment: Deployment): DeploymentState {
  if (deployment.start === 'always') return { status: 'active', since: 0 };
  const states = reached.get(chain) ?? new Map<string, Reached>();
  reached.set(chain, states);
  const { period } = VOTING;
  const last = tip.height - ((tip.height + 1) % period);
  // From the last period whose state is known, or that ends before the first block, on.
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
    const status = nextStatus(chain, end, state.status, deployment);
    if (status !== state.status) state = { status, since: end.height + 1 };
    states.set(`${deployment.name} ${end.key}`, state);
  }
  if (state.status !== 'started') return state;
  const elapsed = tip.height - last;
  return { ...state, votes: { elapsed, count: countVotes(chain, tip.height, elapsed, deployment) } };
}

function nextStatus(
  chain: Chain,
  end: ChainBlock,
  status: Reached['status'],
  deployment: Deployment,
): Reached['status'] {
  switch (status) {
    case 'defined':
      return medianTimePast(chain, end) >= Number(deployment.start) ? 'started' : 'defined';
    case 'started':
      return countVotes(chain, end.height, VOTING.period, deployment) >= VOTING.threshold ? 'locked_in' : 'started';
    default:
      return 'active';
  }
}

/** The bits of a version that say that the others are votes. @see BIP9 "Bit flags" */
const [TOP_MASK, TOP_BITS] = [0b111, 0b001];

/** Counts the votes of so many blocks up to a height. */
function countVotes(chain: Chain, height: number, blocks: number, { bit }: Deployment): number {
  let count = 0;
  for (let at = height; at > height - blocks; at -= 1) {
    const block = findActiveBlock(chain, at);
    // A chain that begins above the genesis block does not have the votes below.
    if (!block) break;
    const { version } = decodeBlockHeader(block.header);
    if (((version >>> 29) & TOP_MASK) === TOP_BITS && ((version >>> bit) & 1) === 1) count += 1;
  }
  return count;
}
