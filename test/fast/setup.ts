import fc from 'fast-check';

/** Ends a property after a tenth of a second, however many runs it asks for. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), interruptAfterTimeLimit: 100 });
