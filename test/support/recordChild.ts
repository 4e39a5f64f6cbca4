import { writeSync } from 'node:fs';
import { openRecords } from '../../src/shell/store/recordFile.ts';
import { batchOf, countIn } from './recordBatches.ts';

// Writes batches to the database of a directory, and prints the number of each once it is durable. It closes the database
// now and then, which moves its log.
const [, , directory = ''] = process.argv;
const open = () => openRecords(directory, { owner: '0123456789abcdef' });
let store = open();
for (let n = countIn(store.get) + 1; ; n++) {
  store.write(batchOf(n));
  writeSync(1, `${n}\n`);
  if (n % 40 === 0) {
    store.close();
    store = open();
  }
}
