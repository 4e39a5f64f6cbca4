import type { NodeRpc } from '../../node/createNodeRpc.ts';
import { parseCount } from '../server/endpoints.ts';
import type { Io } from '../terminal/io.ts';
import type { WorkerPool, WorkerSettings } from '../workers/workerPool.ts';

const MAX_THREADS = 256;

/** Defaults to one thread per core. */
export function threadCount(
  option: '--jobs' | '--workers',
  text: string | undefined,
  { program, cores, writeError }: Pick<Io, 'program' | 'cores' | 'writeError'>,
): number {
  const least = option === '--jobs' ? 1 : 0;
  const count = text === undefined ? cores : parseCount(text, { option, least, most: MAX_THREADS });
  if (count > cores) writeError(`note: ${option} ${count}, on a machine with ${cores} cores\n`);
  return program === undefined ? least : count;
}

export async function openPool(
  { context: { network, dialect, bytesPerSigOp } }: Pick<NodeRpc, 'context'>,
  { size, ...more }: { readonly size: number } & Pick<WorkerSettings, 'arithmetic' | 'whitelist'>,
  { program = '' }: Pick<Io, 'program'>,
): Promise<WorkerPool> {
  const { openWorkerPool } = await import('../workers/workerPool.ts');
  return openWorkerPool(program, size, {
    ...{ network, dialect: dialect.name, bytesPerSigOp },
    ...more,
  });
}
