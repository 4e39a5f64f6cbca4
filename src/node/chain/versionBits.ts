import type { Deployment, DeploymentStatus } from '../../core/network/networks.ts';
import { decodeBlockHeader } from './blockHeader.ts';
import { ancestorAt, type Chain, findParent, medianTimePast } from './chainState.ts';
import type { ChainBlock } from './types.ts';

/** For the block after another. @see Bitcoin Core `ThresholdState` */
export interface DeploymentState {
  readonly status: DeploymentStatus;
  readonly since: number;
}

/** The states at the ends of periods, memoized. */
const reached = new WeakMap<Chain, Map<string, DeploymentState>>();

const DEFINED: DeploymentState = { status: 'defined', since: 0 };

/** Before the first block, a vote is defined. @see BIP9 "State transitions"; Bitcoin Core `GetStateFor` */
export function deploymentState(chain: Chain, block: ChainBlock | undefined, deployment: Deployment): DeploymentState {
  if (deployment.start === 'always') return { status: 'active', since: 0 };
  if (!block) return DEFINED;
  const states = reached.get(chain) ?? new Map<string, DeploymentState>();
  reached.set(chain, states);
  // Walks back to a known state or the first block.
  const ends: ChainBlock[] = [];
  let state = startOf(chain, deployment);
  for (
    let end = ancestorAt(chain, block, lastEnd(block, deployment));
    end;
    end = ancestorAt(chain, end, end.height - deployment.period)
  ) {
    const before = states.get(`${deployment.name} ${end.key}`);
    if (before) state = before;
    if (before) break;
    ends.push(end);
  }
  for (const end of ends.reverse()) {
    const status = nextStatus(chain, deployment, { end, status: state.status });
    if (status !== state.status) state = { status, since: end.height + 1 };
    states.set(`${deployment.name} ${end.key}`, state);
  }
  return state;
}

/** Returns how a vote stands where the chain begins. */
function startOf({ first }: Chain, { history = [] }: Deployment): DeploymentState {
  const [since, status] = history.filter(([height]) => height <= first.height).at(-1) ?? [];
  return since !== undefined && status ? { status, since } : DEFINED;
}

/** Returns the height of the last block of a period, up to a block. */
const lastEnd = ({ height }: ChainBlock, { period }: Deployment): number => height - ((height + 1) % period);

function nextStatus(
  chain: Chain,
  deployment: Deployment,
  { end, status }: { readonly end: ChainBlock; readonly status: DeploymentStatus },
): DeploymentStatus {
  const { start, timeout = Number.POSITIVE_INFINITY, minHeight = 0, threshold, period } = deployment;
  switch (status) {
    case 'defined':
      return medianTimePast(chain, end) >= Number(start) ? 'started' : status;
    case 'started': {
      if (votesUpTo(chain, end, { deployment, count: period }).filter(Boolean).length >= threshold) return 'locked_in';
      return medianTimePast(chain, end) >= timeout ? 'failed' : status;
    }
    case 'locked_in':
      return end.height + 1 >= minHeight ? 'active' : status;
    default:
      return status;
  }
}

/** Mark a version whose other bits are votes. @see BIP9 "Bit flags" */
const [TOP_MASK, TOP_BITS] = [0b111, 0b001];

/** Tells of each block of its period, up to a block, whether it votes. */
export const periodVotes = (chain: Chain, block: ChainBlock, deployment: Deployment): readonly boolean[] =>
  votesUpTo(chain, block, { deployment, count: 1 + (block.height % deployment.period) });

function votesUpTo(
  chain: Chain,
  block: ChainBlock,
  { deployment: { bit }, count }: { readonly deployment: Deployment; readonly count: number },
): readonly boolean[] {
  const votes: boolean[] = [];
  // A chain that begins above the genesis block lacks the votes below.
  for (let at: ChainBlock | undefined = block; at && votes.length < count; at = findParent(chain, at)) {
    const { version } = decodeBlockHeader(at.header);
    votes.push(((version >>> 29) & TOP_MASK) === TOP_BITS && ((version >>> bit) & 1) === 1);
  }
  return votes.reverse();
}
