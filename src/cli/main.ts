#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { processIo } from '../terminal/io.ts';
import { systemReason } from '../terminal/systemReason.ts';
import { runCommand } from './command.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that closes the pipe early (`| head`) is not an error.
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`error: cannot write: ${systemReason(error, error.message)}\n`);
  process.exit(1);
});

// A closed standard error must not stop serve or sync.
process.stderr.on('error', () => undefined);

process.exitCode = await runCommand(process.argv.slice(2), version, processIo());
