import { chosenEcc } from '../../src/shell/cli/arithmetic.ts';
import type { Ecc } from './library.ts';

/**
 * The library for curve arithmetic with which a corpus is replayed: `noble`, `wasm` or `native`, as
 * `COUNTERSIGN_ARITHMETIC` says; else the default of the library for the bundled samples, and the fastest for whole corpora.
 */
export const arithmeticFor = (from: 'sample' | 'shared'): string =>
  process.env['COUNTERSIGN_ARITHMETIC'] ?? (from === 'sample' ? 'noble' : 'native');

export const eccFor = (from: 'sample' | 'shared'): Ecc => chosenEcc(arithmeticFor(from));
