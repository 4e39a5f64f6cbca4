import { setTimeout as sleep } from 'node:timers/promises';
import type PgBoss from 'pg-boss';

export interface JobQueue {
  readonly name: string;
  readonly boss: Pick<PgBoss, 'fetch' | 'complete'>;
}

/** In order. */
export type AnswerRequests = (requests: readonly string[]) => Promise<readonly string[]>;

export interface QueueSettings {
  /** Groups at a time. */
  readonly lanes: number;
  /** Most jobs of a group. */
  readonly group: number;
  /** Milliseconds between looks into an empty queue. */
  readonly pause: number;
  /** The jobs in question are repeated later. */
  readonly onFault: (error: unknown) => void;
  readonly stop: AbortSignal;
}

/**
 * Answers jobs until `stop`, then finishes those that were begun. Returns their number.
 *
 * A job is `{ request }`, a JSON-RPC text; its output is `{ answer }`. Only an active job takes an output: the first of
 * two answers stays.
 */
export async function answerQueuedJobs(
  { name, boss }: JobQueue,
  answer: AnswerRequests,
  { lanes, group, pause, onFault, stop }: QueueSettings,
): Promise<number> {
  let count = 0;
  const answerGroup = async (): Promise<number> => {
    const jobs = await boss.fetch(name, { batchSize: group });
    const answers = await answer(jobs.map(({ data }) => requestIn(data)));
    await Promise.all(jobs.map(({ id }, i) => boss.complete(name, id, { answer: answers[i] })));
    return jobs.length;
  };
  const runLane = async (): Promise<void> => {
    while (!stop.aborted) {
      const done = await answerGroup().catch((error: unknown) => {
        onFault(error);
        return 0;
      });
      count += done;
      // An aborted sleep only ends earlier.
      if (done === 0) await sleep(pause, undefined, { signal: stop }).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
  return count;
}

/** Returns the empty text without a request; its answer is a parse error. */
function requestIn(data: unknown): string {
  const request = typeof data === 'object' && data !== null && 'request' in data ? data.request : undefined;
  return typeof request === 'string' ? request : '';
}
