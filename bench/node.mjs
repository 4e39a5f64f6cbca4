// The signing speed of a node over RPC, if Debian's litecoind is installed.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from './measure.mjs';

const PORT = 29443;
const RUNS = 5;

/** Starts a node on loopback with a new chain; `undefined` if none is installed. */
export async function startNode() {
  const datadir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const args = [`-datadir=${datadir}`, '-regtest', `-rpcport=${PORT}`];
  try {
    execFileSync('litecoind', ['--version'], { stdio: 'ignore' });
  } catch {
    rmSync(datadir, { recursive: true });
    return undefined;
  }
  const quiet = ['-listen=0', '-connect=0', '-dnsseed=0', '-server=1', '-disablewallet', '-printtoconsole=0'];
  const daemon = spawn('litecoind', [...args, ...quiet], { stdio: 'ignore' });
  const post = async (method, params) => {
    const cookie = readFileSync(join(datadir, 'regtest', '.cookie'), 'utf8');
    const authorization = `Basic ${Buffer.from(cookie).toString('base64')}`;
    const body = JSON.stringify({ method, params, id: 0 });
    const reply = await fetch(`http://127.0.0.1:${PORT}/`, { method: 'POST', headers: { authorization }, body });
    return await reply.json();
  };
  // The node closes idle connections while the libraries are timed.
  const call = (method, params) => post(method, params).catch(() => post(method, params));
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const isReady = await post('getblockcount', []).then(
      ({ error }) => error === null,
      () => false,
    );
    if (isReady) break;
    await sleep(200);
  }
  const stop = async () => {
    const ended = new Promise((resolve) => daemon.once('exit', resolve));
    execFileSync('litecoin-cli', [...args, 'stop'], { stdio: 'ignore' });
    await ended;
    rmSync(datadir, { recursive: true, force: true });
  };
  return { call, stop };
}

/** Measures how many inputs per second the node signs over RPC: the best of a few runs. */
export async function nodeRate(node, { hex, wifs, prevtxs }) {
  const rates = [];
  for (let run = 0; run < RUNS; run += 1) {
    const start = performance.now();
    const { result } = await node.call('signrawtransactionwithkey', [hex, wifs, prevtxs]);
    rates.push((1000 * prevtxs.length) / (performance.now() - start));
    assert(result.complete, 'complete');
  }
  return Math.max(...rates);
}
