import { equalBytes } from '../bytes/compare.ts';
import { formatHex, parseHex } from '../bytes/hex.ts';
import type { DerivationLog } from './store.ts';

/** Returns the scriptPubKeys of a descriptor at an index. */
export type ScriptsAt = (index: number) => readonly Uint8Array[];

/** Scripts of ranged descriptors: each is derived once, and then kept in a log. */
export interface Derivations {
  /**
   * Returns the same function as `derive`, which takes scripts from the log where it has them.
   *
   * - `text`: the descriptor, as public as the wallet shows it
   */
  readonly scriptsOf: (text: string, derive: ScriptsAt) => ScriptsAt;
  /** Appends to the log what was derived since the last time. */
  readonly save: () => void;
}

/** Consecutive indexes of a descriptor, as the log has them in JSON. */
interface Run {
  readonly descriptor: string;
  readonly first: number;
  /** In hex, by index. */
  readonly scripts: readonly (readonly string[])[];
  /** Whether all earlier runs of the descriptor are void. */
  readonly isAnew?: true;
}

type ScriptsByIndex = Map<number, readonly Uint8Array[]>;

/** How many indexes one entry of the log holds at most. */
const RUN_LENGTH = 1000;
/** How many entries are appended at once. */
const BATCH_LENGTH = 64;
const MAX_END = 2 ** 31;

/**
 * Makes the memory of a node's derivations. The log holds public data only, and says no more than which scripts belong
 * to the wallet: the index that answers or signs is derived for real. The first and the last index of each descriptor
 * are derived and compared before any is taken from the log, so that a log of something else is noticed; a script that
 * was replaced in between is not. An attacker able to do that can write the directory, and could replace the journal.
 *
 * - `log`: without it, everything is derived each time
 */
export function createDerivations(log: DerivationLog | undefined): Derivations {
  if (!log) return { scriptsOf: (_, derive) => derive, save: () => undefined };
  let logged: Map<string, ScriptsByIndex> | undefined;
  const fresh = new Map<string, ScriptsByIndex>();
  const refuted = new Set<string>();

  const checked = (text: string, derive: ScriptsAt): ScriptsByIndex | undefined => {
    logged ??= readRuns(log);
    const known = logged.get(text);
    if (!known || haveSameEnds(known, derive)) return known;
    logged.delete(text);
    refuted.add(text);
    return undefined;
  };
  const note = (text: string, index: number, scripts: readonly Uint8Array[]): void => {
    const noted = fresh.get(text);
    if (noted) noted.set(index, scripts);
    else fresh.set(text, new Map([[index, scripts]]));
  };
  return {
    scriptsOf: (text, derive) => {
      let known: { readonly scripts: ScriptsByIndex | undefined } | undefined;
      return (index) => {
        known ??= { scripts: checked(text, derive) };
        const found = known.scripts?.get(index) ?? fresh.get(text)?.get(index);
        if (found) return found;
        const scripts = derive(index);
        note(text, index, scripts);
        return scripts;
      };
    },
    save: () => {
      if (fresh.size === 0) return;
      const runs = [...fresh].flatMap(([text, scripts]) => runsOf(text, scripts, refuted.delete(text)));
      fresh.clear();
      for (let i = 0; i < runs.length; i += BATCH_LENGTH) {
        log.append(runs.slice(i, i + BATCH_LENGTH).map((run) => JSON.stringify(run)));
      }
    },
  };
}

function haveSameEnds(known: ScriptsByIndex, derive: ScriptsAt): boolean {
  let [first, last] = [MAX_END, 0];
  for (const index of known.keys()) {
    first = Math.min(first, index);
    last = Math.max(last, index);
  }
  return [first, last].every((index) => {
    const derived = derive(index);
    const kept = known.get(index) ?? [];
    return kept.length === derived.length && derived.every((script, i) => equalBytes(script, kept[i] ?? script));
  });
}

function runsOf(descriptor: string, scripts: ScriptsByIndex, isAnew: boolean): readonly Run[] {
  const runs: { first: number; scripts: string[][] }[] = [];
  for (const [index, list] of [...scripts].sort(([a], [b]) => a - b)) {
    const run = runs.at(-1);
    const inHex = list.map(formatHex);
    const goesOn = run && index === run.first + run.scripts.length && run.scripts.length < RUN_LENGTH;
    if (goesOn) run.scripts.push(inHex);
    else runs.push({ first: index, scripts: [inHex] });
  }
  return runs.map((run, i) => ({ descriptor, ...run, ...(isAnew && i === 0 && { isAnew }) }));
}

/** Reads the scripts of all descriptors; of two for the same index, the later counts. */
function readRuns(log: DerivationLog): Map<string, ScriptsByIndex> {
  const all = new Map<string, ScriptsByIndex>();
  for (const entry of log.read()) {
    const run = parseRun(entry);
    if (!run) continue;
    const known = run.isAnew ? new Map() : (all.get(run.descriptor) ?? new Map());
    for (const [i, scripts] of run.scripts.entries()) known.set(run.first + i, scripts);
    if (known.size > 0) all.set(run.descriptor, known);
  }
  return all;
}

/** Returns `undefined` for an entry that {@link runsOf} did not make. */
function parseRun(
  entry: string,
): (Omit<Run, 'scripts'> & { readonly scripts: readonly (readonly Uint8Array[])[] }) | undefined {
  try {
    const run = JSON.parse(entry) as Run;
    const scripts = run.scripts.map((list) => list.map(parseHex));
    const isRange = Number.isSafeInteger(run.first) && run.first >= 0 && run.first + scripts.length <= MAX_END;
    return isRange ? { ...run, scripts } : undefined;
  } catch {
    return undefined;
  }
}
