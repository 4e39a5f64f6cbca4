import { createHash } from 'node:crypto';
import { chmodSync, closeSync, lstatSync, openSync, readFileSync, readlinkSync, statfsSync, unlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { basename, dirname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** `refused`: the kernel has closed the socket. */
export type Listener = 'listening' | 'refused' | 'unknown';

/** Digests of the host name, the boot id, and the process and time namespaces. */
export interface Whereabouts {
  readonly host: string;
  readonly boot: string;
  readonly numbering: string;
}

export interface LockSystem {
  readonly process: number;
  readonly whereabouts: () => Whereabouts;
  readonly isRunning: (process: number) => boolean;
  /** In system ticks; `undefined` if the system does not say. */
  readonly startTime: (process: number) => string | undefined;
  /**
   * Listens on a new socket while this process lives.
   * @returns a function that closes it; `undefined` without sockets
   */
  readonly listen: (path: string) => (() => void) | undefined;
  readonly probe: (path: string) => Listener;
  /** Returns false if other machines may use the file system, too. */
  readonly isLocal: (directory: string) => boolean;
}

export const processSystem: LockSystem = {
  process: process.pid,
  whereabouts: () => ({
    host: digest(hostname()),
    boot: digest(readOr('', () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))),
    // Each time namespace counts start times from its own epoch.
    numbering: digest(['pid', 'time'].map((kind) => readOr('', () => readlinkSync(`/proc/self/ns/${kind}`))).join('')),
  }),
  isRunning,
  startTime,
  listen: (path) => readOr(undefined, () => listen(path)),
  probe: (path) => readOr('unknown', () => probe(path)),
  isLocal: (directory) => process.platform === 'linux' && readOr(false, () => LOCAL.has(statfsSync(directory).type)),
};

/** On systems without namespaces. */
export const UNKNOWN: string = digest('');

/** By `f_type` of statfs(2). */
const LOCAL: ReadonlySet<number> = new Set([
  0xef53, // ext2 to ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0x01021994, // tmpfs
  0x858458f6, // ramfs
  0x794c7630, // overlay
  0xf2f52010, // f2fs
  0x2fc12fc1, // zfs
  0xca451a4e, // bcachefs
]);

function isRunning(number: number): boolean {
  try {
    process.kill(number, 0);
    return true;
  } catch (error) {
    // EPERM: the process runs, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Zombies count as gone. */
function startTime(number: number): string | undefined {
  const stat = readOr('', () => readFileSync(`/proc/${number}/stat`, 'utf8'));
  // The name, in parentheses, may hold any character; the state, 18 fields, and the start time follow.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return 'gone';
  return fields[19];
}

/** In bytes; on Linux, /proc/self/fd gives a short path into any open directory. */
const MOST_PATH = 100;

function withShortPath<R>(path: string, use: (short: string) => R): R {
  if (process.platform !== 'linux') {
    if (Buffer.byteLength(path) > MOST_PATH) throw new RangeError('the path is too long for a socket');
    return use(path);
  }
  const directory = openSync(dirname(path), 'r');
  try {
    return use(`/proc/self/fd/${directory}/${basename(path)}`);
  } finally {
    closeSync(directory);
  }
}

/** The kernel answers probes for the process, and stops when the process dies. */
function listen(path: string): (() => void) | undefined {
  const server = createServer((socket) => socket.destroy());
  // A failure shows at once in `listening`; this event comes later.
  server.on('error', () => undefined);
  withShortPath(path, (short) => server.listen({ path: short, exclusive: true }));
  if (!server.listening) return undefined;
  server.unref();
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    server.close();
    withShortPath(path, (short) => unlinkSync(short));
    throw error;
  }
  return () => void server.close();
}

/** In milliseconds. */
const MOST_WAIT = 5000;
const ANSWERS: readonly Listener[] = ['unknown', 'listening', 'refused'];

/** Connects in a worker thread, because node:net cannot wait synchronously. */
const PROBE = `
const { workerData } = require('node:worker_threads');
const answer = new Int32Array(workerData.answer);
const say = (value) => {
  Atomics.store(answer, 0, value);
  Atomics.notify(answer, 0);
  process.exit();
};
require('node:net')
  .connect(workerData.path, () => say(2))
  .on('error', ({ code }) => say(code === 'ECONNREFUSED' ? 3 : code === 'EAGAIN' ? 2 : 1));
`;

function probe(path: string): Listener {
  // A path that is not a socket refuses connections, too.
  if (process.platform === 'win32' || !lstatSync(path).isSocket()) return 'unknown';
  const shared = new SharedArrayBuffer(4);
  const answer = new Int32Array(shared);
  return withShortPath(path, (short) => {
    const worker = new Worker(PROBE, { eval: true, execArgv: [], workerData: { path: short, answer: shared } });
    worker.on('error', () => undefined);
    worker.unref();
    Atomics.wait(answer, 0, 0, MOST_WAIT);
    void worker.terminate();
    return ANSWERS[Atomics.load(answer, 0) - 1] ?? 'unknown';
  });
}

function readOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
