import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

export interface FullDisk {
  /** Lets only so many more writes succeed, and syncs, which otherwise always do. */
  readonly fill: (room: number, countsSyncs?: boolean) => void;
  readonly free: () => void;
}

/** Makes the disk of this thread fail on demand, for SQLite, too. */
export function fullDisk(): FullDisk {
  const { writeSync, fsyncSync, fdatasyncSync, statfsSync } = fs;
  const set = (functions: object): void => {
    Object.assign(fs, functions);
    syncBuiltinESMExports();
  };
  return {
    fill: (room, countsSyncs = false) => {
      let left = room;
      const fail = (): never => {
        throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      };
      set({
        writeSync: (file: number, from: Uint8Array, offset: number, length: number, position: number) => {
          if (--left >= 0) return writeSync(file, from, offset, length, position);
          // A part may still fit.
          writeSync(file, from, offset, Math.floor(length / 2), position);
          return fail();
        },
        fsyncSync: (file: number) => (countsSyncs && --left < 0 ? fail() : fsyncSync(file)),
        fdatasyncSync: (file: number) => (countsSyncs && --left < 0 ? fail() : fdatasyncSync(file)),
        statfsSync: () => ({ bavail: 0 }),
      });
    },
    free: () => set({ writeSync, fsyncSync, fdatasyncSync, statfsSync }),
  };
}
