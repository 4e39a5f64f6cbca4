import { createMemoryStore } from '../../support/library.ts';
import { describeRecords } from '../../support/recordContract.ts';

describeRecords('a store in memory', () => ({ store: createMemoryStore(), reopen: (store) => store }));
