// A node and our server, each in a separate process, called over HTTP with the same client.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from './measure.mjs';

export const MAIN = new URL('../dist/cli/main.js', import.meta.url).pathname;
const USER = 'bench';
const PASSWORD = 'worthless';

/** Posts calls over one connection. */
export function clientOf({ port, login }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = (path, body) =>
    new Promise((resolve, reject) => {
      const options = { port, host: '127.0.0.1', path, method: 'POST', auth: login, agent };
      const asked = request(options, (reply) => {
        const pieces = [];
        reply.on('data', (piece) => pieces.push(piece));
        reply.on('end', () => resolve({ status: reply.statusCode, text: Buffer.concat(pieces).toString() }));
      });
      asked.on('error', reject);
      asked.end(body);
    });
  return { post, close: () => agent.destroy() };
}

/** Reads a figure of a process's memory in MB, such as `VmRSS`, or the most until now, `VmHWM`. */
export const memoryOf = (pid, what) =>
  Number(new RegExp(`${what}:\\s+([0-9]+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

export const bodyOf = (method, params) => JSON.stringify({ id: 1, method, params });

/** The text of an answer. */
export async function ask({ post }, method, params, wallet) {
  return (await post(wallet ? `/wallet/${wallet}` : '/', bodyOf(method, params))).text;
}

export async function call(client, method, params, wallet) {
  const { result, error } = JSON.parse(await ask(client, method, params, wallet));
  assert(error === null, `${method}: ${error?.message}`);
  return result;
}

/** The options with which countersign answers as the node does. */
export const NETWORK = ['--network', 'litecoin-regtest', '--dialect', 'litecoin-0.21'];

/** Our server, with a directory: by default a new one, which is removed in the end. */
export async function startOurs(options = [], given = undefined) {
  const directory = given ?? mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const chosen = [...NETWORK, '--wallet-dir', directory, ...options];
  const args = [...(process.env.PROFILE ? ['--cpu-prof', '--cpu-prof-dir=/tmp/prof'] : []), MAIN, 'serve', ...chosen];
  const child = spawn(process.execPath, [...args, '--rpcport', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const lines = [];
  for await (const said of createInterface({ input: child.stderr })) {
    lines.push(said);
    if (said.startsWith('name and password')) break;
  }
  const port = Number(/127.0.0.1:([0-9]+)/.exec(lines.join())?.[1]);
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    if (given === undefined) rmSync(directory, { recursive: true });
  };
  return { name: 'countersign', port, login: readFileSync(join(directory, '.cookie'), 'utf8'), pid: child.pid, stop };
}

/** Starts a node, if Debian's is installed, with the default number of threads and work queue depth, and more options. */
export async function startTheirs(options = ['-walletbroadcast=0']) {
  try {
    execFileSync('litecoind', ['--version'], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const datadir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const port = 29_444;
  const quiet = ['-listen=0', '-connect=0', '-dnsseed=0', '-server=1', '-printtoconsole=0', ...options];
  const login = [`-rpcuser=${USER}`, `-rpcpassword=${PASSWORD}`, '-rpcservertimeout=600'];
  const daemon = spawn('litecoind', [`-datadir=${datadir}`, '-regtest', `-rpcport=${port}`, ...quiet, ...login], {
    stdio: 'ignore',
  });
  const node = { name: 'Litecoin Core 0.21', port, login: `${USER}:${PASSWORD}`, pid: daemon.pid };
  const client = clientOf(node);
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if ((await client.post('/', bodyOf('getblockcount', [])).catch(() => undefined))?.status === 200) break;
    await sleep(200);
  }
  const stop = async () => {
    const ended = once(daemon, 'exit');
    await call(client, 'stop', []);
    // The node waits for open connections before it stops.
    client.close();
    await ended;
    rmSync(datadir, { recursive: true, force: true });
  };
  return { ...node, datadir, stop };
}
