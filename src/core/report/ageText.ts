import { NEVER, type WalletControl } from '../holder/control.ts';
import type { Network } from '../network/networks.ts';
import type { UnmetLock } from '../review/inputReview.ts';
import { type EffectiveLock, LOCKTIME_THRESHOLD } from '../tx/absoluteLock.ts';
import { parseRelativeLock, type RelativeLock, toSeconds } from '../tx/relativeLock.ts';

const DAY = 86_400;
const SECONDS_PER_BLOCK = 600;

/** Words an age in seconds: `at once`, `after about 144 blocks (24 hours)`, `never`. */
export function ageText(age: number): string {
  if (age === NEVER) return 'never';
  if (age === 0) return 'at once';
  const blocks = Math.ceil(age / SECONDS_PER_BLOCK);
  return `after about ${blocksText(blocks)} (${durationText(age)})`;
}

const blocksText = (blocks: number): string => `${blocks} ${blocks === 1 ? 'block' : 'blocks'}`;

/** Words a duration: `20 minutes`, `24 hours`, `9 days`, `15 months`, `2 years`. */
function durationText(seconds: number): string {
  const days = seconds / DAY;
  const months = Math.round(days / 30.44);
  if (months >= 12 && (months % 12 === 0 || months > 36)) return counted(Math.round(months / 12), 'year');
  if (days >= 60) return counted(months, 'month');
  if (days >= 2) return counted(Math.round(days), 'day');
  return days >= 1 / 12
    ? counted(Math.round(days * 24), 'hour')
    : counted(Math.max(1, Math.round(seconds / 60)), 'minute');
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Words the age that a lock demands: `52560 blocks (about 1 year)`, `5.9 days`. */
export function lockAgeText(lock: RelativeLock): string {
  if (lock.kind === 'time') {
    const seconds = toSeconds(lock);
    return seconds < DAY ? durationText(seconds) : `${(seconds / DAY).toFixed(1)} days`;
  }
  const seconds = lock.value * SECONDS_PER_BLOCK;
  return `${blocksText(lock.value)}${seconds >= DAY * 2 ? ` (about ${durationText(seconds)})` : ''}`;
}

/** Words a lock of a script: `after block 900000`. */
export const lockText = ({ kind, lock }: UnmetLock): string =>
  `after ${kind === 'older' ? lockAgeText(parseRelativeLock(lock)) : lock < LOCKTIME_THRESHOLD ? `block ${lock}` : dateText(lock)}`;

/** Words how soon others, and the holder alone, can spend the coins of a wallet. */
export function controlTexts({ others, alone, aloneUnlocked }: WalletControl) {
  return { others: agePerPayment(others), alone: aloneText(alone, aloneUnlocked !== NEVER) };
}

/** `isLocked` if an absolute lock alone keeps the holder from spending. */
export const aloneText = (alone: number, isLocked: boolean): string =>
  isLocked && alone === NEVER ? WHEN_UNLOCKED : agePerPayment(alone);

/** Words an age that each payment to a wallet has to reach. */
export const agePerPayment = (age: number): string =>
  age === 0 || age === NEVER ? ageText(age) : `${ageText(age)}, counted from each payment`;

export const WHEN_UNLOCKED = 'only once an absolute lock of its policy has passed';

/** Words the block or time that a transaction waits for: `block 1490001 (about 2036)`. A time is UTC. */
export function untilText({ kind, value }: EffectiveLock, network: Network): string {
  if (kind === 'time') return dateText(value);
  const year = yearOfBlock(value, network);
  return `block ${value + 1}${year === undefined ? '' : ` (about ${year})`}`;
}

/** Words the day of a Unix time, in UTC. */
export const dayText = (seconds: number): string => dateText(seconds).slice(0, '2026-12-14'.length);

/** Words a time to the minute: `2026-12-14 16:22 UTC`. */
export const minuteText = (seconds: number): string => `${dateText(seconds).slice(0, '2026-12-14 16:22'.length)} UTC`;

const dateText = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC');

/** Estimates the year of a height, if all blocks from a known one on take as long as they should. */
function yearOfBlock(height: number, { datedBlock, consensus }: Network): number | undefined {
  if (!datedBlock || !consensus || height < datedBlock.height) return undefined;
  const seconds = datedBlock.time + (height - datedBlock.height) * consensus.targetSpacing;
  return new Date(seconds * 1000).getUTCFullYear();
}
