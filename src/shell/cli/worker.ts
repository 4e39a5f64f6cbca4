import { workerData } from 'node:worker_threads';
import workerpool from 'workerpool';
import { createJobs } from '../workers/jobs.ts';
import type { WorkerSettings } from '../workers/workerPool.ts';
import { chosenEcc } from './arithmetic.ts';

export function startWorker(): void {
  const { network, dialect, bytesPerSigOp, arithmetic, whitelist = [] } = workerData as WorkerSettings;
  workerpool.worker({ ...createJobs({ network, dialect, bytesPerSigOp, ecc: chosenEcc(arithmetic), whitelist }) });
}
