import { withoutSecrets } from '../encoding/redaction.ts';
import type { Io } from './io.ts';
import { systemReason } from './systemReason.ts';
import { UsageError } from './usageError.ts';

/** The most bytes read from a file or from standard input: Core's limit for a PSBT file. */
const MAX_INPUT = 100_000_000;

/** Reads the file that an option names. @throws UsageError, which begins with the option, as {@link readInput} does */
export async function readNamedFile(option: string, path: string, io: Io): Promise<Uint8Array> {
  try {
    return await readInput(path, io.readFile(path));
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${option}: ${error.message}`) : error;
  }
}

/**
 * Reads a stream to its end.
 * @throws UsageError if it cannot be read, is empty (as is a closed standard input) or is too large
 */
export async function readInput(name: string, input: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of input) {
      size += chunk.length;
      if (size > MAX_INPUT) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new UsageError(`cannot read ${withoutSecrets(name)}: ${systemReason(error, 'unknown error')}`);
  }
  if (size > MAX_INPUT) throw new UsageError(`${withoutSecrets(name)} is larger than ${MAX_INPUT} bytes`);
  if (size === 0) throw new UsageError(`${withoutSecrets(name)} is empty`);
  return Buffer.concat(chunks);
}
