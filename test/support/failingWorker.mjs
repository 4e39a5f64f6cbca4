// A worker thread whose jobs answer with their text, and which ends at the methods "exit" and "memory", and never
// answers "busy". It counts the threads.
import { workerData } from 'node:worker_threads';
import workerpool from 'workerpool';

if (workerData.starts) Atomics.add(workerData.starts, 0, 1);

const answerOf = (text) => {
  if (text.includes('"exit"')) process.exit(1);
  if (text.includes('"busy"')) return new Promise(() => undefined);
  if (text.includes('"memory"')) {
    setImmediate(() => {
      throw Object.assign(new Error('heap'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
    });
    return new Promise(() => undefined);
  }
  return text;
};

workerpool.worker({
  answerLines: async (lines) => {
    const answers = [];
    for (const line of lines) answers.push({ answer: await answerOf(line), assumesNoChain: false });
    return answers;
  },
  answerBody: async (body) => ({ answer: { status: 200, body: await answerOf(body) }, assumesNoChain: false }),
});
