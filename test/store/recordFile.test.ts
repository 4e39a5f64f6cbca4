import { mkdirSync } from 'node:fs';
import { openRecords } from '../../src/store/recordFile.ts';
import { makeMemoryRecords } from '../support/memoryRecords.ts';
import { describeRecords } from '../support/recordContract.ts';
import { temporaryPaths } from '../support/temporary.ts';

const newPath = temporaryPaths();
const options = { owner: '0123456789abcdef' };

describeRecords('records in memory', () => ({ store: makeMemoryRecords(), reopen: (store) => store }));

describeRecords('records in a directory', () => {
  const directory = newPath();
  mkdirSync(directory, { mode: 0o700 });
  return {
    store: openRecords(directory, options),
    reopen: (store) => {
      store.close();
      return openRecords(directory, options);
    },
  };
});
