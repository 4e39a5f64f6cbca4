import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { BtcError } from '../../errors.ts';
import { attempt, type Files, tryTo } from './files.ts';

/**
 * Node has no locks that the system takes back from a process that dies. So each process that wants a directory first
 * puts a claim into it, an empty file whose name says who it is, and then looks for those of others: of two that come
 * at once at least one sees the other. Claims of processes that are gone are removed; no name is ever used twice.
 */
interface Claim {
  /** What machine, what start of it, and what numbering of processes (containers have their own). */
  readonly host: string;
  readonly boot: string;
  readonly numbering: string;
  readonly process: number;
  /** When the process began, in the system's ticks: numbers are used again. */
  readonly started: string;
}

const CLAIM = /^lock-([0-9a-f]{8})-([0-9a-f]{8})-([0-9a-f]{8})-(\d{1,10})-(\d+)-[0-9a-f]{8}$/;

/**
 * Takes a directory for this process.
 * @returns what gives it back
 * @throws BtcError `store/locked` while another use of it goes on, in this process or another, or may go on: what runs
 *   on another machine, or in another container, cannot be known; `store/full`, `store/failed`
 */
export function lockDirectory(files: Files, directory: string): () => void {
  for (let tries = 0; ; tries++) {
    const mine = nameOf(ownClaim());
    const path = join(directory, mine);
    const release = (): void => tryTo(() => files.unlinkSync(path));
    attempt(path, () => files.closeSync(files.openSync(path, 'wx', 0o600)));
    try {
      const other = findRival(files, directory, mine);
      if (other === undefined) return release;
      release();
      if (tries === 4) throw other;
    } catch (error) {
      release();
      throw error;
    }
    // Two that came at once both stepped back: not the same moment again.
    sleep(5 + Math.random() * 45);
  }
}

function findRival(files: Files, directory: string, mine: string): BtcError | undefined {
  for (const name of attempt(directory, () => files.readdirSync(directory))) {
    const claim = claimOf(name);
    if (claim === undefined || name === mine) continue;
    const lockFile = join(directory, name);
    if (isAlive(claim)) return new BtcError('store/locked', { directory, process: claim.process, lockFile });
    tryTo(() => files.unlinkSync(lockFile));
  }
  return undefined;
}

function ownClaim(): Claim {
  return { ...whereabouts(), process: process.pid, started: startOf(process.pid) ?? '0' };
}

function whereabouts(): Pick<Claim, 'host' | 'boot' | 'numbering'> {
  return {
    host: digest(hostname()),
    boot: digest(readOr('', () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))),
    numbering: digest(readOr('', () => readlinkSync('/proc/self/ns/pid'))),
  };
}

function nameOf({ host, boot, numbering, process, started }: Claim): string {
  return `lock-${host}-${boot}-${numbering}-${process}-${started}-${randomBytes(4).toString('hex')}`;
}

function claimOf(name: string): Claim | undefined {
  const [, host, boot, numbering, number, started] = CLAIM.exec(name) ?? [];
  const isClaim = host !== undefined && boot !== undefined && numbering !== undefined && started !== undefined;
  return isClaim ? { host, boot, numbering, process: Number(number), started } : undefined;
}

/** Whether the process of a claim still runs, or may: where that cannot be known, it does. */
function isAlive(claim: Claim): boolean {
  const here = whereabouts();
  if (claim.host !== here.host) return true;
  // The machine was started anew since.
  if (claim.boot !== here.boot) return false;
  if (claim.numbering !== here.numbering) return true;
  if (!isRunning(claim.process)) return false;
  const started = startOf(claim.process);
  return started === undefined || started === claim.started;
}

function isRunning(number: number): boolean {
  try {
    process.kill(number, 0);
    return true;
  } catch (error) {
    // Another user's may not be sent a signal, but is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** When a process began, where the system tells (Linux); dead ones whose parent has not looked yet count as gone. */
function startOf(number: number): string | undefined {
  const stat = readOr('', () => readFileSync(`/proc/${number}/stat`, 'utf8'));
  // The name, in parentheses, may hold anything; after it come the state and 18 fields, then the start.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return 'gone';
  return fields[19];
}

function readOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch {
    // A system without it.
    return otherwise;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
