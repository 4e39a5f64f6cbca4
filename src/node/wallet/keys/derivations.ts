import { equalBytes } from '../../../core/bytes/compare.ts';
import { formatHex, parseHex } from '../../../core/bytes/hex.ts';

/** A cache of derived scripts, without secrets. It never throws: unreadable or unwritable entries are derived again. */
export interface DerivationLog {
  /** All entries, oldest first. */
  readonly read: () => Iterable<string>;
  readonly append: (entries: readonly string[]) => void;
}

export type ScriptsAt = (index: number) => readonly Uint8Array[];

export interface Derivations {
  /** Wraps `derive` so that scripts come from the log if it has them. `text`: without private keys. */
  readonly cacheScripts: (text: string, derive: ScriptsAt) => ScriptsAt;
  /** Logs the scripts derived since the last call. */
  readonly save: () => void;
}

/** One log entry, in JSON: the scripts at consecutive indexes. */
interface Run {
  readonly descriptor: string;
  readonly first: number;
  /** In hex, by index. */
  readonly scripts: readonly (readonly string[])[];
  /** True if it replaces all earlier runs of the descriptor. */
  readonly isAnew?: true;
}

type ScriptsByIndex = Map<number, readonly Uint8Array[]>;

const RUN_LENGTH = 1000;
/** Limits the entries appended at once. */
const BATCH_LENGTH = 64;
export const MAX_END = 2 ** 31;

/**
 * Creates the derivation cache of a node. The log only says which scripts are the wallet's: replies and signatures
 * derive their index anew. Comparing the first and last index of a descriptor detects a log of other descriptors, but
 * not a script replaced in between: an attacker who can do that could replace the journal as well.
 */
export function createDerivations(log: DerivationLog | undefined): Derivations {
  let logged: Map<string, ScriptsByIndex> | undefined;
  const fresh = new Map<string, ScriptsByIndex>();
  const mismatched = new Set<string>();

  const verifiedScripts = (text: string, derive: ScriptsAt): ScriptsByIndex | undefined => {
    logged ??= log ? readRuns(log) : new Map<string, ScriptsByIndex>();
    const byIndex = logged.get(text);
    if (!byIndex || haveSameEnds(byIndex, derive)) return byIndex;
    logged.delete(text);
    mismatched.add(text);
    return undefined;
  };
  return {
    cacheScripts: (text, derive) => {
      let verified: { readonly scripts: ScriptsByIndex | undefined } | undefined;
      return (index) => {
        verified ??= { scripts: verifiedScripts(text, derive) };
        const cached = verified.scripts?.get(index) ?? fresh.get(text)?.get(index);
        if (cached) return cached;
        const scripts = derive(index);
        if (log) fresh.set(text, (fresh.get(text) ?? new Map()).set(index, scripts));
        return scripts;
      };
    },
    save: () => {
      if (!log || fresh.size === 0) return;
      const runs = [...fresh].flatMap(([text, scripts]) => toRuns(text, scripts, mismatched.delete(text)));
      fresh.clear();
      for (let i = 0; i < runs.length; i += BATCH_LENGTH) {
        log.append(runs.slice(i, i + BATCH_LENGTH).map((run) => JSON.stringify(run)));
      }
    },
  };
}

function haveSameEnds(byIndex: ScriptsByIndex, derive: ScriptsAt): boolean {
  let [first, last] = [MAX_END, 0];
  for (const index of byIndex.keys()) {
    first = Math.min(first, index);
    last = Math.max(last, index);
  }
  return [first, last].every((index) => {
    const derived = derive(index);
    const kept = byIndex.get(index) ?? [];
    return kept.length === derived.length && derived.every((script, i) => equalBytes(script, kept[i] ?? script));
  });
}

function toRuns(descriptor: string, scripts: ScriptsByIndex, isAnew: boolean): readonly Run[] {
  const runs: { first: number; scripts: string[][] }[] = [];
  for (const [index, list] of [...scripts].sort(([a], [b]) => a - b)) {
    const run = runs.at(-1);
    const inHex = list.map(formatHex);
    const continuesRun = run && index === run.first + run.scripts.length && run.scripts.length < RUN_LENGTH;
    if (continuesRun) run.scripts.push(inHex);
    else runs.push({ first: index, scripts: [inHex] });
  }
  return runs.map((run, i) => ({ descriptor, ...run, ...(isAnew && i === 0 && { isAnew }) }));
}

/** Lets later entries for an index replace earlier ones. */
function readRuns(log: DerivationLog): Map<string, ScriptsByIndex> {
  const all = new Map<string, ScriptsByIndex>();
  for (const entry of log.read()) {
    const run = parseRun(entry);
    if (!run) continue;
    const byIndex = run.isAnew ? new Map() : (all.get(run.descriptor) ?? new Map());
    for (const [i, scripts] of run.scripts.entries()) byIndex.set(run.first + i, scripts);
    if (byIndex.size > 0) all.set(run.descriptor, byIndex);
  }
  return all;
}

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
