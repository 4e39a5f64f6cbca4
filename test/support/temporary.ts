import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Makes a directory that goes once the tests of the file, or of the `describe` around the call, have ended. */
export function temporaryDirectory(within: string = tmpdir()): string {
  const directory = mkdtempSync(join(within, 'countersign-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/**
 * Makes a temporary directory for paths that do not exist yet. @returns a function that gives another path each time
 */
export function temporaryPaths(): () => string {
  const root = temporaryDirectory();
  let count = 0;
  return () => join(root, String(count++));
}
