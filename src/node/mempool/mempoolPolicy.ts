import type { Network } from '../../core/network/networks.ts';
import type { TemplateRules } from '../../core/script/template.ts';
import type { MempoolRules } from './mempoolRules.ts';

/** The node's options about which transactions its mempool takes, by Core's names. */
export interface MempoolOptions {
  /** Takes transactions that are not standard, as test networks may. Default false. */
  readonly acceptnonstdtxn?: boolean | undefined;
  /** Lets transactions replace others. Default: as in the dialect's node, false for `litecoin-0.21`, true for others. */
  readonly mempoolreplacement?: boolean | undefined;
  /**
   * Takes every transaction that blocks may hold, and lets it replace others: for transactions that a node of yours has
   * accepted. Default false.
   */
  readonly skipsMempoolPolicy?: boolean | undefined;
}

/** Policy of a mempool for new transactions. */
export interface MempoolPolicy {
  readonly rules: MempoolRules;
  /** True if only the rules of blocks count. */
  readonly isSkipped: boolean;
  readonly requiresStandard: boolean;
  /** Transactions of the mempool that can be replaced: those that signal it (BIP125), any, or none. */
  readonly replaceable: 'none' | 'signalling' | 'any';
  readonly templates: TemplateRules;
  readonly network: Network;
}

/** Reason why a transaction is refused: Core's reject reason, and what a node adds to it. */
export interface Rejection {
  readonly reason: string;
  readonly detail?: string;
}

/** Joins reason and detail as a node does. @see Bitcoin Core `ValidationState::ToString` */
export const rejectionText = ({ reason, detail = '' }: Rejection): string =>
  detail === '' ? reason : `${reason}, ${detail}`;

/** Returns a rejection of a reason alone. */
export const because = (reason: string | undefined): Rejection | undefined =>
  reason === undefined ? undefined : { reason };

/**
 * Computes the fee of a size.
 *
 * - `rate`: satoshi per 1000 virtual bytes
 * - `size`: virtual bytes
 *
 * @see Bitcoin Core `CFeeRate::GetFee`
 */
export function feeOfSize(rate: bigint, size: number, { roundsFeesUp }: MempoolRules): bigint {
  const product = rate * BigInt(size);
  if (roundsFeesUp) return (product + 999n) / 1000n;
  const fee = product / 1000n;
  return fee === 0n && product > 0n ? 1n : fee;
}
