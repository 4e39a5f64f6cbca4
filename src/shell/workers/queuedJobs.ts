import { setTimeout as sleep } from 'node:timers/promises';
import type PgBoss from 'pg-boss';

/** A queue of jobs: requests as producers have sent them, and their answers. */
export interface JobQueue {
  readonly name: string;
  readonly boss: Pick<PgBoss, 'fetch' | 'complete'>;
}

/** Answers requests, JSON-RPC as text, in their order. */
export type AnswerRequests = (requests: readonly string[]) => Promise<readonly string[]>;

/** Options of a process that takes jobs. */
export interface QueueSettings {
  /** Groups of jobs that are answered at once. */
  readonly lanes: number;
  /** The most jobs in a group. */
  readonly group: number;
  /** The milliseconds between two looks into an empty queue. */
  readonly pause: number;
  /** Called when the queue could not be used; the jobs in question are done again later. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Answers jobs until `stop`; then finishes those that were begun.
 *
 * A job is the object `{ request }`, the text of a JSON-RPC request or of an array of them; its output becomes
 * `{ answer }`, the text of the answer. Only a job that is still active takes an output: where a slow process and the one
 * that repeats its job both answer, the first answer stays, and the other is the same.
 *
 * @returns how many jobs were answered
 */
export async function answerQueuedJobs(
  { name, boss }: JobQueue,
  answer: AnswerRequests,
  { lanes, group, pause, onFault }: QueueSettings,
  stop: AbortSignal,
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

/** Returns the request of a job. Without one, it is the empty text, which is answered with a parse error. */
function requestIn(data: unknown): string {
  const request = typeof data === 'object' && data !== null && 'request' in data ? data.request : undefined;
  return typeof request === 'string' ? request : '';
}
