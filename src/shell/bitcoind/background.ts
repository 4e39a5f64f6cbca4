import { spawn } from 'node:child_process';
import { once } from 'node:events';

const READY = 'ready';

/**
 * Starts this command again in the background. `waits`: until calls are answered.
 * @returns the exit code
 */
export async function goToBackground(
  argv: readonly string[],
  {
    program,
    waits,
    print,
  }: { readonly program: string | undefined; readonly waits: boolean; readonly print: (text: string) => void },
): Promise<number> {
  const args = [...process.execArgv, program ?? '', 'bitcoind', ...argv, '-daemon=0', '-printtoconsole=0'];
  // Older releases know no -daemonwait.
  if (waits) args.push('-daemonwait=0');
  const child = spawn(process.execPath, args, {
    detached: true,
    stdio: waits ? ['ignore', 'ignore', 'ignore', 'ipc'] : 'ignore',
  });
  if (waits) {
    const isReady = await Promise.race([
      once(child, 'message').then(() => true),
      once(child, 'exit').then(() => false),
    ]);
    if (!isReady) {
      print('Error during initialization - check debug.log for details\n');
      return 1;
    }
    child.disconnect();
  }
  child.unref();
  return 0;
}

/** Tells the process that waits for it that calls are answered. */
export function tellReady(): void {
  process.send?.(READY);
}
