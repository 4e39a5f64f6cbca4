import { open } from 'node:fs/promises';
import type { Io } from '../io.ts';
import { writeReason } from '../systemReason.ts';
import { SyncFault } from './fault.ts';

/** Where lines go. */
interface Output {
  readonly write: (text: string) => Promise<void>;
  /** Resolves when all of it is durable. */
  readonly close: () => Promise<void>;
}

/**
 * Makes a file for lines, or takes standard output for `-`. One that is there already is left as it is.
 * @throws SyncFault
 */
export async function openOutput(path: string, io: Io): Promise<Output> {
  if (path === '-') return { write: io.writeOut, close: async () => undefined };
  const failed = (error: unknown): never => {
    throw new SyncFault(`cannot write ${path}: ${writeReason(error, 'unwritable')}`);
  };
  const file = await open(path, 'wx').catch(failed);
  return {
    write: async (text) => {
      await file.appendFile(text).catch(failed);
    },
    close: async () => {
      await file.sync().catch(failed);
      await file.close();
    },
  };
}
