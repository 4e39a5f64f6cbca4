// Appends to the store of a directory, and reports on standard output: `open` once it holds the store, the number of
// durable entries after each append, or the code of an error. Needs `dist`, which `npm test` builds.
import { writeSync } from 'node:fs';
import { openStore } from '../../dist/shell/store/openStore.js';

const [directory, mode] = process.argv.slice(2);
const say = (word) => writeSync(1, `${word}\n`);

try {
  const store = openStore(directory);
  const start = Array.from(store.read()).length;
  say('open');
  for (let n = start; mode !== 'hold'; ) {
    const entries = Array.from({ length: 1 + Math.floor(Math.random() * 4) }, (_, i) => entry(n + i));
    store.append(entries);
    n += entries.length;
    say(n);
    if (Math.random() < 0.05) store.rewrite(store.read());
  }
  // Holds the store until the process is killed.
  setInterval(() => undefined, 1000);
} catch (error) {
  say(error.code);
}

function entry(n) {
  return JSON.stringify({ n, text: 'x'.repeat((n * 37) % 400) });
}
