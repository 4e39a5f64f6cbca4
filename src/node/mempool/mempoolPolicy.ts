import type { Network } from '../../core/network/networks.ts';
import type { TemplateRules } from '../../core/script/template.ts';
import { sizeOfWeight } from '../../core/tx/weight.ts';
import type { PoolEntry } from '../chain/types.ts';
import type { MempoolRules } from './mempoolRules.ts';

/** The node's options for accepting transactions, by Core's names. */
export interface MempoolOptions {
  /** Accepts non-standard transactions. Default false. */
  readonly acceptnonstdtxn?: boolean | undefined;
  /** Lets transactions replace others. Default: false for `litecoin-0.21`, true for others. */
  readonly mempoolreplacement?: boolean | undefined;
  /** Accepts all that blocks may hold, with replacements: for what a node of yours has accepted. Default false. */
  readonly skipsMempoolPolicy?: boolean | undefined;
}

export interface MempoolPolicy {
  readonly rules: MempoolRules;
  /** True if only consensus rules count. */
  readonly isSkipped: boolean;
  readonly requiresStandard: boolean;
  /** The transactions that can be replaced; `signalling` by BIP125. */
  readonly replaceable: 'none' | 'signalling' | 'any';
  readonly templates: TemplateRules;
  readonly network: Network;
}

/** Core's reject reason and debug message. */
export interface Rejection {
  readonly reason: string;
  readonly detail?: string;
  /** The fees of a child may change the verdict. @see Bitcoin Core `TX_RECONSIDERABLE` */
  readonly isReconsiderable?: true;
}

/** @see Bitcoin Core `ValidationState::ToString` */
export const rejectionText = ({ reason, detail = '' }: Rejection): string =>
  detail === '' ? reason : `${reason}, ${detail}`;

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
