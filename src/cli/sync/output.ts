import { open, rm } from 'node:fs/promises';
import { withoutSecrets } from '../../text/secrets.ts';
import type { Io } from '../io.ts';
import { writeReason } from '../systemReason.ts';
import { SyncFault } from './fault.ts';

/** Where lines go. */
interface Output {
  readonly write: (text: string) => Promise<void>;
  /** Removes the file if nothing was written: it would stand in the way of the next try. */
  readonly giveUp: () => Promise<void>;
  /** Resolves when all of it is durable. */
  readonly close: () => Promise<void>;
}

/**
 * Makes a file for lines, or takes standard output for `-`. One that is there already is left as it is.
 * @throws SyncFault
 */
export async function openOutput(path: string, io: Io): Promise<Output> {
  const nothing = async (): Promise<void> => undefined;
  if (path === '-') return { write: io.writeOut, giveUp: nothing, close: nothing };
  const failed = (error: unknown): never => {
    throw new SyncFault(`cannot write ${withoutSecrets(path)}: ${writeReason(error, 'unwritable')}`);
  };
  const file = await open(path, 'wx').catch(failed);
  let isEmpty = true;
  return {
    write: async (text) => {
      isEmpty = false;
      await file.appendFile(text).catch(failed);
    },
    giveUp: async () => {
      if (isEmpty) await rm(path, { force: true });
    },
    close: async () => {
      await file.sync().catch(failed);
      await file.close();
    },
  };
}
