import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RINGS, readRing } from './audit/rings.ts';

const page = readFileSync(new URL('../docs/audit.md', import.meta.url), 'utf8');
const rows = new Map(
  [...page.matchAll(/^\| ([^|]+) \| `([^`]+)` \| (\d+) \| (\d+) \|$/gm)].map(
    ([, question = '', entry = '', files, lines]) => [question, { entry, files: Number(files), lines: Number(lines) }],
  ),
);

describe('what an auditor must read', () => {
  test('is the list of the page', () => {
    expect(Object.fromEntries([...rows].map(([question, { entry }]) => [question, entry]))).toEqual(RINGS);
  });

  test.each(Object.entries(RINGS))('to know about "%s" has not grown', async (question, entry) => {
    const ring = await readRing(entry);
    const stated = rows.get(question);
    expect(ring.files.length).toBeLessThanOrEqual(stated?.files ?? 0);
    // A few lines more are no news; a new file is.
    expect(ring.lines).toBeLessThanOrEqual((stated?.lines ?? 0) * 1.03);
  });

  test('of decoding leaves out how nodes and wallets word what they refuse', async () => {
    const { files } = await readRing('core/psbt/format/decodePsbt.ts');
    expect(files.filter((file) => !file.startsWith('src/core/'))).toEqual([]);
    expect(files.filter((file) => /Rules\.ts$/.test(file))).toEqual([
      'src/core/psbt/format/fieldRules.ts',
      'src/core/psbt/format/psbtFormatRules.ts',
    ]);
  });

  test('of the commands `review` and `sign` has no module of the node', async () => {
    const { files } = await readRing(RINGS['the commands `review` and `sign`'] ?? '');
    expect(files.filter((file) => file.startsWith('src/node/'))).toEqual([]);
  });

  test('of signing touches secret keys in no file of the rooms above', async () => {
    const { files } = await readRing('core/signing/keySigner.ts');
    expect(files.filter((file) => !file.startsWith('src/core/'))).toEqual([]);
  });
});
