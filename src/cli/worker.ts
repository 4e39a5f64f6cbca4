import { workerData } from 'node:worker_threads';
import workerpool from 'workerpool';
import { createJobs } from '../workers/jobs.ts';
import type { WorkerSettings } from '../workers/workerPool.ts';
import { chosenEcc } from './arithmetic.ts';

/** Does the jobs of the pool that started this thread. */
export function startWorker(): void {
  const settings = workerData as WorkerSettings;
  workerpool.worker({ ...createJobs({ ...settings, ecc: chosenEcc(settings.arithmetic) }) });
}
