import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { shownPath } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';
import { attempt, type Files, tryTo } from './files.ts';
import { type LockSystem, processSystem, UNKNOWN, type Whereabouts } from './lockSystem.ts';

/**
 * The claim of a process on a directory. Node has no file locks, so each process first puts its claim there, a socket
 * on which it listens and whose name identifies the process, and then looks for others: of two processes that start
 * at once, at least one sees the other. Where sockets cannot be created, the claim is an empty file.
 */
interface Claim extends Whereabouts {
  readonly process: number;
  /** Start time in system ticks: process numbers are reused. */
  readonly started: string;
}

const CLAIM = /^lock-([0-9a-f]{8})-([0-9a-f]{8})-([0-9a-f]{8})-(\d{1,10})-(\d+)-[0-9a-f]{8}$/;

/**
 * Locks a directory for this process.
 * @returns a function that unlocks it
 * @throws `store/locked` while a process uses it or may use it, on another machine or in another container;
 *   `store/full`, `store/failed`
 */
export function lockDirectory(files: Files, directory: string, system: LockSystem = processSystem): () => void {
  for (let tries = 0; ; tries++) {
    const mine = claimName(ownClaim(system));
    const release = putClaim(files, join(directory, mine), system);
    try {
      const other = findRival(files, directory, { mine, system });
      if (other === undefined) return release;
      release();
      if (tries === 4) throw other;
    } catch (error) {
      release();
      throw error;
    }
    // Two processes that started at once have both released their claims, and wait for different times.
    sleep(5 + Math.random() * 45);
  }
}

function putClaim(files: Files, path: string, system: LockSystem): () => void {
  const close = system.listen(path);
  if (!close) attempt(path, () => files.closeSync(files.openSync(path, 'wx', 0o600)));
  return () => {
    tryTo(() => files.unlinkSync(path));
    close?.();
  };
}

function findRival(
  files: Files,
  directory: string,
  { mine, system }: { readonly mine: string; readonly system: LockSystem },
): BtcError | undefined {
  for (const name of attempt(directory, () => files.readdirSync(directory))) {
    const claim = parseClaim(name);
    if (claim === undefined || name === mine) continue;
    const lockFile = join(directory, name);
    if (isAlive(claim, lockFile, system)) {
      return locked(directory, claim.process, lockFile);
    }
    tryTo(() => files.unlinkSync(lockFile));
  }
  return undefined;
}

function locked(directory: string, process: number, lockFile: string): BtcError {
  const [place, name] = [shownPath(directory), basename(lockFile)];
  const message = `${place} is in use by process ${process}: end it first, or if it ended on another machine, remove ${name}`;
  return new BtcError('store/locked', { directory, process, lockFile }, message);
}

function ownClaim(system: LockSystem): Claim {
  return { ...system.whereabouts(), process: system.process, started: system.startTime(system.process) ?? '0' };
}

function claimName({ host, boot, numbering, process, started }: Claim): string {
  return `lock-${host}-${boot}-${numbering}-${process}-${started}-${randomBytes(4).toString('hex')}`;
}

function parseClaim(name: string): Claim | undefined {
  const [, host, boot, numbering, number, started] = CLAIM.exec(name) ?? [];
  const isClaim = host !== undefined && boot !== undefined && numbering !== undefined && started !== undefined;
  return isClaim ? { host, boot, numbering, process: Number(number), started } : undefined;
}

/** Returns true if in doubt. */
function isAlive(claim: Claim, lockFile: string, system: LockSystem): boolean {
  const here = system.whereabouts();
  const isSameHost = claim.host === here.host;
  const isSameBoot = claim.boot === here.boot;
  // A host may be renamed, and each container numbers its own processes.
  const isNumbered = isSameBoot && claim.numbering === here.numbering && (here.numbering !== UNKNOWN || isSameHost);
  const fate = isNumbered ? processFate(claim, system) : 'unknown';
  if (fate === 'running') return true;
  // A process that was migrated or restored keeps its socket, but neither its number nor its start time.
  const listener = system.probe(lockFile);
  if (listener === 'listening') return true;
  if (fate === 'gone' || (listener === 'refused' && system.isLocal(dirname(lockFile)))) return false;
  return isSameBoot || !isSameHost;
}

function processFate({ process, started }: Claim, system: LockSystem): 'running' | 'gone' | 'unknown' {
  if (!system.isRunning(process)) return 'gone';
  const start = system.startTime(process);
  if (start === undefined) return 'unknown';
  return start === started ? 'running' : 'gone';
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
