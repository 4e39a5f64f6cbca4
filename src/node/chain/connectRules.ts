import { formatReversedHex } from '../../core/bytes/hex.ts';
import { headerRules } from '../../core/network/networks.ts';
import { isUnspendable } from '../../core/script/instructions.ts';
import { formatTxid, outputKey } from '../../core/tx/txid.ts';
import type { OutpointKey } from '../../core/tx/types.ts';
import { sigOpCost } from '../../core/tx/weight.ts';
import { skipsScripts } from './assumeValid.ts';
import { MAX_BLOCK_SIGOPS_COST } from './blockSizes.ts';
import { type Chain, coinAt } from './chainState.ts';
import { failedInput } from './failedInput.ts';
import type { Fault } from './fault.ts';
import { isPartial } from './partialChain.ts';
import { blockScriptFlags } from './scriptFlags.ts';
import { maturityFault, meetsRelativeLocks, totalValue, valueFault } from './spendRules.ts';
import { blockSubsidy } from './subsidy.ts';
import type { ChainBlock, ChainCoin, ChainTx } from './types.ts';

export const MISSING_INPUTS = 'bad-txns-inputs-missingorspent';

/** A transaction of a block, and the coins that it spends, one per input. */
interface Spend {
  readonly tx: ChainTx;
  readonly coins: readonly ChainCoin[];
}

/**
 * Checks the rules that depend on the coins of the chain, of which the block's parent is the tip. Where blocks are
 * missing, skips what depends on unknown coins.
 * @see Bitcoin Core `Chainstate::ConnectBlock`
 */
export function connectFault(chain: Chain, block: ChainBlock, txs: readonly ChainTx[]): Fault | undefined {
  if (overwritesCoins(chain, block, txs)) return refused(chain, 'bad-txns-BIP30', 'tried to overwrite transaction');
  const findCoins = coinFinder(chain, block);
  const sums: Sums = { fees: 0n, sigOps: 0 };
  const spends: Spend[] = [];
  for (const tx of txs) {
    const coins = findCoins(tx);
    if (coins === 'unknown' && isPartial(chain)) continue;
    if (typeof coins === 'string') return inTransaction(chain, MISSING, tx);
    const spend = { tx, coins };
    const fault = (tx.isCoinbase ? undefined : spendFault(chain, block, spend)) ?? sumsFault(chain, sums, spend);
    if (fault) return fault;
    spends.push(spend);
  }
  return (
    (spends.length === txs.length ? rewardFault(chain, block, { coinbase: txs[0], ...sums }) : undefined) ??
    (skipsScripts(chain, block) ? undefined : scriptsFault(chain, block, spends))
  );
}

/** Two coinbases of the main chain whose txids were there before. @see Bitcoin Core `IsBIP30Repeat` */
const REPEATED: ReadonlySet<string> = new Set([
  '00000000000a4d0a398161ffc163c503763b1f4360639393e0e4c8e300e0caec',
  '00000000000743f190a18c5577a3c2d2a1f610ae9601ac046a38084ccb7cd721',
]);

export const isRepeated = ({ hash }: ChainBlock): boolean => REPEATED.has(formatReversedHex(hash));

/** Two blocks of the main chain whose coinbases later ones repeat. @see Bitcoin Core `IsBIP30Unspendable` */
const OVERWRITTEN: ReadonlySet<string> = new Set([
  '00000000000271a2dc26e7667f8419f2e15416dc6955e5a6c6cdf3f2574dd08e',
  '00000000000af0aed4792b1acee3d966af36cf5def14935db8de83d6f9306f2f',
]);

export const isOverwritten = ({ hash }: ChainBlock): boolean => OVERWRITTEN.has(formatReversedHex(hash));

/**
 * Tells whether no two transactions of a chain can have one txid: from its second block on, each coinbase names its height. Then
 * one whose coins are there has spent its inputs.
 * @see BIP34
 */
const hasUniqueTxids = ({ network }: Chain): boolean => headerRules(network)?.versionHeights[0] === 1;

/** Tells whether the chain has coins of a transaction. */
export function isMined(chain: Chain, { tx, key, spends }: ChainTx): boolean {
  if (hasUniqueTxids(chain) && spends.every((spent) => coinAt(chain, spent))) return false;
  return tx.outputs.some((_, vout) => chain.coins.has(outputKey(key, vout)));
}

