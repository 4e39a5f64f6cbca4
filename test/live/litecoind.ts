import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/freePort.ts';

/** A running node with its own regtest chain, reachable on loopback only. */
export interface Node {
  /** Posts a body, to `/` by default, and returns the reply's body, or `undefined` if the node crashed. */
  readonly post: (body: string, path?: string) => Promise<string | undefined>;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

const START_ATTEMPTS = 150;

/** Tells whether Debian's litecoind is installed. */
export function hasLitecoind(): boolean {
  try {
    execFileSync('litecoind', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts a node with its own data directory and waits until it answers.
 *
 * - `extra`: further arguments of the node
 * - `login`: `name:password`, if those arguments set a password instead of a cookie
 * - `program`: another node, by its path
 */
export async function startNode(
  extra: readonly string[] = [],
  { login, program = 'litecoind' }: { readonly login?: string; readonly program?: string } = {},
): Promise<Node> {
  const datadir = mkdtempSync(join(tmpdir(), 'countersign-litecoind-'));
  const port = await freePort();
  const args = [`-datadir=${datadir}`, '-regtest', `-rpcport=${port}`];
  const quiet = ['-rpcbind=127.0.0.1', '-rpcallowip=127.0.0.1', '-listen=0', '-connect=0', '-dnsseed=0', '-server=1'];
  const fixed = [...args, ...quiet, '-disablewallet', '-printtoconsole=0'];
  const daemon = spawn(program, [...fixed, ...extra], { stdio: 'ignore' });
  const node = connect(daemon, port, () => login ?? readFileSync(join(datadir, 'regtest', '.cookie'), 'utf8'));
  await node.ready();
  const stop = async (): Promise<void> => {
    if (daemon.exitCode === null) {
      const ended = new Promise((resolve) => daemon.once('exit', resolve));
      await node.post('{"method":"stop"}');
      await ended;
    }
    rmSync(datadir, { recursive: true, force: true });
  };
  return { post: node.post, port, stop };
}

function connect(daemon: ChildProcess, port: number, loginOf: () => string) {
  const post = async (body: string, path?: string): Promise<string | undefined> => {
    try {
      return await postTo(port, loginOf(), body, path);
    } catch {
      // The connection was refused or cut off: the node has crashed, or is still starting.
      return undefined;
    }
  };
  const ready = async (): Promise<void> => {
    for (let attempt = 0; attempt < START_ATTEMPTS; attempt += 1) {
      const reply = await post('{"method":"getblockcount","id":0}');
      if (reply?.includes('"error":null')) return;
      if (daemon.exitCode !== null) throw new Error(`the node exited with ${daemon.exitCode}`);
      await sleep(200);
    }
    throw new Error('the node does not answer');
  };
  return { post, ready };
}

/** Posts a body to a server on this machine, and returns the reply's body. */
export async function postTo(port: number, login: string, body: string, path = '/'): Promise<string> {
  const authorization = `Basic ${Buffer.from(login).toString('base64')}`;
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers: { authorization }, body });
  return await reply.text();
}
