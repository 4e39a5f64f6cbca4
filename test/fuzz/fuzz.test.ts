import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryPaths } from '../support/temporary.ts';
import { type Finding, runCampaign, type Tally } from './campaign.ts';
import { readFinding, writeFinding } from './findingFile.ts';
import { createSource } from './source.ts';
import { bytesTarget, type Input, type Target, textTarget } from './target.ts';
import { TARGETS } from './targets.ts';

const folder = new URL('../../vectors/fuzz/', import.meta.url).pathname;

describe('the findings of earlier campaigns', () => {
  test.each(readdirSync(folder))('%s breaks no law any more', async (name) => {
    const { target, input } = readFinding(join(folder, name));
    const found = TARGETS.find((one) => one.name === target);
    if (!found) throw new Error(`there is no target ${target}`);
    await found.run(input);
  });
});

interface Outcome {
  readonly tallies: readonly Tally[];
  readonly findings: readonly Finding[];
}

/** Runs a campaign on one target: the cases given, or as many as two seconds suffice for if it measures them. */
async function campaign(target: Target, cases: number, measures = false): Promise<Outcome> {
  const findings: Finding[] = [];
  const tallies = await runCampaign([target], {
    seed: 7,
    cases,
    time: measures ? 2000 : 60_000,
    measures,
    report: (finding) => findings.push(finding),
    beat: () => undefined,
    onSlice: () => undefined,
  });
  return { tallies, findings };
}

const letters = (run: (text: string) => void): Target =>
  textTarget('letters', {
    generate: (source) => Array.from({ length: 20 }, () => source.pick([...'abcdefgh'])).join(''),
    run,
  });

describe('a campaign', () => {
  test('gives the same cases for the same seed, whatever runs beside', () => {
    for (const target of TARGETS.filter(({ name }) => !['page', 'command-line'].includes(name))) {
      const [first, second] = [createSource(3, target.name), createSource(3, target.name)];
      const cases = [0, 5, 1].map((index): Input => {
        first.begin(index);
        return target.generate(first);
      });
      second.begin(5);
      expect(target.generate(second), target.name).toEqual(cases[1]);
    }
  });

  test('reports each different finding once, as small as it gets', async () => {
    const { findings, tallies } = await campaign(
      letters((text) => {
        if (text.includes('c')) throw new Error('there is a letter');
        if (text.includes('hh')) throw new TypeError('there are two letters');
      }),
      500,
    );
    expect(findings.map(({ law, input }) => [law, input])).toEqual([
      ['Error: there is a letter', 'c'],
      ['TypeError: there are two letters', 'hh'],
    ]);
    expect(tallies[0]?.cases).toBe(500);
    expect([...(tallies[0]?.findings.values() ?? [])].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(400);
  });

  // A busy machine may stop the short run for longer than the long one takes.
  test('reports a target whose time grows faster than its input', { retry: 2 }, async () => {
    const { findings } = await campaign(
      bytesTarget('cube', {
        generate: (source) => source.bytes(8),
        run: (bytes) => {
          let sum = 0;
          for (let i = (bytes.length / 32) ** 3; i > 0; i -= 1) sum += i & 1;
          if (sum < 0) throw new Error('never');
        },
      }),
      2_000_000,
      true,
    );
    expect(findings[0]?.law).toMatch(/^Violation: The time grows faster than the input/);
  });

  test('keeps a finding in a file', () => {
    const [next] = [temporaryPaths()];
    const path = writeFinding(next(), { target: 'block', law: 'Error: no', index: 3, input: Uint8Array.of(1, 2) });
    expect(path).toMatch(/\/block-[0-9a-f]{8}\.json$/);
    expect(readFinding(path)).toEqual({ target: 'block', law: 'Error: no', input: Uint8Array.of(1, 2) });
    const other = writeFinding(next(), { target: 'json', law: 'Error: no', index: 3, input: { a: [null] } });
    expect(readFinding(other).input).toEqual({ a: [null] });
  });
});
