import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isSampled } from './campaign.ts';
import { BUILT_PROGRAM, run } from './io.ts';
import { decodePsbtBytes, formatHex, parseBase64 } from './library.ts';

/** The folder with the full corpora and the published suites, if available. */
export const shared: string | undefined = process.env['COUNTERSIGN_SHARED'];

/** A recorded call to a node. */
export interface Recorded {
  readonly label?: string;
  readonly method: string;
  readonly params: readonly unknown[];
  /** The wallet in the request's path. */
  readonly wallet?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Reads recorded calls: the bundled sample, or the complete file of the shared corpus. */
export function readRecorded(name: string, from: 'sample' | 'shared'): readonly Recorded[] {
  const sample = new URL(`../../vectors/node/${name}.jsonl.gz`, import.meta.url);
  const lines =
    from === 'sample' ? readLines<Partial<Recorded>>(sample) : readReleased<Partial<Recorded>>('node', name);
  const lifted = /^core-(29|30|31)/.test(name) ? [] : (LIFTED[name.slice(0, name.indexOf('.'))] ?? []);
  return lines.map((line) => ({
    // The signing files omit the method.
    ...{ method: 'signrawtransactionwithkey', params: [], ...line },
    ...(line.method === 'sendrawtransaction' && line.params?.length === 1 && { params: [...line.params, ...lifted] }),
  }));
}

/** The limits that recorders passed to `sendrawtransaction` without recording them: any fee rate, any burnt amount. */
const LIFTED: Readonly<Record<string, readonly unknown[]>> = { 'core-32': [0, 21_000_000], 'litecoin-0.21': [0] };

/** Reads a file of JSON lines, which may be gzipped. */
function readLines<T>(path: URL | string): readonly T[] {
  const bytes = readFileSync(path);
  const text = (String(path).endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
}

const RELEASE = /^core-(29|30|31|32)(?=\.)/;

/** Finds a file of the shared corpus. */
const pathIn = (place: string, file: string): string | undefined =>
  ['.jsonl.gz', '.jsonl'].map((end) => join(shared ?? '', 'vectors', place, file + end)).find(existsSync);

/** The answers of an earlier release to the lines that it answers otherwise than the newest, by their numbers from 0. */
type Changes = ReadonlyMap<number, object>;

/**
 * Reads a file of the shared corpus. There, the files of release 32 have names of 31. Those of earlier releases have only
 * the lines that the release answers otherwise, but for files of their own, whose names lack the node.
 */
function readFiles<T extends object>(
  folder: 'node' | 'text',
  name: string,
): { readonly lines: readonly T[]; readonly changes?: Changes } {
  const release = RELEASE.exec(name)?.[1];
  const own = release && pathIn(`${folder}${release}`, name.replace(RELEASE, '').slice(1));
  if (own) return { lines: readLines<T>(own) };
  const file = release ? name.replace(RELEASE, 'core-31') : name;
  const lines = readLines<T>(pathIn(folder, file) ?? file);
  const changed = release && pathIn(`${folder}${release}`, file);
  if (!changed) return { lines };
  const rows = readLines<{ readonly line: number }>(changed);
  return { lines, changes: new Map(rows.map(({ line, ...answer }) => [line, answer])) };
}

/** Reads a file of the shared corpus: the requests of the newest release, with the answers of the named one. */
export function readReleased<T extends object>(folder: 'node' | 'text', name: string): readonly T[] {
  const { lines, changes } = readFiles<T>(folder, name);
  return lines.map((line, i) => ({ ...(changes?.has(i) ? withoutAnswer(line) : line), ...changes?.get(i) }));
}

/**
 * Returns a test for the lines, numbered from 0, that this run plays of a shared file whose calls do not depend on earlier
 * ones: of an earlier release those that it answers otherwise than the newest, and a sample of the others; else all.
 */
export function playedLines(folder: 'node' | 'text', name: string): (line: number) => boolean {
  const { changes } = readFiles(folder, name);
  return changes ? (line) => changes.has(line) || isSampled(line) : () => true;
}

const ANSWERS: ReadonlySet<string> = new Set(['result', 'error', 'reply']);

const withoutAnswer = <T extends object>(line: T): T =>
  Object.fromEntries(Object.entries(line).filter(([name]) => !ANSWERS.has(name))) as T;

/** How many worker threads replay the recorded calls; by default none. */
const jobs: string | undefined = process.env['COUNTERSIGN_JOBS'];

/** Whether `npm run test:fast` runs. */
export const isFast: boolean = process.env['COUNTERSIGN_FAST'] !== undefined;

/** Returns every row, or one in ten in `npm run test:fast`; for rows that do not depend on earlier ones. */
export function someOf<T>(rows: readonly T[]): readonly T[] {
  const step = isFast ? 10 : 1;
  return rows.filter((_, i) => i % step === 0);
}

/** Reads a published suite from the shared folder. */
export function readSuite<T>(name: string): T {
  return JSON.parse(readFileSync(join(shared ?? '', 'vectors/suites', `${name}.json`), 'utf8')) as T;
}

export interface Replayed {
  readonly call: Recorded;
  /** Our answer as JSON text without white space. */
  readonly answer: string;
  readonly passed: boolean;
}

/** Formats JSON for comparison: keeps the order of members, and numbers as a parser reads them. */
const canonical = (value: unknown): string => JSON.stringify(value);

/** Sorts the inputs and outputs of a PSBT as text, for comparison: Core's `joinpsbts` shuffles them. */
export function unordered(psbt: unknown): unknown {
  if (typeof psbt !== 'string') return psbt;
  const { global, inputs, outputs } = decodePsbtBytes(parseBase64(psbt));
  const { unsignedTx, ...rest } = global;
  const text = (value: unknown): string =>
    JSON.stringify(value, (_, member) =>
      member instanceof Uint8Array ? formatHex(member) : typeof member === 'bigint' ? `${member}` : member,
    );
  return [
    text({ ...rest, version: unsignedTx?.version, locktime: unsignedTx?.locktime }),
    inputs.map((input, i) => text([unsignedTx?.inputs[i], input])).sort(),
    outputs.map((output, i) => text([unsignedTx?.outputs[i], output])).sort(),
  ];
}

/**
 * Replays the recorded calls with `countersign batch` and compares whole answers, including the order of members and
 * error texts. Help texts (code -1, beginning with the method's name) are our own: compares only their code.
 */
export async function replay(
  calls: readonly Recorded[],
  { network, dialect, arithmetic }: { readonly network: string; readonly dialect: string; readonly arithmetic: string },
): Promise<readonly Replayed[]> {
  const requests = calls.map(({ method, params }, id) => JSON.stringify({ id, method, params }));
  const stdin = `${requests.join('\n')}\n`;
  const options = ['--network', network, '--dialect', dialect, '--arithmetic', arithmetic];
  const { out } = jobs
    ? await run(['batch', '--jobs', jobs, ...options], { stdin, program: BUILT_PROGRAM })
    : await run(['batch', ...options], { stdin });
  const answers = out.split('\n');
  return calls.map((call, i) => {
    const answer = answers[i] ?? '';
    const got = JSON.parse(answer) as { result: unknown; error: Recorded['error'] | null };
    const isHelp = call.error?.code === -1 && call.error.message.startsWith(call.method);
    const wanted = call.error
      ? { result: null, error: call.error, id: i }
      : { result: call.result, error: null, id: i };
    const isJoined = call.method === 'joinpsbts' && typeof got.result === 'string';
    const passed = isHelp
      ? got.error?.code === -1
      : isJoined
        ? canonical(unordered(got.result)) === canonical(unordered(call.result))
        : canonical(got) === canonical(wanted);
    return { call, answer, passed };
  });
}
