import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { DebugLog } from './debugLog.ts';

/** Runs commands of `-startupnotify` or `-shutdownnotify` in a shell, all at once. Resolves when they have ended. */
export async function runCommands(commands: readonly string[], log: DebugLog): Promise<void> {
  await Promise.all(commands.map((command) => runCommand(command, log)));
}

async function runCommand(command: string, log: DebugLog): Promise<void> {
  if (command === '') return;
  const child = spawn(command, { shell: true, stdio: 'ignore' });
  const [code] = await once(child, 'exit').catch(() => [1]);
  if (code !== 0) log.write(`runCommand error: system(${command}) returned ${code}`, 'error');
}
