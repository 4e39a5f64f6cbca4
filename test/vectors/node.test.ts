import { describe, expect, test } from 'vitest';
import { divergences } from '../divergences.ts';
import { arithmeticFor } from '../support/arithmetic.ts';
import { playedLines, type Recorded, type Replayed, readRecorded, replay, shared, someOf } from '../support/corpus.ts';
import { type DialectName, decodePsbtBytes, encodePsbt, formatBase64, parseBase64 } from '../support/library.ts';
import { report } from '../support/report.ts';

/** What earlier releases of Core answered to the same requests; the samples hold what the next release answers otherwise. */
const RELEASES = ['core-29', 'core-30', 'core-31'] as const;
const ASKED = [
  ['decode', [44, 5, 29], 3000],
  ['flow', [17, undefined, 97], 855],
  ['rpc_psbt', [12, 15, 81], 545],
  ['sign', [], 3573],
  ['util', [113, undefined, 106], 3080],
] as const;

/** Corpus, network, dialect, lines in the sample, lines in the whole corpus. */
const CORPORA: readonly (readonly [string, string, DialectName, number | undefined, number])[] = [
  ...RELEASES.flatMap((release, i) =>
    ASKED.map(([name, sample, lines]) => [`${release}.${name}`, 'regtest', release, sample[i], lines] as const),
  ),
  ['core-31.flow-v0', 'regtest', 'core-31', undefined, 973],
  ['core-32.decode', 'regtest', 'core-32', 328, 3000],
  ['litecoin-0.21.decode', 'litecoin-regtest', 'litecoin-0.21', 411, 2986],
  ['core-32.flow', 'regtest', 'core-32', 376, 855],
  ['core-32.rpc_psbt', 'regtest', 'core-32', 452, 545],
  ['core-32.sign', 'regtest', 'core-32', 681, 3573],
  ['litecoin-0.21.sign', 'litecoin-regtest', 'litecoin-0.21', 694, 3556],
  ['core-32.util', 'regtest', 'core-32', 476, 3080],
  ['litecoin-0.21.util', 'litecoin-regtest', 'litecoin-0.21', 470, 3076],
];

describe.each(CORPORA)('%s', (name, network, dialect, sampleLines, allLines) => {
  const check = async (from: 'sample' | 'shared', lines: number): Promise<void> => {
    const recorded = readRecorded(name, from);
    expect(recorded).toHaveLength(lines);
    const isFeeding = ({ label }: Recorded): boolean => label === 'info';
    const isPlayed = from === 'shared' ? playedLines('node', name) : () => true;
    const queries = recorded.filter((call, i) => !isFeeding(call) && isPlayed(i));
    const calls = [...recorded.filter(isFeeding), ...(from === 'sample' ? someOf(queries) : queries)];
    const left = lines - calls.length;
    const replayed = await replay(calls, { network, dialect, arithmetic: arithmeticFor(from) });
    const excused = ({ call, answer }: Replayed): boolean => divergences.some(({ concerns }) => concerns(call, answer));
    const failed = replayed.filter((line) => !line.passed && !excused(line));
    expect(failed.map(({ call, answer }) => ({ call, answer })).slice(0, 3)).toEqual([]);
    for (const { counts, concerns } of divergences) {
      const concerned = replayed.filter(({ call, answer }) => concerns(call, answer));
      expect(concerned.filter(({ passed }) => passed)).toEqual([]);
      expect(concerned.length).toBeLessThanOrEqual(counts[name] ?? 0);
      if (left === 0 && from === 'shared') expect(concerned).toHaveLength(counts[name] ?? 0);
    }
    const passed = replayed.filter((line) => line.passed).length;
    const total = calls.length;
    report({ subject: `${name} (${from})`, passed, total, kept: total - passed, left });
  };

  test.runIf(sampleLines)('the bundled sample is answered as recorded', () => check('sample', sampleLines ?? 0));
  test.runIf(shared)('the corpus is answered as recorded', () => check('shared', allLines));
});

/** PSBTs made by the node, whose order of records we share. */
describe('PSBTs made by Bitcoin Core 31', () => {
  const madeBy = (result: unknown): string | undefined => {
    const text = typeof result === 'object' && result !== null && 'psbt' in result ? result.psbt : result;
    return typeof text === 'string' && text.startsWith('cHNid') ? text : undefined;
  };
  const check = (): number => {
    const psbts = ['core-32.flow', 'core-32.rpc_psbt'].flatMap((name) =>
      readRecorded(name, 'shared').flatMap(({ result }) => madeBy(result) ?? []),
    );
    for (const psbt of psbts) expect(formatBase64(encodePsbt(decodePsbtBytes(parseBase64(psbt))))).toBe(psbt);
    return psbts.length;
  };

  test.runIf(shared)('re-encode to the same bytes', () => expect(check()).toBe(383));
});
