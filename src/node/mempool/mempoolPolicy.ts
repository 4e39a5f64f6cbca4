import type { Network } from '../../core/network/networks.ts';
import type { TemplateRules } from '../../core/script/template.ts';
import { sizeOfWeight } from '../../core/tx/weight.ts';
import type { Fault } from '../chain/fault.ts';
import type { PoolEntry } from '../chain/types.ts';
import type { FamilyLimits, MempoolRules } from './mempoolRules.ts';

/** The node's options for accepting transactions, by Core's names. */
export interface MempoolOptions {
  /** Accepts non-standard transactions. Default false. */
  readonly acceptnonstdtxn?: boolean | undefined;
  /** Lets transactions replace others. Default: false for `litecoin-0.21`, true for others. */
  readonly mempoolreplacement?: boolean | undefined;
  /** Accepts all that blocks may hold, with replacements: for what a node of yours has accepted. Default false. */
  readonly skipsMempoolPolicy?: boolean | undefined;
  /** The lowest fee rate, in satoshi per 1000 virtual bytes. Default: 100; before Core 30, 1000. */
  readonly minrelaytxfee?: number | undefined;
  /** What a replacement pays on top, in satoshi per 1000 virtual bytes. Default: as `minrelaytxfee`. */
  readonly incrementalrelayfee?: number | undefined;
  /** The fee rate at which spending dust costs more than it is worth, in satoshi per 1000 virtual bytes. Default 3000. */
  readonly dustrelayfee?: number | undefined;
  /** After how many hours a transaction leaves the mempool. Default 336. */
  readonly mempoolexpiry?: number | undefined;
  /** Accepts OP_RETURN outputs. Default true. */
  readonly datacarrier?: boolean | undefined;
  /** The most bytes of OP_RETURN scripts. Default: 100 000; before Core 30, 83. */
  readonly datacarriersize?: number | undefined;
  /** Accepts bare multisig outputs. Default true. */
  readonly permitbaremultisig?: boolean | undefined;
  /** The most transactions of a cluster, since Core 31. Default 64. */
  readonly limitclustercount?: number | undefined;
  /** The most thousands of virtual bytes of a cluster, since Core 31. Default 101. */
  readonly limitclustersize?: number | undefined;
  /** The most unconfirmed ancestors, with the transaction itself; before Core 31. Default 25. */
  readonly limitancestorcount?: number | undefined;
  /** The most unconfirmed descendants, with the transaction itself; before Core 31. Default 25. */
  readonly limitdescendantcount?: number | undefined;
  /** In thousands of virtual bytes; before Core 31. Default 101. */
  readonly limitancestorsize?: number | undefined;
  /** In thousands of virtual bytes; before Core 31. Default 101. */
  readonly limitdescendantsize?: number | undefined;
}

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
