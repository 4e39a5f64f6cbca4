// Appends to a directory's store, and says on standard output what is durable: a line with a number for each append,
// `open` once it has the store, or the code of what it is refused with. Needs a build: `npm test` makes one.
import { writeSync } from 'node:fs';
import { openStore } from '../../dist/cli/store/openStore.js';

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
  // Held until somebody ends the process.
  setInterval(() => undefined, 1000);
} catch (error) {
  say(error.code);
}

function entry(n) {
  return JSON.stringify({ n, text: 'x'.repeat((n * 37) % 400) });
}
