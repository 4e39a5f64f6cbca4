import { finishMuHash, muHashProduct } from '../../core/crypto/muHash.ts';
import { isUnspendable } from '../../core/script/instructions.ts';
import { outpointTxKey, outpointVout } from '../../core/tx/txid.ts';
import { createBlockSeries } from './blockSeries.ts';
import { type Chain, txsInBlock } from './chainState.ts';
import { bogoSize, serializeCoin } from './coinStatistics.ts';
import { isOverwritten } from './connectRules.ts';
import { blockSubsidy } from './subsidy.ts';
import type { ChainBlock } from './types.ts';

/** Amounts in satoshi that a block keeps from being spent. @see Bitcoin Core `gettxoutsetinfo` */
export interface Unspendables {
  genesis_block: bigint;
  bip30: bigint;
  scripts: bigint;
  unclaimed_rewards: bigint;
}

/** The amounts that a block spends and creates, in satoshi. */
interface BlockFlow {
  spent: bigint;
  coinbase: bigint;
  /** Of all outputs but those of the coinbase. */
  outputs: bigint;
  readonly unspendables: Unspendables;
}

/** The coins that a block leaves. */
interface IndexedCoins {
  readonly txouts: number;
  readonly bogosize: number;
  /** In satoshi. */
  readonly total: bigint;
  /** Of this block and all before, in satoshi. */
  readonly unspendable: bigint;
  readonly flow: BlockFlow;
  readonly muhash: () => Uint8Array;
}

interface Totals {
  txouts: number;
  bogosize: number;
  total: bigint;
  unspendable: bigint;
  /** The product of all coins that there have been, and of those that are spent. */
  created: bigint;
  spent: bigint;
}

const NONE: Totals = { txouts: 0, bogosize: 0, total: 0n, unspendable: 0n, created: 1n, spent: 1n };

/** The coins of each block. @see Bitcoin Core `-coinstatsindex` */
export interface CoinIndex {
  /** Returns `undefined` for a block that was never active. */
  readonly find: (block: ChainBlock) => IndexedCoins | undefined;
}

/** Creates an index in memory, which computes statistics when they are used. */
export function createCoinIndex(chain: Chain): CoinIndex {
  const find = createBlockSeries<{ readonly totals: Totals; readonly flow: BlockFlow }>(chain, (block, before) => {
    const totals = { ...(before?.totals ?? NONE) };
    const flow = block.height === 0 ? genesisFlow(chain, block) : addBlock(totals, chain, block);
    totals.unspendable += allUnspendable(flow.unspendables);
    return { totals, flow };
  });
  return {
    find: (block) => {
      const found = find(block);
      if (!found) return undefined;
      const { created, spent, ...totals } = found.totals;
      return { ...totals, flow: found.flow, muhash: () => finishMuHash(created, spent) };
    },
  };
}

export const allUnspendable = ({ genesis_block, bip30, scripts, unclaimed_rewards }: Unspendables): bigint =>
  genesis_block + bip30 + scripts + unclaimed_rewards;

const emptyFlow = (): BlockFlow => ({
  spent: 0n,
  coinbase: 0n,
  outputs: 0n,
  unspendables: { genesis_block: 0n, bip30: 0n, scripts: 0n, unclaimed_rewards: 0n },
});

function genesisFlow({ network }: Chain, { height }: ChainBlock): BlockFlow {
  const flow = emptyFlow();
  flow.unspendables.genesis_block = blockSubsidy(height, network);
  return flow;
}

/** @see Bitcoin Core `CoinStatsIndex::CustomAppend` */
function addBlock(totals: Totals, chain: Chain, block: ChainBlock): BlockFlow {
  const { height } = block;
  const flow = emptyFlow();
  const { unspendables } = flow;
  const subsidy = blockSubsidy(height, chain.network);
  for (const { tx, key, isCoinbase } of txsInBlock(chain, block)) {
    if (isCoinbase && isOverwritten(block)) {
      unspendables.bip30 += subsidy;
      continue;
    }
    for (const [vout, { value, scriptPubKey }] of tx.outputs.entries()) {
      if (isUnspendable(scriptPubKey)) {
        unspendables.scripts += value;
        continue;
      }
      totals.created = muHashProduct(
        totals.created,
        serializeCoin(key, { value, scriptPubKey, vout, height, isCoinbase }),
      );
      totals.txouts += 1;
      totals.bogosize += bogoSize(scriptPubKey);
      totals.total += value;
      flow[isCoinbase ? 'coinbase' : 'outputs'] += value;
    }
  }
  for (const [outpoint, coin] of chain.undo.get(block.key) ?? []) {
    const element = serializeCoin(outpointTxKey(outpoint), { ...coin, vout: outpointVout(outpoint) });
    totals.spent = muHashProduct(totals.spent, element);
    totals.txouts -= 1;
    totals.bogosize -= bogoSize(coin.scriptPubKey);
    totals.total -= coin.value;
    flow.spent += coin.value;
  }
  unspendables.unclaimed_rewards = flow.spent + subsidy - flow.outputs - flow.coinbase - allUnspendable(unspendables);
  return flow;
}