/** @see BIP30 */
const overwritesCoins = (chain: Chain, block: ChainBlock, txs: readonly ChainTx[]): boolean =>
  !isRepeated(block) && txs.some((tx) => isMined(chain, tx));

/** `spent`: the block spends a coin twice. */
type FindCoins = (tx: ChainTx) => readonly ChainCoin[] | 'unknown' | 'spent';

/** Finds coins of the chain, and those that earlier transactions of the block create. */
function coinFinder({ coins }: Chain, { height }: ChainBlock): FindCoins {
  const created = new Map<OutpointKey, ChainCoin>();
  const spent = new Set<OutpointKey>();
  return ({ tx, key, isCoinbase, spends }) => {
    if (spends.some((outpoint) => spent.has(outpoint))) return 'spent';
    const found = spends.flatMap((outpoint) => created.get(outpoint) ?? coins.get(outpoint) ?? []);
    for (const outpoint of spends) spent.add(outpoint);
    for (const [vout, output] of tx.outputs.entries()) {
      if (!isUnspendable(output.scriptPubKey)) created.set(outputKey(key, vout), { height, isCoinbase, ...output });
    }
    return found.length === spends.length ? found : 'unknown';
  };
}

const refused = ({ validation: { explainsFaults } }: Chain, reason: string, detail: string): Fault => ({
  reason,
  ...(explainsFaults && { detail }),
});

/** Takes over why a transaction is refused. */
const inTransaction = ({ validation: { explainsFaults } }: Chain, fault: Fault, { id }: ChainTx): Fault =>
  explainsFaults ? { ...fault, detail: `${fault.detail ?? ''} in transaction ${formatTxid(id)}` } : fault;

const MISSING: Fault = { reason: MISSING_INPUTS, detail: 'CheckTxInputs: inputs missing/spent' };

function spendFault(chain: Chain, { height }: ChainBlock, { tx, coins }: Spend): Fault | undefined {
  const fault = maturityFault(chain, coins) ?? valueFault(tx.tx, coins, chain.network);
  if (fault) return inTransaction(chain, fault, tx);
  const [csv = 0] = headerRules(chain.network)?.laterForks ?? [];
  if (height < csv || meetsRelativeLocks(chain, tx.tx, coins)) return undefined;
  return refused(chain, 'bad-txns-nonfinal', `contains a non-BIP68-final transaction ${formatTxid(tx.id)}`);
}

/** Of the transactions of a block so far. */
interface Sums {
  /** In satoshi. */
  fees: bigint;
  /** In weight units. */
  sigOps: number;
}

/** Adds a transaction to the sums. */
function sumsFault(chain: Chain, sums: Sums, { tx, coins }: Spend): Fault | undefined {
  if (!tx.isCoinbase) sums.fees += totalValue(coins) - totalValue(tx.tx.outputs);
  if (sums.fees > chain.network.maxMoney) {
    return refused(chain, 'bad-txns-accumulated-fee-outofrange', 'accumulated fee in the block out of range');
  }
  const scripts = coins.map(({ scriptPubKey }) => scriptPubKey);
  sums.sigOps += sigOpCost(tx.tx, scripts);
  return sums.sigOps > MAX_BLOCK_SIGOPS_COST ? refused(chain, 'bad-blk-sigops', 'too many sigops') : undefined;
}

function rewardFault(
  chain: Chain,
  { height }: ChainBlock,
  { coinbase, fees }: { readonly coinbase: ChainTx | undefined; readonly fees: bigint },
): Fault | undefined {
  const limit = blockSubsidy(height, chain.network) + fees;
  const actual = totalValue(coinbase?.tx.outputs ?? []);
  if (actual <= limit) return undefined;
  return refused(chain, 'bad-cb-amount', `coinbase pays too much (actual=${actual} vs limit=${limit})`);
}

/** Core runs the scripts on threads, and reports their faults last. */
function scriptsFault(chain: Chain, block: ChainBlock, spends: readonly Spend[]): Fault | undefined {
  const flags = new Set(blockScriptFlags(chain.network, block));
  for (const { tx, coins } of spends) {
    const failed = tx.isCoinbase ? undefined : failedInput(chain, { tx: tx.tx, coins }, { flags });
    if (failed) return chain.validation.scriptFault(tx, failed.index, failed.failure);
  }
  return undefined;
}
