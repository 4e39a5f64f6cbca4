import { Worker } from 'node:worker_threads';

/** What runs at the moment: the number of the target, and that of the case, -1 for a measurement. */
export interface Heartbeat {
  readonly beat: (target: number, index: number) => void;
  readonly stop: () => void;
}

/** A case that takes longer than this, in milliseconds, will not end. */
const LONGEST = 60_000;

const WATCHER = `
const { workerData: { shared, names, longest, advice } } = require('node:worker_threads');
const state = new Float64Array(shared);
let [last, since] = ['', Date.now()];
setInterval(() => {
  const now = state.join();
  if (now !== last) [last, since] = [now, Date.now()];
  if (Date.now() - since < longest) return;
  require('node:fs').writeSync(2, names[state[0]] + ': case ' + state[1] + ' does not end; ' + advice + '\\n');
  process.kill(process.pid, 'SIGKILL');
}, 1000);
`;

/** Ends the process if one case takes more than a minute, since no exception can end it. */
export function watch(names: readonly string[], advice: string): Heartbeat {
  const shared = new SharedArrayBuffer(16);
  const state = new Float64Array(shared);
  const worker = new Worker(WATCHER, { eval: true, workerData: { shared, names, longest: LONGEST, advice } });
  worker.unref();
  return {
    beat: (target, index) => {
      state[0] = target;
      state[1] = index;
    },
    stop: () => void worker.terminate(),
  };
}
