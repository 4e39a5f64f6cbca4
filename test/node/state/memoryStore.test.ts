import { createMemoryStore } from '../../support/library.ts';
import { describeStore } from '../../support/storeContract.ts';

describeStore('a store in memory', () => ({ store: createMemoryStore(), reopen: (store) => store }));
