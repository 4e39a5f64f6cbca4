import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** `countersign serve` in a process of its own, out of `dist`: `npm test` makes a build. */
export interface ServeProcess {
  readonly port: number;
  readonly pid: number | undefined;
  /** Asks. @throws Gone where the process is gone before it has answered; the error with its code where it refuses */
  readonly ask: <T>(method: string, params: readonly unknown[], wallet?: string) => Promise<T>;
  /** Ends it without a warning. */
  readonly kill: () => Promise<void>;
  /** Reads no more of what it says, and asks it to stop. @returns its exit code, `null` where a signal has ended it */
  readonly stopUnheard: () => Promise<number | null>;
  /** What it has said so far. */
  readonly said: () => string;
}

/** The process did not answer: it is gone. */
export class Gone extends Error {}

const MAIN = new URL('../../dist/cli/main.js', import.meta.url).pathname;

/** Starts the server on a directory; resolves once it answers, or has ended. @throws with what it said where it ended */
export async function startServeProcess(directory: string, options: readonly string[]): Promise<ServeProcess> {
  const args = [MAIN, 'serve', '--wallet-dir', directory, '--rpcport', '0', ...options];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  const lines: string[] = [];
  const reader = createInterface({ input: child.stderr });
  reader.on('line', (line) => lines.push(line));
  const portOf = (): string | undefined => /listening on http:\/\/127.0.0.1:([0-9]+)/.exec(lines.join('\n'))?.[1];
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!lines.some((line) => line.startsWith('name and password')) && !isOver) {
    await Promise.race([once(reader, 'line'), ended]);
  }
  const port = Number(portOf());
  if (isOver || !port) throw new Error(lines.join('\n'));
  const login = readFileSync(join(directory, '.cookie'), 'utf8');
  return {
    port,
    pid: child.pid,
    said: () => lines.join('\n'),
    ask: async <T>(method: string, params: readonly unknown[], wallet?: string): Promise<T> => {
      const text = await post(
        { port, login, path: wallet === undefined ? '/' : `/wallet/${wallet}` },
        { method, params },
      );
      const { result, error } = JSON.parse(text) as { result: T; error: { code: number; message: string } | null };
      if (error) throw Object.assign(new Error(`${method}: ${error.message}`), { code: error.code });
      return result;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stopUnheard: async () => {
      child.stderr.destroy();
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
}

/** A connection for each request: none is left of a server that was killed. */
function post(
  { port, login, path }: { readonly port: number; readonly login: string; readonly path: string },
  call: { readonly method: string; readonly params: readonly unknown[] },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path, method: 'POST', auth: login, agent: false }, (reply) => {
      let text = '';
      reply.setEncoding('utf8');
      reply.on('data', (piece: string) => {
        text += piece;
      });
      reply.on('end', () => (reply.complete ? resolve(text) : reject(new Gone())));
      reply.on('error', () => reject(new Gone()));
    });
    asked.on('error', () => reject(new Gone()));
    asked.end(JSON.stringify({ id: 1, ...call }));
  });
}
