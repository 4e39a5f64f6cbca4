import { createReadStream, promises, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { shownPath } from '../../core/encoding/redaction.ts';
import { writeReason } from './systemReason.ts';
import { UsageError } from './usageError.ts';

export async function exists(path: string): Promise<boolean> {
  return promises.lstat(path).then(
    () => true,
    () => false,
  );
}

/** Larger reads would keep signals and timers waiting. */
const MOST_AT_ONCE = 1 << 20;

/** Avoids Node's streams for small files, since their code takes long to load. */
export async function* readFile(path: string): AsyncIterable<Uint8Array> {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() && stat.size <= MOST_AT_ONCE) yield readFileSync(path);
  else yield* createReadStream(path);
}

/** Renames a temporary file once it is on disk, so that no reader and no crash sees half a file. */
export async function writeFile(
  path: string,
  content: Uint8Array,
  { overwrites }: { readonly overwrites: boolean },
): Promise<void> {
  if (overwrites && !(await isReplaceable(path))) {
    throw new UsageError(`${shownPath(path)} is not a regular file, and was not replaced: name another file`);
  }
  const temporary = `${path}.${Buffer.from(crypto.getRandomValues(new Uint8Array(4))).toString('hex')}.tmp`;
  try {
    const file = await promises.open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await (overwrites ? promises.rename(temporary, path) : renameNew(temporary, path));
    await syncDirectory(dirname(path));
  } catch (error) {
    const safePath = shownPath(path);
    if (hasCode(error, 'EEXIST')) throw new UsageError(`${safePath} exists: pass --force to replace it`);
    throw new UsageError(`cannot write ${safePath}: ${writeReason(error, 'unknown error')}`);
  } finally {
    await promises.rm(temporary, { force: true });
  }
}

/** Returns false for devices, pipes, links and directories. */
async function isReplaceable(path: string): Promise<boolean> {
  return promises.lstat(path).then(
    (stat) => stat.isFile(),
    () => true,
  );
}

/** Makes renames durable where the system can. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await promises.open(path, 'r').catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}

/** Links the file, which fails if the name is taken. File systems without links (memory cards) need a check first. */
async function renameNew(from: string, to: string): Promise<void> {
  try {
    await promises.link(from, to);
  } catch (error) {
    if (hasCode(error, 'EEXIST') || (await exists(to))) throw Object.assign(new Error('exists'), { code: 'EEXIST' });
    await promises.rename(from, to);
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
