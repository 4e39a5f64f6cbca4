import { expect, test } from 'vitest';
import { giveManyMangled } from '../support/mangledInputs.ts';
import { seed } from '../support/seed.ts';

test('20,000 damaged files, texts and codes are answered, and show no secret', () => {
  const tally = giveManyMangled(20_000, seed);
  expect([...tally.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(20_000);
  for (const name of [
    'open: psbt',
    'open: refused',
    'open: secret',
    'open: wallet',
    'open: transaction',
    'scan: partial',
    'scan: ignored',
    'scan: psbt',
    'words: answered',
    'address: refused',
    'keys: refused',
  ]) {
    expect(tally.get(name) ?? 0, name).toBeGreaterThan(10);
  }
});
