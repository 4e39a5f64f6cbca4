import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Outcome, outcomeOf } from './outcome.ts';
import type { Workspace } from './workspace.ts';

export interface Run {
  readonly name: string;
  readonly outcome: Outcome;
  readonly seconds: number;
}

/** Runs a script, unchanged, with a limit of time; its output is kept beside its directory. */
export async function runScript(
  name: string,
  {
    checkout,
    workspace,
    seed,
    seconds,
  }: {
    readonly checkout: string;
    readonly workspace: Workspace;
    /** Chooses ports; different for scripts that run at once. */
    readonly seed: number;
    readonly seconds: number;
  },
): Promise<Run> {
  const { config, cache, runs, environment } = workspace;
  const directory = join(runs, name.replace('.py', ''));
  rmSync(directory, { recursive: true, force: true });
  const start = performance.now();
  const args = [join(checkout, 'test/functional', name), `--configfile=${config}`, `--cachedir=${cache}`];
  const child = spawn('python3', [...args, `--tmpdir=${directory}`, `--portseed=${seed}`], {
    env: environment,
    // A group of its own, so that its nodes end with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(`${directory}.log`);
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      log.write(chunk);
    });
  }
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Its processes have ended.
    }
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, seconds * 1000);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  end();
  log.end();
  const outcome = outcomeOf(name, code, Buffer.concat(chunks).toString());
  return {
    name,
    outcome: isLate ? { kind: 'failed', line: `not over after ${seconds} seconds` } : outcome,
    seconds: (performance.now() - start) / 1000,
  };
}
