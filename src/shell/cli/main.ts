#!/usr/bin/env node
import manifest from '../../../package.json' with { type: 'json' };
import { DATABASE_MARK, processIo, WORKER_MARK } from '../terminal/io.ts';
import { systemReason } from '../terminal/systemReason.ts';
import { runCommand } from './command.ts';

void start();

async function start(): Promise<void> {
  const [, , mark] = process.argv;
  // Checks the argument first: loading node:worker_threads would delay every command.
  if ((mark === WORKER_MARK || mark === DATABASE_MARK) && !(await import('node:worker_threads')).isMainThread) {
    if (mark === WORKER_MARK) (await import('./worker.ts')).startWorker();
    else (await import('./databaseWorker.ts')).startDatabaseWorker();
  } else {
    await runProcess();
  }
}

async function runProcess(): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader may close the pipe early (`
    // head`).
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
    // The message and stack of an unexpected error may hold a secret.
    const name = error instanceof Error ? error.name : typeof error;
    process.stderr.write(`error: internal error: ${name} (please report it)\n`);
    process.exit(1);
  }
}
