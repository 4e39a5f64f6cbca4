import type { Network } from '../../core/network/networks.ts';
import type { TemplateRules } from '../../core/script/template.ts';
import { sizeOfWeight } from '../../core/tx/weight.ts';
import type { Fault } from '../chain/fault.ts';
import type { PoolEntry } from '../chain/types.ts';
import type { FamilyLimits, MempoolRules } from './mempoolRules.ts';

export interface MempoolPolicy {
  readonly rules: MempoolRules;
  /** True if only consensus rules count. */
  readonly isSkipped: boolean;
  readonly requiresStandard: boolean;
  /** The transactions that can be replaced; `signalling` by BIP125. */
  readonly replaceable: 'none' | 'signalling' | 'any';
  readonly templates: TemplateRules;
  /** In satoshi per virtual byte. */
  readonly dustRate: number;
  readonly permitsBareMultisig: boolean;
  /** In seconds. */
  readonly expiry: number;
  /** The most memory, in bytes. */
  readonly maxMemory: number;
  readonly family: FamilyLimits;
  readonly network: Network;
}

/** Why a transaction is refused. */
export interface Rejection extends Fault {
  /** The fees of a child may change the verdict. @see Bitcoin Core `TX_RECONSIDERABLE` */
  readonly isReconsiderable?: true;
}

export const because = (reason: string | undefined): Rejection | undefined =>
  reason === undefined ? undefined : { reason };

/** Limits the fee rate to `maxFeeRate` satoshi per 1000 virtual bytes, unless that is 0. */
export const rateLimitFault = (
  { fee = 0n, policyWeight }: PoolEntry,
  maxFeeRate: bigint | undefined,
): Rejection | undefined =>
  maxFeeRate && fee * 1000n > maxFeeRate * BigInt(sizeOfWeight(policyWeight))
    ? { reason: 'max feerate exceeded' }
    : undefined;

/** Computes the fee of `size` virtual bytes at `rate` satoshi per 1000. @see Bitcoin Core `CFeeRate::GetFee` */
export function feeOfSize(rate: bigint, size: number, { roundsFeesUp }: MempoolRules): bigint {
  const product = rate * BigInt(size);
  if (roundsFeesUp) return (product + 999n) / 1000n;
  const fee = product / 1000n;
  return fee === 0n && product > 0n ? 1n : fee;
}
