import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const CHANGES = ['writeSync', 'fsyncSync', 'fdatasyncSync', 'ftruncateSync', 'unlinkSync', 'rmSync'] as const;

/** Calls `look` before each call of the system that changes a file or syncs it, SQLite's too: a process may be killed there. */
export function atEachKillPoint(look: () => void, work: () => void): void {
  const originals = Object.fromEntries(CHANGES.map((name) => [name, fs[name]]));
  let isLooking = false;
  const watched = (call: (...args: never[]) => unknown) => {
    return (...args: never[]): unknown => {
      if (isLooking) return call(...args);
      isLooking = true;
      look();
      isLooking = false;
      return call(...args);
    };
  };
  Object.assign(fs, Object.fromEntries(CHANGES.map((name) => [name, watched(fs[name] as never)])));
  syncBuiltinESMExports();
  try {
    work();
  } finally {
    Object.assign(fs, originals);
    syncBuiltinESMExports();
  }
}
