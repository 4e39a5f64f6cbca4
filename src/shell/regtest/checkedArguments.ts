import { BtcError } from '../../core/errors.ts';
import type { MempoolPolicy } from '../../node/mempool/mempoolPolicy.ts';
import { givenReasons, type RefusalReason } from '../../node/mempool/plannedRefusals.ts';

export const invalidArgument = (argument: string, reason: string): BtcError =>
  new BtcError('argument/invalid', { argument, reason }, `The argument ${argument} ${reason}`);

/** @throws `argument/invalid` */
export function assertSats(sats: bigint): void {
  if (typeof sats === 'bigint' && sats > 0n) return;
  throw invalidArgument('sats', 'must be satoshi as a bigint above 0, such as 100_000n');
}

/** @throws `argument/invalid` */
export function assertBalance(sats: bigint): void {
  if (typeof sats === 'bigint' && sats >= 0n) return;
  throw invalidArgument('sats', 'must be satoshi as a bigint, 0n or more');
}

/** @throws `argument/invalid` */
export function assertCount(count: number): void {
  if (Number.isSafeInteger(count) && count >= 0) return;
  throw invalidArgument('count', 'must be a whole number of blocks, 0 or more');
}

/** One transaction pays them. */
const MOST_ACCOUNTS = 1000;

/** @throws `argument/invalid` */
export function assertAccountCount(count: number): void {
  if (Number.isSafeInteger(count) && count >= 0 && count <= MOST_ACCOUNTS) return;
  throw invalidArgument('count', `must be a whole number of accounts, 0 to ${MOST_ACCOUNTS}`);
}

/** @throws `argument/invalid` */
export function assertConfirmations(confirmations: number): void {
  if (Number.isSafeInteger(confirmations) && confirmations > 0) return;
  throw invalidArgument('confirmations', 'must be a whole number, 1 or more');
}

/** @throws `argument/invalid` */
export function assertSeconds(seconds: number, present: number): void {
  if (Number.isFinite(seconds) && seconds >= 0 && present + seconds <= LAST_TIME) return;
  throw invalidArgument('seconds', `must be a number, 0 to ${LAST_TIME - present}: rewind turns the clock back`);
}

/** UNIX time; headers have 32 bits for it, and blocks to come need some. */
const LAST_TIME = 4_294_000_000;

/** @throws `argument/invalid` */
export function assertTime(time: number, first = 0): void {
  if (Number.isSafeInteger(time) && time >= first && time <= LAST_TIME) return;
  const range = first === 0 ? `0 to ${LAST_TIME}` : `${first}, the present time, to ${LAST_TIME}: rewind turns it back`;
  throw invalidArgument('time', `must be a whole number of seconds, ${range}`);
}

/** The highest rate, in satoshi per virtual byte, whose fees are still safe integers. */
const MAX_FEE_RATE = 1_000_000;

/** @throws `argument/invalid` */
export function assertFeeRate(feeRate: number): void {
  if (Number.isFinite(feeRate) && feeRate > 0 && feeRate <= MAX_FEE_RATE) return;
  throw invalidArgument('feeRate', `must be satoshi per virtual byte, above 0 and up to ${MAX_FEE_RATE}`);
}

/** @throws `argument/invalid` for a reason that nodes with this policy never give */
export function assertReason(reason: RefusalReason, policy: MempoolPolicy): void {
  const given = givenReasons(policy);
  if (given.includes(reason)) return;
  throw invalidArgument('reason', `must be one that the release gives: ${given.join(', ')}`);
}

/** @throws `argument/invalid` */
export function assertTimes(times: number): void {
  if (Number.isSafeInteger(times) && times >= 0) return;
  throw invalidArgument('times', 'must be a whole number, 0 or more');
}
