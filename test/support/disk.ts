import type { Files, Stat } from '../../src/shell/store/files.ts';

/** A file: its bytes as readers see them, and the bytes that are sure to survive a power loss. */
interface Node {
  readonly ino: number;
  bytes: Buffer;
  durable: Buffer;
}

/** A simulated disk with one directory, which can lose unsynced data in a power loss and fail on demand. */
export interface Disk {
  readonly files: Files;
  /** Makes the n-th call from now on that changes or syncs something fail; a failing write may write some bytes. */
  readonly failAt: (calls: number, code: string, isLasting?: boolean) => void;
  /** Counts the calls so far that change or sync something. */
  readonly changes: () => number;
  /** Cuts the power: keeps or loses unsynced data, sector by sector. */
  readonly losePower: () => void;
  /** Removes the locks of processes, as if they had ended. */
  readonly forgetLocks: () => void;
  readonly names: () => readonly string[];
  /** Creates a durable file. */
  readonly put: (path: string, bytes: Buffer) => void;
  readonly read: (path: string) => Buffer;
  /** Returns everything that a reader of the raw disk could find. */
  readonly raw: () => string;
}

/** The disk's directory, or a directory above it. */
type Directory = 'directory' | 'elsewhere';

const SECTOR = 16;

export function makeDisk(directory: string, random: () => number): Disk {
  let names = new Map<string, Node>();
  let durableNames = new Map<string, Node>();
  const nodes: Node[] = [];
  const handles = new Map<number, Node | Directory>();
  let nextHandle = 3;
  let count = 0;
  let failure = { at: Number.POSITIVE_INFINITY, code: 'EIO', isLasting: false };

  const systemError = (code: string): Error => Object.assign(new Error(code), { code });
  const isFailing = (): boolean => {
    count += 1;
    if (count === failure.at || (failure.isLasting && count > failure.at)) return true;
    return false;
  };
  const change = (): void => {
    if (isFailing()) throw systemError(failure.code);
  };
  const own = { uid: process.geteuid?.() ?? 0 };
  const statOf = (node: Node): Stat => ({
    ...own,
    size: node.bytes.length,
    ino: node.ino,
    mode: 0o100600,
    nlink: [...names.values()].filter((other) => other === node).length,
  });
  const statAt = (path: string): Stat =>
    directory.startsWith(path) ? { ...own, size: 0, ino: 0, mode: 0o040700, nlink: 1 } : statOf(nodeOf(path));
  const nodeOf = (path: string): Node => {
    const node = names.get(path);
    if (node === undefined) throw systemError('ENOENT');
    return node;
  };
  const handleOf = (file: number): Node => {
    const node = handles.get(file);
    if (node === undefined || typeof node === 'string') throw systemError('EBADF');
    return node;
  };
  const open = (entry: Node | Directory): number => {
    handles.set(nextHandle, entry);
    return nextHandle++;
  };
  const make = (path: string): Node => {
    if (names.has(path)) throw systemError('EEXIST');
    change();
    const node = { ino: nodes.length + 1, bytes: Buffer.alloc(0), durable: Buffer.alloc(0) };
    nodes.push(node);
    names.set(path, node);
    return node;
  };
  const write = (node: Node, bytes: Uint8Array, position: number): void => {
    const end = position + bytes.length;
    const grown = Buffer.alloc(Math.max(end, node.bytes.length));
    node.bytes.copy(grown);
    grown.set(bytes, position);
    node.bytes = grown;
  };

  const sync = (entry: Node | Directory | undefined): void => {
    if (entry === 'directory') durableNames = new Map(names);
    else if (typeof entry === 'object') entry.durable = Buffer.from(entry.bytes);
  };

  const files: Files = {
    openSync: (path, flags) => {
      if (typeof flags === 'string' && flags.startsWith('wx')) return open(make(path));
      if (path === directory) return open('directory');
      return open(directory.startsWith(path) ? 'elsewhere' : nodeOf(path));
    },
    closeSync: (file) => void handles.delete(file),
    readSync: (file, into, offset, length, position) =>
      handleOf(file).bytes.copy(into, offset, position, position + length),
    writeSync: (file, from, offset, length, position) => {
      const node = handleOf(file);
      // A system may write fewer bytes than requested.
      const written = random() < 0.2 ? Math.ceil(random() * length) : length;
      if (isFailing()) {
        write(node, from.subarray(offset, offset + Math.floor(random() * length)), position);
        throw systemError(failure.code);
      }
      write(node, from.subarray(offset, offset + written), position);
      return written;
    },
    fsyncSync: (file) => {
      const isFailed = isFailing();
      // A failed sync may have synced the data all the same.
      if (!isFailed || random() < 0.5) sync(handles.get(file));
      if (isFailed) throw systemError(failure.code);
    },
    ftruncateSync: (file, size) => {
      change();
      const node = handleOf(file);
      node.bytes = Buffer.from(node.bytes.subarray(0, size));
    },
    fchmodSync: () => undefined,
    fstatSync: (file) => statOf(handleOf(file)),
    lstatSync: statAt,
    statSync: statAt,
    readlinkSync: () => {
      throw systemError('EINVAL');
    },
    linkSync: (from, to) => {
      change();
      if (names.has(to)) throw systemError('EEXIST');
      names.set(to, nodeOf(from));
    },
    renameSync: (from, to) => {
      change();
      names.set(to, nodeOf(from));
      names.delete(from);
    },
    unlinkSync: (path) => {
      nodeOf(path);
      change();
      names.delete(path);
    },
    readdirSync: () => [...names.keys()].map((path) => path.slice(path.lastIndexOf('/') + 1)),
    mkdirSync: () => undefined,
  };

  const settle = (node: Node): void => {
    const { bytes, durable } = node;
    const least = Math.min(bytes.length, durable.length);
    const most = Math.max(bytes.length, durable.length);
    const size = [least, most, least + Math.floor(random() * (most - least))][Math.floor(random() * 3)] ?? 0;
    const settled = Buffer.alloc(bytes.equals(durable) ? bytes.length : size);
    for (let at = 0; at < settled.length; at += SECTOR) {
      const from = random() < 0.5 ? bytes : durable;
      settled.set(from.subarray(at, Math.min(at + SECTOR, settled.length)), at);
    }
    node.bytes = settled;
    node.durable = Buffer.from(settled);
  };
  return {
    files,
    failAt: (calls, code, isLasting = false) => {
      failure = { at: count + calls, code, isLasting };
    },
    changes: () => count,
    losePower: () => {
      // Directory changes survive all together or not at all: renames are atomic.
      if (random() < 0.5) names = new Map(durableNames);
      durableNames = new Map(names);
      for (const node of new Set(names.values())) settle(node);
      handles.clear();
      failure = { at: Number.POSITIVE_INFINITY, code: '', isLasting: false };
    },
    forgetLocks: () => {
      for (const table of [names, durableNames]) {
        for (const path of table.keys()) if (path.includes('lock-')) table.delete(path);
      }
    },
    names: () => [...names.keys()],
    put: (path, bytes) => {
      const node = { ino: nodes.length + 1, bytes, durable: bytes };
      nodes.push(node);
      names.set(path, node);
      durableNames.set(path, node);
    },
    read: (path) => nodeOf(path).bytes,
    raw: () => nodes.map((node) => node.bytes.toString('latin1')).join('\n'),
  };
}

/** Creates a generator of numbers in [0, 1) that is reproducible by its seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
