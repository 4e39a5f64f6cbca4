import { rmSync, writeFileSync } from 'node:fs';
import { systemCode } from '../store/files.ts';
import { reasonOfCode } from '../terminal/systemReason.ts';
import { InitError } from './initError.ts';

/**
 * Writes the number of this process. @returns a function that removes the file
 * @throws InitError
 */
export function writePidFile(path: string): () => void {
  try {
    writeFileSync(path, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    throw new InitError(`Unable to create the PID file '${path}': ${reasonOfCode(systemCode(error))}`);
  }
  return () => rmSync(path, { force: true });
}
