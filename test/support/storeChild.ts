import { writeSync } from 'node:fs';
import { BtcError } from '../../src/core/errors.ts';
import { openStore } from '../../src/shell/store/openStore.ts';
import { batchOf, countIn } from './recordBatches.ts';

// Opens the store of a directory, and holds it, or writes batches until it is killed. Prints `open`, the number of each
// batch once it is durable, or the code of an error.
const [, , directory = '', mode] = process.argv;
const say = (word: string | number): unknown => writeSync(1, `${word}\n`);

try {
  let store = openStore(directory);
  say('open');
  for (let n = countIn(store.get) + 1; mode === 'write'; n++) {
    store.write(batchOf(n));
    say(n);
    if (n % 15 === 0) store.purge?.();
    if (n % 40 === 0) {
      store.close();
      store = openStore(directory);
    }
  }
  setInterval(() => undefined, 1000);
} catch (error) {
  say(error instanceof BtcError ? error.code : String(error));
}
