import { formatMoney } from '../../core/encoding/amount.ts';
import type { Network } from '../../core/network/networks.ts';
import { checkInputValues } from '../../core/tx/check.ts';
import { getRelativeLock, type RelativeLock, toSeconds } from '../../core/tx/relativeLock.ts';
import type { Transaction, TxOut } from '../../core/tx/types.ts';
import { activeTip, type Chain, findActiveBlock, knownMedianTime } from './chainState.ts';
import type { Fault } from './fault.ts';
import type { ChainCoin } from './types.ts';

/** How the next block may spend coins of the chain. */

export const COINBASE_MATURITY = 100;

/** @see Bitcoin Core `Consensus::CheckTxInputs` */
export function maturityFault(chain: Chain, coins: readonly ChainCoin[]): Fault | undefined {
  const next = activeTip(chain).height + 1;
  for (const { isCoinbase, height = 0 } of coins) {
    const depth = next - height;
    if (!isCoinbase || depth >= COINBASE_MATURITY) continue;
    return {
      reason: 'bad-txns-premature-spend-of-coinbase',
      detail: `tried to spend coinbase at depth ${depth}`,
    };
  }
  return undefined;
}

/** @see Bitcoin Core `Consensus::CheckTxInputs` */
export function valueFault(
  tx: Transaction,
  coins: readonly ChainCoin[],
  { maxMoney }: Pick<Network, 'maxMoney'>,
): Fault | undefined {
  const reason = checkInputValues(tx, coins, { maxMoney });
  if (reason === undefined) return undefined;
  if (reason !== 'bad-txns-in-belowout') return { reason };
  const sums = [totalValue(coins), totalValue(tx.outputs)].map(formatMoney);
  return { reason, detail: `value in (${sums[0]}) < value out (${sums[1]})` };
}

export const totalValue = (outputs: readonly Pick<TxOut, 'value'>[]): bigint =>
  outputs.reduce((sum, { value }) => sum + value, 0n);

/**
 * Tells whether all coins, one per input, have the age that the inputs demand, as far as the chain knows the times.
 * @see BIP68; Bitcoin Core `SequenceLocks`
 */
export function meetsRelativeLocks(chain: Chain, tx: Transaction, coins: readonly ChainCoin[]): boolean {
  const locks = tx.inputs.map((input) => getRelativeLock(tx, input));
  return coins.every((coin, index) => isOldEnough(chain, coin, locks[index]));
}

function isOldEnough(chain: Chain, coin: ChainCoin, lock: RelativeLock | undefined): boolean {
  if (!lock) return true;
  const tip = activeTip(chain);
  const next = tip.height + 1;
  const height = coin.height ?? next;
  if (lock.kind === 'blocks') return height + lock.value <= next;
  const before = findActiveBlock(chain, Math.max(height - 1, 0));
  const [from, to] = [before, tip].map((block) => block && knownMedianTime(chain, block));
  return from === undefined || to === undefined || from + toSeconds(lock) <= to;
}
