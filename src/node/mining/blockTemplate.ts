import { concatBytes } from '../../core/bytes/compare.ts';
import { type Deployment, headerRules } from '../../core/network/networks.ts';
import { encodePush, pushNumber } from '../../core/script/build.ts';
import { SEQUENCE_FINAL } from '../../core/tx/absoluteLock.ts';
import { hasWitness } from '../../core/tx/codec.ts';
import { parseTxid, txid, wtxid } from '../../core/tx/txid.ts';
import type { Transaction, Txid, TxOut } from '../../core/tx/types.ts';
import { commitmentScript } from '../chain/block.ts';
import type { BlockHeader } from '../chain/blockHeader.ts';
import { commitmentTo } from '../chain/blockRules.ts';
import { activeTip, ancestorAt, type Chain, medianTimePast } from '../chain/chainState.ts';
import { MAX_TIMEWARP, requiredBits, retargetInterval } from '../chain/difficulty.ts';
import { buildMerkleTree, treeRoot } from '../chain/merkleTree.ts';
import { blockSubsidy } from '../chain/subsidy.ts';
import type { ChainBlock } from '../chain/types.ts';
import { deploymentState } from '../chain/versionBits.ts';
import type { MempoolRules } from '../mempool/mempoolRules.ts';
import { chooseAncestors } from './chooseAncestors.ts';
import { chooseChunks } from './chooseChunks.ts';
import type { ChosenTransaction } from './chooseTransactions.ts';
import type { MiningRules } from './miningRules.ts';

/** How a node makes blocks. */
export interface MiningTerms {
  readonly rules: MiningRules;
  readonly mempoolRules: MempoolRules;
  /** Those that the node reports. */
  readonly deployments: readonly Deployment[];
  /** Replaces the version of blocks. */
  readonly blockversion: number | undefined;
}

/** A block of the next height, without proof of work. */
export interface BlockTemplate {
  readonly tip: ChainBlock;
  readonly version: number;
  readonly time: number;
  readonly bits: number;
  readonly coinbase: Transaction;
  readonly chosen: readonly ChosenTransaction[];
}

/** A template's transactions with its whole coinbase, without proof of work. */
export interface UnminedBlock {
  readonly template: BlockTemplate;
  readonly txs: readonly Transaction[];
  readonly txids: readonly Txid[];
}

const VERSION = 0x2000_0000;

/** @see Bitcoin Core `ComputeBlockVersion` */
function nextVersion(chain: Chain, { deployments, blockversion }: MiningTerms): number {
  if (blockversion !== undefined) return blockversion;
  const tip = activeTip(chain);
  return deployments.reduce((version, deployment) => {
    const { status } = deploymentState(chain, tip, deployment);
    return status === 'started' || status === 'locked_in' ? version | (1 << deployment.bit) : version;
  }, VERSION);
}

/** Returns the earliest time of the next block. @see Bitcoin Core `GetMinimumTime` */
export function minimumTime(chain: Chain, { limitsTimewarp }: Pick<MiningRules, 'limitsTimewarp'>): number {
  const tip = activeTip(chain);
  const params = headerRules(chain.network);
  const least = medianTimePast(chain, tip) + 1;
  const beginsPeriod = params !== undefined && (tip.height + 1) % retargetInterval(params) === 0;
  return limitsTimewarp && beginsPeriod ? Math.max(least, tip.time - MAX_TIMEWARP) : least;
}

/** Returns the target of the next block in its compact form. */
export function nextBits(chain: Chain, time: number): number {
  const tip = activeTip(chain);
  const params = headerRules(chain.network);
  if (!params) return tip.bits;
  return requiredBits(params, { height: tip.height + 1, time }, (height) => ancestorAt(chain, tip, height)) ?? tip.bits;
}

/**
 * Makes a block that pays its fees and the subsidy to a script.
 *
 * - `now`: UNIX time
 * - `isEmpty`: leaves the mempool out
 *
 * @see Bitcoin Core `BlockAssembler::CreateNewBlock`
 */
export function createTemplate(
  chain: Chain,
  terms: MiningTerms,
  { script, now, isEmpty = false }: { readonly script: Uint8Array; readonly now: number; readonly isEmpty?: boolean },
): BlockTemplate {
  const { rules, mempoolRules } = terms;
  const tip = activeTip(chain);
  const choose = rules.choosesChunks ? chooseChunks : chooseAncestors;
  const chosen = isEmpty ? [] : choose(chain, rules, mempoolRules);
  const fees = chosen.reduce((sum, { entry: { fee = 0n } }) => sum + fee, 0n);
  const height = tip.height + 1;
  const value = blockSubsidy(height, chain.network) + fees;
  const time = Math.max(minimumTime(chain, rules), now);
  return {
    tip,
    version: nextVersion(chain, terms),
    time,
    bits: nextBits(chain, time),
    coinbase: createCoinbase({ value, scriptPubKey: script }, height, rules),
    chosen,
  };
}

const RESERVED_VALUE = new Uint8Array(32);
const EXTRA_NONCES = { none: undefined, zero: Uint8Array.of(0), one: encodePush(Uint8Array.of(1)) };
/** A push of a height up to this takes one byte: a coinbase needs two. */
const SHORT_HEIGHT = 16;

function createCoinbase(reward: TxOut, height: number, { extraNonce, locksCoinbase }: MiningRules): Transaction {
  const extra = EXTRA_NONCES[height <= SHORT_HEIGHT && extraNonce === 'none' ? 'zero' : extraNonce];
  const input = {
    outpoint: { txid: parseTxid('00'.repeat(32)), vout: 0xffff_ffff },
    scriptSig: concatBytes(pushNumber(height), ...(extra ? [extra] : [])),
    sequence: locksCoinbase ? SEQUENCE_FINAL - 1 : SEQUENCE_FINAL,
    witness: [],
  };
  return { version: 2, inputs: [input], outputs: [reward], locktime: locksCoinbase ? height - 1 : 0 };
}

/** A transaction of a block to come. */
export interface Included {
  readonly tx: Transaction;
  readonly id: Txid;
}

/** Fills a template with transactions: its coinbase also commits to their witnesses. @see BIP141 */
export function filled(chain: Chain, template: BlockTemplate, others: readonly Included[]): UnminedBlock {
  const [, segwit = 0] = headerRules(chain.network)?.laterForks ?? [];
  const { coinbase: plain } = template;
  const wtxids = others.map(({ tx, id }) => (hasWitness(tx) ? wtxid(tx) : id));
  const scriptPubKey = commitmentScript(commitmentTo(wtxids, RESERVED_VALUE));
  const isActive = activeTip(chain).height + 1 >= segwit;
  const coinbase = {
    ...plain,
    inputs: plain.inputs.map((input) => (isActive ? { ...input, witness: [RESERVED_VALUE] } : input)),
    outputs: [...plain.outputs, { value: 0n, scriptPubKey }],
  };
  return {
    template,
    txs: [coinbase, ...others.map(({ tx }) => tx)],
    txids: [txid(coinbase), ...others.map(({ id }) => id)],
  };
}

/** Returns the header of a block to come, with the nonce 0. */
export const headerOf = ({ template: { tip, version, time, bits }, txids }: UnminedBlock): BlockHeader => ({
  version,
  previous: tip.hash,
  merkleRoot: treeRoot(buildMerkleTree(txids)),
  time,
  bits,
  nonce: 0,
});
