import { open, rm } from 'node:fs/promises';
import { shownPath } from '../../core/encoding/redaction.ts';
import type { Io } from '../terminal/io.ts';
import { writeReason } from '../terminal/systemReason.ts';
import { SyncFault } from './sourceAndSink.ts';

interface Output {
  readonly write: (text: string) => Promise<void>;
  /** Removes an empty file, which would stop the next attempt. */
  readonly giveUp: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Never overwrites a file; `-` is standard output. */
export async function openOutput(path: string, io: Io): Promise<Output> {
  const doNothing = async (): Promise<void> => undefined;
  if (path === '-') return { write: io.writeOut, giveUp: doNothing, close: doNothing };
  const failed = (error: unknown): never => {
    throw new SyncFault(`cannot write ${shownPath(path)}: ${writeReason(error, 'unknown error')}`);
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
