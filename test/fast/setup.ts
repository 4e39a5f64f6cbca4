import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import fc from 'fast-check';

/** Ends a property after a tenth of a second, however many runs it asks for. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), interruptAfterTimeLimit: 100 });

// Waiting for the disk takes longer than most tests of the store, and proves nothing as long as the machine keeps running.
fs.fsyncSync = () => undefined;
fs.fdatasyncSync = () => undefined;
syncBuiltinESMExports();
