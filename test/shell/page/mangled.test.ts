import { expect, test } from 'vitest';
import { rounds } from '../../support/campaign.ts';
import { giveManyMangled } from '../../support/mangledInputs.ts';
import { seed } from '../../support/seed.ts';

const CASES = rounds(20_000);

test(`${CASES} damaged files, texts and codes are answered, and show no secret`, () => {
  const tally = giveManyMangled(CASES, seed);
  expect([...tally.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(CASES);
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
    'address: fault',
    'keys: refused',
  ]) {
    expect(tally.get(name) ?? 0, name).toBeGreaterThan(CASES / 2000);
  }
});
