import { performance } from 'node:perf_hooks';
import { measureGrowth } from './growth.ts';
import { shrink } from './shrink.ts';
import { createSource, type SeededSource } from './source.ts';
import { type Input, type Target, Violation } from './target.ts';

/** A case that breaks a law. */
export interface Finding {
  readonly target: string;
  /** The message of what was thrown. */
  readonly law: string;
  /** The number of the case; -1 for one of the measurements. */
  readonly index: number;
  readonly input: Input;
}

/** The cases of one target so far. */
export interface Tally {
  readonly target: Target;
  /** The place of the target in the list. */
  readonly number: number;
  readonly source: SeededSource;
  /** The source of stretched cases, whose number depends on time. */
  readonly growth: SeededSource;
  cases: number;
  milliseconds: number;
  /** How often each different finding was met. */
  readonly findings: Map<string, number>;
}

interface CampaignOptions {
  readonly seed: number;
  /** The most cases of each target. */
  readonly cases: number;
  /** The most milliseconds of all. */
  readonly time: number;
  /** Whether stretched cases are compared. */
  readonly measures: boolean;
  readonly report: (finding: Finding) => void;
  /** Is called before each case with the number of the target and that of the case, -1 for a measurement. */
  readonly beat: (target: number, index: number) => void;
  /** Is called between the slices of time. */
  readonly onSlice: (tallies: readonly Tally[]) => void;
}

/** The milliseconds for which a target runs before the next has its turn. */
const SLICE = 150;
/** A case that takes longer than this, in milliseconds of the processor, three times in a row, is a finding, unless its target says more. */
const SLOWEST = 2000;
/** Of how many slices one begins with stretched cases. */
const SLICES_PER_MEASUREMENT = 8;

/** Returns what tells a finding from others of its target: the message without numbers and texts, and the place. */
function signatureOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [, ...frames] = (error.stack ?? '').split('\n    at ');
  const place = frames.find((frame) => !/source[.]ts|target[.]ts/.test(frame)) ?? '';
  return `${error.name} ${error.message.replace(/[0-9a-f]{4,}|\d+|"[^"]*"|: .*/gs, '#').slice(0, 80)} ${place.replace(/\(.*/, '').slice(0, 60)}`;
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

/** Runs one case. @throws what the case shows, or a Violation for one that takes too long */
async function runTimed(target: Target, input: Input): Promise<void> {
  const { slowest = SLOWEST } = target;
  for (let i = 0; i < 3; i += 1) {
    const start = process.cpuUsage();
    await target.run(input);
    const { user, system } = process.cpuUsage(start);
    if ((user + system) / 1000 < slowest) return;
  }
  throw new Violation(`The case takes longer than ${slowest} ms of the processor`);
}

async function signatureIfAny(target: Target, input: Input): Promise<string | undefined> {
  try {
    await runTimed(target, input);
    return undefined;
  } catch (error) {
    return signatureOf(error);
  }
}

async function note(
  tally: Tally,
  error: unknown,
  { input, index }: Pick<Finding, 'input' | 'index'>,
  report: CampaignOptions['report'],
): Promise<void> {
  const { target, findings } = tally;
  const signature = signatureOf(error);
  const count = findings.get(signature) ?? 0;
  findings.set(signature, count + 1);
  if (count > 0) return;
  const isSlow = error instanceof Violation && /time|takes longer/.test(error.message);
  const fails = async (smaller: Input): Promise<boolean> => (await signatureIfAny(target, smaller)) === signature;
  const smallest = isSlow ? input : await shrink(input, fails);
  report({ target: target.name, law: messageOf(error).slice(0, 500), index, input: smallest });
}

/** Compares stretched cases of a target. */
async function measure(tally: Tally, slice: number, { report, beat }: CampaignOptions): Promise<void> {
  let last: Input = null;
  beat(tally.number, -1);
  tally.growth.begin(slice);
  try {
    await measureGrowth(tally.target, tally.growth, (input) => {
      last = input;
    });
  } catch (error) {
    await note(tally, error, { input: last, index: -1 }, report);
  }
}

async function runSlice(tally: Tally, { cases, report, beat }: CampaignOptions, end: number): Promise<void> {
  const { target, source } = tally;
  const start = performance.now();
  const until = Math.min(end, start + SLICE);
  let now = start;
  while (tally.cases < cases && now < until) {
    const index = tally.cases;
    tally.cases += 1;
    beat(tally.number, index);
    let input: Input = null;
    try {
      source.begin(index);
      input = target.generate(source);
      await runTimed(target, input);
    } catch (error) {
      await note(tally, error, { input, index }, report);
    }
    now = performance.now();
  }
  tally.milliseconds += now - start;
}

/** Runs targets in turn until all have had their cases, or the time is over. */
export async function runCampaign(targets: readonly Target[], options: CampaignOptions): Promise<readonly Tally[]> {
  const { seed, cases, time, measures, onSlice } = options;
  const tallies = targets.map((target, number): Tally => {
    const [source, growth] = [createSource(seed, target.name), createSource(seed, `${target.name}, stretched`)];
    return { target, number, source, growth, cases: 0, milliseconds: 0, findings: new Map() };
  });
  const end = performance.now() + time;
  for (let slice = 0; performance.now() < end && tallies.some((tally) => tally.cases < cases); slice += 1) {
    for (const tally of tallies) {
      if (tally.cases >= cases || performance.now() >= end) continue;
      if (measures && tally.target.isMeasured && slice % SLICES_PER_MEASUREMENT === 1)
        await measure(tally, slice, options);
      await runSlice(tally, options, end);
      onSlice(tallies);
    }
  }
  return tallies;
}
