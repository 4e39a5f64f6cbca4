import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { append } from '../../core/bytes/groups.ts';
import { formatHex } from '../../core/bytes/hex.ts';
import { shownPath } from '../../core/encoding/redaction.ts';
import type { Network } from '../../core/network/networks.ts';
import { HEADER_SIZE, readHeaderHashes } from '../../node/chain/block.ts';
import { systemReason } from '../terminal/systemReason.ts';
import { SyncFault } from './sourceAndSink.ts';
import type { Entry } from './textFile.ts';

const PREFIX_SIZE = 8;
/** @see Bitcoin Core `MAX_SIZE` */
const MAX_BLOCK = 0x02000000;
const KEY_SIZE = 8;

/** `previous` is in display byte order. */
interface Place {
  readonly file: number;
  readonly offset: number;
  readonly size: number;
  readonly previous: string;
}

/** In file order, with the fault that ended the reading early. */
interface Found {
  readonly places: ReadonlyMap<string, Place>;
  readonly fault: SyncFault | undefined;
}

interface BlockFile {
  readonly path: string;
  readonly handle: FileHandle;
  readonly size: number;
  /** XOR key; may be empty. @see Bitcoin Core 28 `-blocksxor` */
  readonly key: Uint8Array;
}

/**
 * Reads `blk*.dat` files, parents before children, although the files are in order of arrival.
 *
 * - `network`: its magic precedes each block; without one, that of the first block must
 * - `keyFile`: XOR key to use instead of the `xor.dat` next to each file
 *
 * @throws SyncFault after yielding the blocks before the fault
 */
export async function* readBlockFiles(
  paths: readonly string[],
  { network, keyFile }: { readonly network: Pick<Network, 'magic'>; readonly keyFile: string | undefined },
): AsyncGenerator<Entry> {
  const files: BlockFile[] = [];
  try {
    for (const path of paths) files.push(await openBlockFile(path, keyFile));
    const { places, fault } = await findBlocks(files, network.magic);
    for (const place of inOrder(places)) {
      const file = files[place.file];
      if (!file) continue;
      const hex = formatHex(await readAt(file, place.offset, place.size));
      yield { kind: 'block', hex, at: `${shownPath(file.path)} offset ${place.offset}` };
    }
    if (fault) throw fault;
  } finally {
    for (const { handle } of files) await handle.close();
  }
}

async function openBlockFile(path: string, keyFile: string | undefined): Promise<BlockFile> {
  const key = await readKey(keyFile ?? join(dirname(path), 'xor.dat'), keyFile !== undefined);
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const { size } = await handle.stat();
  return { path, handle, size, key };
}

async function readKey(path: string, isNamed: boolean): Promise<Uint8Array> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    // Nodes before 28 have no such file.
    if (!isNamed && error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Uint8Array(0);
    throw unreadable(path, error);
  }
  try {
    const { size } = await handle.stat();
    if (size !== KEY_SIZE)
      throw new SyncFault(`${shownPath(path)} is not an XOR key: it has ${size} bytes, not ${KEY_SIZE}`);
    return await readAt({ path, handle, size, key: new Uint8Array(0) }, 0, KEY_SIZE);
  } finally {
    await handle.close();
  }
}

function unreadable(path: string, error: unknown): SyncFault {
  return new SyncFault(`cannot read ${shownPath(path)}: ${systemReason(error, 'unknown error')}`);
}

/** Returns fewer bytes at the end of the file. */
async function readRaw({ path, handle }: BlockFile, offset: number, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let done = 0;
  while (done < size) {
    const { bytesRead } = await handle.read(bytes, done, size - done, offset + done).catch((error: unknown) => {
      throw unreadable(path, error);
    });
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

async function readAt(file: BlockFile, offset: number, size: number): Promise<Uint8Array> {
  const raw = await readRaw(file, offset, size);
  return raw.length < size ? raw : deobfuscate(raw, offset, file.key);
}

function deobfuscate(bytes: Buffer, offset: number, key: Uint8Array): Uint8Array {
  if (key.length === 0) return bytes;
  return bytes.map((byte, i) => byte ^ (key[(offset + i) % key.length] ?? 0));
}

async function findBlocks(files: readonly BlockFile[], networkMagic: string | undefined): Promise<Found> {
  const places = new Map<string, Place>();
  let magic = networkMagic;
  for (const [number, file] of files.entries()) {
    for (let at = 0; at < file.size; ) {
      const head = await readRaw(file, at, PREFIX_SIZE + HEADER_SIZE);
      // Nodes preallocate the files, which end with zeros.
      if (isPadding(head)) break;
      const record = parseRecord(deobfuscate(head, at, file.key), magic);
      const where = `${shownPath(file.path)} offset ${at}`;
      if (typeof record === 'string') return { places, fault: new SyncFault(`${where}: ${record}`) };
      const offset = at + PREFIX_SIZE;
      const isWhole = offset + record.size <= file.size;
      if (!isWhole) {
        const available = Math.max(file.size - offset, 0);
        const fault = new SyncFault(`${where}: block truncated after ${available} of ${record.size} bytes`);
        return { places, fault };
      }
      magic = record.magic;
      const { hash, previous, size } = record;
      if (!places.has(hash)) places.set(hash, { file: number, offset, size, previous });
      at = offset + size;
    }
  }
  return { places, fault: undefined };
}

const isPadding = (raw: Buffer): boolean => raw.subarray(0, PREFIX_SIZE).every((byte) => byte === 0);

/** Returns a fault as text. */
function parseRecord(
  head: Uint8Array,
  expectedMagic: string | undefined,
): { readonly magic: string; readonly size: number; readonly hash: string; readonly previous: string } | string {
  if (head.length < PREFIX_SIZE + HEADER_SIZE) return `block header truncated after ${head.length} bytes`;
  const magic = formatHex(head.subarray(0, 4));
  if (expectedMagic !== undefined && magic !== expectedMagic) {
    return `begins with ${magic}, not ${expectedMagic}: it is from another network, damaged, or obfuscated and its xor.dat is missing`;
  }
  const size = new DataView(head.buffer, head.byteOffset).getUint32(4, true);
  if (size <= HEADER_SIZE || size > MAX_BLOCK) return `impossible block size of ${size} bytes`;
  return { magic, size, ...readHeaderHashes(head.subarray(PREFIX_SIZE)) };
}

function* inOrder(places: ReadonlyMap<string, Place>): Generator<Place> {
  const children = new Map<string, string[]>();
  for (const [hash, { previous }] of places) append(children, previous, hash);
  for (const [root, { previous }] of places) if (!places.has(previous)) yield* withDescendants(root, places, children);
}

function* withDescendants(
  root: string,
  places: ReadonlyMap<string, Place>,
  children: ReadonlyMap<string, readonly string[]>,
): Generator<Place> {
  for (let level: readonly string[] = [root]; level.length > 0; ) {
    yield* level.map((hash) => places.get(hash)).filter((place) => place !== undefined);
    level = level.flatMap((hash) => children.get(hash) ?? []);
  }
}
