import { BtcError } from '../../core/errors.ts';

const invalidArgument = (argument: string, reason: string): BtcError =>
  new BtcError('argument/invalid', { argument, reason }, `The argument ${argument} ${reason}`);

/** @throws `argument/invalid` */
export function assertSats(sats: bigint): void {
  if (typeof sats === 'bigint' && sats > 0n) return;
  throw invalidArgument('sats', 'must be satoshi as a bigint above 0, such as 100_000n');
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
export function assertSeconds(seconds: number): void {
  if (Number.isFinite(seconds) && seconds >= 0) return;
  throw invalidArgument('seconds', 'must be a number, 0 or more: rewind turns the clock back');
}
