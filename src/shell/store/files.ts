import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { shownPath } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';
import { reasonOfCode } from '../terminal/systemReason.ts';

/** Tests pass a disk that fails. */
export interface Files {
  readonly openSync: (path: string, flags: string | number, mode?: number) => number;
  readonly closeSync: (file: number) => void;
  readonly readSync: (file: number, into: Uint8Array, offset: number, length: number, position: number) => number;
  readonly writeSync: (file: number, from: Uint8Array, offset: number, length: number, position: number) => number;
  readonly fsyncSync: (file: number) => void;
  readonly chmodSync: (path: string, mode: number) => void;
  readonly lstatSync: (path: string) => Stat;
  readonly statSync: (path: string) => Stat;
  readonly readlinkSync: (path: string) => string;
  readonly linkSync: (from: string, to: string) => void;
  readonly renameSync: (from: string, to: string) => void;
  readonly unlinkSync: (path: string) => void;
  readonly readdirSync: (path: string) => string[];
  readonly mkdirSync: (path: string, options: { readonly mode: number }) => void;
}

export const systemFiles: Files = {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
};

/** @see stat(2) */
export interface Stat {
  readonly size: number;
  readonly mode: number;
  readonly uid: number;
  readonly nlink: number;
}

export interface OpenFile {
  readonly files: Files;
  readonly path: string;
  readonly file: number;
}

const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** @throws `store/full`, `store/failed` with the system's name of the reason, e.g. `EACCES` */
export function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    if (cause instanceof BtcError) throw cause;
    throw systemFault(path, systemCode(cause));
  }
}

/** `reason`: the system's name of it, or words. */
export function systemFault(path: string, reason: string): BtcError {
  const message = `Cannot use ${shownPath(path)}: ${reasonOfCode(reason)}`;
  return new BtcError(NO_ROOM.has(reason) ? 'store/full' : 'store/failed', { path, reason }, message);
}

export function systemCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown';
}

/** For work that nothing depends on. */
export function tryTo(action: () => void): void {
  try {
    action();
  } catch {}
}

/** The system may write fewer bytes at a time. */
export function writeAll({ files, file }: OpenFile, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.length) done += files.writeSync(file, bytes, done, bytes.length - done, position + done);
}

/** Makes the names in a directory durable. Windows has no such call and needs none. */
export function syncDirectory(files: Files, directory: string): void {
  if (process.platform === 'win32') return;
  const file = files.openSync(directory, 'r');
  try {
    files.fsyncSync(file);
  } finally {
    files.closeSync(file);
  }
}

/** Creates a missing directory that only its owner may enter, durably. The one above it must be there. */
export function makeDirectory(files: Files, directory: string): void {
  try {
    files.mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return;
    if (systemCode(error) === 'ENOENT')
      throw systemFault(directory, 'the directory above it is missing: create it first');
    throw error;
  }
  // Not every owner of a directory may read the one above it.
  tryTo(() => syncDirectory(files, dirname(directory)));
}
