import { formatTxid, outpointTxKey, outputKey, wtxid } from '../../core/tx/txid.ts';
import type { Chain } from '../chain/chainState.ts';
import type { PoolEntry } from '../chain/types.ts';
import type { MempoolPolicy, Rejection } from './mempoolPolicy.ts';
import { isDust } from './standardness.ts';

interface EphemeralFault {
  readonly entry: PoolEntry;
  readonly rejection: Rejection;
}

/** Checks that transactions spend all dust of their unconfirmed parents. @see Bitcoin Core `CheckEphemeralSpends` */
export function ephemeralFault(
  { mempool }: Chain,
  policy: MempoolPolicy,
  entries: readonly PoolEntry[],
): EphemeralFault | undefined {
  const own = new Map(entries.map((entry) => [entry.key, entry]));
  for (const entry of entries) {
    const spent = new Set(entry.spends);
    const parents = [
      ...new Set(entry.spends.flatMap((key) => own.get(outpointTxKey(key)) ?? mempool.get(outpointTxKey(key)) ?? [])),
    ];
    const leavesDust = parents.some(({ key, tx }) =>
      tx.outputs.some((output, vout) => isDust(output, policy) && !spent.has(outputKey(key, vout))),
    );
    if (!leavesDust) continue;
    const name = `tx ${formatTxid(entry.id)} (wtxid=${formatTxid(wtxid(entry.tx))})`;
    const detail = `${name} did not spend parent's ephemeral dust`;
    return { entry, rejection: { reason: 'missing-ephemeral-spends', detail } };
  }
  return undefined;
}
