import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** `countersign serve` in a separate process, run from `dist`, which `npm test` builds. */
export interface ServeProcess {
  readonly port: number;
  readonly pid: number | undefined;
  /**
   * Calls a method. @throws `Gone` if the process ends before it answers; an error with its code if it answers with one
   */
  readonly ask: <T>(method: string, params: readonly unknown[], wallet?: string) => Promise<T>;
  /** Kills the process (SIGKILL). */
  readonly kill: () => Promise<void>;
  /** Closes its stderr and requests a stop (SIGTERM). @returns its exit code, `null` if a signal ended it */
  readonly stopUnheard: () => Promise<number | null>;
  /** Returns its stderr so far. */
  readonly said: () => string;
}

/** Thrown if the process ends without answering. */
export class Gone extends Error {}

const MAIN = new URL('../../dist/cli/main.js', import.meta.url).pathname;

/**
 * Starts the server on a directory; resolves once it listens.
 *
 * - `place`: where it keeps wallets and blocks, if elsewhere
 *
 * @throws with its stderr if it ends instead
 */
export async function startServeProcess(
  directory: string,
  options: readonly string[],
  place: readonly string[] = ['--wallet-dir', directory],
): Promise<ServeProcess> {
  const cookie = ['--rpccookiefile', join(directory, '.cookie')];
  const args = [MAIN, 'serve', ...place, ...cookie, '--rpcport', '0', ...options];
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

/** Posts a call over a new connection, so that no connection to a killed server is reused. */
function post(
  { port, login, path }: { readonly port: number; readonly login: string; readonly path: string },
  call: { readonly method: string; readonly params: readonly unknown[] },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const posted = request({ port, host: '127.0.0.1', path, method: 'POST', auth: login, agent: false }, (reply) => {
      let text = '';
      reply.setEncoding('utf8');
      reply.on('data', (piece: string) => {
        text += piece;
      });
      reply.on('end', () => (reply.complete ? resolve(text) : reject(new Gone())));
      reply.on('error', () => reject(new Gone()));
    });
    posted.on('error', () => reject(new Gone()));
    posted.end(JSON.stringify({ id: 1, ...call }));
  });
}
