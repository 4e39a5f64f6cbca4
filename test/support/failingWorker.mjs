// A worker thread whose jobs answer with their text, and which ends at the methods "exit" and "memory".
import workerpool from 'workerpool';

const answerOf = (text) => {
  if (text.includes('"exit"')) process.exit(1);
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
