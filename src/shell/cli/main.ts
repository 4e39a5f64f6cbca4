#!/usr/bin/env node
import manifest from '../../../package.json' with { type: 'json' };
import { DATABASE_MARK, processIo, WORKER_MARK } from '../terminal/io.ts';
import { systemReason } from '../terminal/systemReason.ts';
import { runCommand } from './command.ts';

void start();

async function start(): Promise<void> {
  const [, , mark] = process.argv;
  // Loading node:worker_threads for the check would delay every command.
  if ((mark === WORKER_MARK || mark === DATABASE_MARK) && !(await import('node:worker_threads')).isMainThread) {
    if (mark === WORKER_MARK) (await import('./worker.ts')).startWorker();
    else (await import('./databaseWorker.ts')).startDatabaseWorker();
  } else {
    await runProcess();
  }
}

async function runProcess(): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader such as `head` may close the pipe early.
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`error: cannot write: ${systemReason(error, error.message)}\n`);
    process.exit(1);
  });
  // A closed standard error must not stop serve or sync.
  process.stderr.on('error', () => undefined);
  try {
    const io = processIo(import.meta.filename);
    process.exitCode = await runCommand(process.argv.slice(2), manifest.version, io);
  } catch (error) {
    // An unexpected error's message and stack may hold a secret.
    const name = error instanceof Error ? error.name : typeof error;
    process.stderr.write(`error: internal error: ${name} (please report it)\n`);
    process.exit(1);
  }
}
