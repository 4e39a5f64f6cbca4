import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type TextDivergence, textDivergences } from '../divergences.ts';
import { eccFor } from '../support/arithmetic.ts';
import { playedLines, readReleased, shared, unordered } from '../support/corpus.ts';
import { answerText, createMemoryStore, createNodeRpc, type DialectName } from '../support/library.ts';
import { quickScrypt } from '../support/quickScrypt.ts';
import { report, reportTurn } from '../support/report.ts';

/** Compares our replies with those of a live Bitcoin Core as text, including member order and number formats. */

interface RecordedReply {
  readonly label?: string;
  readonly wallet?: string;
  readonly method: string;
  /** A JSON value, or the raw text that the client sent. */
  readonly params: unknown;
  readonly reply: string;
}

interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string } | null;
}

/** Files whose calls do not depend on earlier ones, with their numbers of lines. */
const STATELESS = [
  ['decodescript-c1', 4000],
  ['descriptor-edges', 2004],
  ['params-p1', 6000],
] as const;

/** Histories. */
const STATEFUL = [
  ['import-i1', 1150],
  ['life-N2', 2883],
  ['life-low-N8', 2266],
  ['wallet-params-w2', 4165],
] as const;

const EARLIER = ['core-29', 'core-30', 'core-31'] as const;

/** Those of release 32 alone. */
const NEWEST = [
  ['core-32.utxoupdatepsbt-u2', 500],
  ['repros', 34],
] as const;

type File = readonly [name: string, lines: number, dialect: DialectName];

const filesOf = (dialect: DialectName, corpora: readonly (readonly [string, number])[]): readonly File[] =>
  corpora.map(([name, lines]) => [`${dialect}.${name}`, lines, dialect]);

const HISTORIES = EARLIER.flatMap((release) => filesOf(release, STATEFUL));
const IN_TURN = shared
  ? reportTurn(
      'texts of earlier releases',
      HISTORIES.map(([name]) => name),
    )
  : [];

const FILES: readonly File[] = [
  ...filesOf('core-32', [...STATELESS, ...STATEFUL]),
  ...NEWEST.map(([name, lines]): File => [name, lines, 'core-32']),
  ...EARLIER.flatMap((release) => filesOf(release, STATELESS)),
  ...HISTORIES.filter(([name]) => IN_TURN.includes(name)),
];
const isHistory = (name: string): boolean => STATEFUL.some(([stateful]) => name.endsWith(`.${stateful}`));

function requestText({ method, params, wallet }: RecordedReply): string {
  const raw = typeof params === 'string' ? params : JSON.stringify(params);
  const rest = wallet === undefined ? '' : `,"wallet":${JSON.stringify(wallet)}`;
  return `{"method":${JSON.stringify(method)},"params":${raw}${rest}}`;
}

interface Listed {
  readonly txid: string;
  readonly vout?: number;
}

const internal = ({ txid }: Listed): string => Buffer.from(txid, 'hex').reverse().toString('hex');
const byTxid = (a: Listed, b: Listed): number => (internal(a) < internal(b) ? -1 : internal(a) > internal(b) ? 1 : 0);

/** Splits the text of a JSON array into the texts of its elements, so that sorting keeps number formats. */
function elementTexts(text: string, start: number): { readonly elements: readonly string[]; readonly end: number } {
  const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},]/g;
  tokens.lastIndex = start;
  const elements: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    const [mark] = token;
    if (mark === '[' || mark === '{') depth++;
    if (mark === ']' || mark === '}') depth--;
    if (depth > 1 || (depth === 1 && mark !== ',')) continue;
    if (token.index > from) elements.push(text.slice(from, token.index));
    if (depth === 0) return { elements, end: token.index };
    from = token.index + 1;
  }
  throw new Error('unterminated array');
}

function sortedArray(text: string, start: number, compare: (a: Listed, b: Listed) => number): string {
  const { elements, end } = elementTexts(text, start);
  const sorted = elements
    .map((element) => ({ element, listed: JSON.parse(element) as Listed }))
    .sort((a, b) => compare(a.listed, b.listed))
    .map(({ element }) => element);
  return `${text.slice(0, start)}[${sorted.join(',')}]${text.slice(end + 1)}`;
}

/** Sorts the lists that a node keeps in salted hash tables, as the recording did. */
function inRecordedOrder(method: string, text: string): string {
  const { result } = JSON.parse(text) as Reply;
  if (method === 'listunspent' && Array.isArray(result)) {
    return sortedArray(text, text.indexOf('['), (a, b) => byTxid(a, b) || (a.vout ?? 0) - (b.vout ?? 0));
  }
  if (method === 'listsinceblock' && result) {
    const removed = text.indexOf('"removed":[');
    const rest = removed < 0 ? text : sortedArray(text, removed + '"removed":'.length, byTxid);
    return sortedArray(rest, rest.indexOf('['), byTxid);
  }
  if (method === 'getrawmempool' && Array.isArray(result)) {
    return text.replace(JSON.stringify(result), JSON.stringify([...(result as string[])].sort()));
  }
  return text;
}

/** Replaces a joined PSBT by its contents in a fixed order, since a node shuffles inputs and outputs. */
function joined(text: string): string {
  const { result, ...rest } = JSON.parse(text) as Reply;
  return JSON.stringify({ result: unordered(result), ...rest });
}

/** Compares an answer with the node's reply, except for help texts, and for secrets that we show as `...`. */
function isSameReply(method: string, ours: string, reply: string): boolean {
  if (ours === reply) return true;
  const theirs = (JSON.parse(reply) as Reply).error;
  const own = (JSON.parse(ours) as Reply).error;
  if (theirs && own && theirs.code === own.code) {
    if (theirs.code === -1 && theirs.message.includes('\n\n')) return true;
    const parts = own.message.split('...').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return parts.length > 1 && new RegExp(`^${parts.join('.{3,}')}$`, 's').test(theirs.message);
  }
  if (method === 'joinpsbts') return joined(ours) === joined(reply);
  return inRecordedOrder(method, ours) === inRecordedOrder(method, reply);
}

/** Answers the requests in order, as `countersign batch` does, with the fastest curve backend. */
function answersTo(calls: readonly RecordedReply[], dialect: DialectName): readonly string[] {
  let next = 1;
  const random = (size: number): Uint8Array => new Uint8Array(size).fill(next++);
  const rpc = createNodeRpc({
    network: 'regtest',
    dialect,
    store: createMemoryStore(),
    walletDir: '/node/regtest/wallets',
    // The node ran with these options.
    acceptnonstdtxn: true,
    walletbroadcast: false,
    ecc: eccFor('shared'),
    scrypt: quickScrypt,
    clock: () => 0,
    random,
  });
  return calls.map((call) => answerText(rpc, requestText(call), { readsWallet: true }));
}

/** Writes the lines that differ to the folder in COUNTERSIGN_DUMP, if set. */
function dump(name: string, rows: readonly object[]): void {
  const folder = process.env['COUNTERSIGN_DUMP'];
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  if (folder) writeFileSync(join(folder, `${name}.failed.jsonl`), text);
}

describe.runIf(shared)('replies of a live Bitcoin Core', () => {
  test.each(FILES)('%s', (name, lines, dialect) => {
    const recorded = readReleased<RecordedReply>('text', name).map((call, i) => ({ call, line: i + 1 }));
    expect(recorded).toHaveLength(lines);
    const isPlayed = isHistory(name) ? () => true : playedLines('text', name);
    const played = recorded.filter((_, i) => isPlayed(i));
    const answers = answersTo(
      played.map(({ call }) => call),
      dialect,
    );
    const failed = played
      .map(({ call, line }, i) => ({ line, call, ours: answers[i] ?? '' }))
      .filter(({ call, ours }) => !isSameReply(call.method, ours, call.reply));
    const intended = Object.values<TextDivergence>(textDivergences);
    const excused = ({ call, ours }: (typeof failed)[number]): boolean =>
      intended.some(({ concerns }) => concerns(call, ours));
    const kept = failed.filter(excused).length;
    report({
      subject: `${name}, as text`,
      passed: played.length - failed.length,
      total: played.length,
      kept,
      left: lines - played.length,
    });
    const unexcused = failed.filter((failure) => !excused(failure));
    dump(name, unexcused);
    expect(unexcused.slice(0, 3)).toEqual([]);
    const countOf = ({ concerns }: TextDivergence): number =>
      failed.filter(({ call, ours }) => concerns(call, ours)).length;
    for (const kind of intended) {
      expect(countOf(kind)).toBeLessThanOrEqual(kind.counts[name] ?? 0);
      if (played.length === lines) expect(countOf(kind)).toBe(kind.counts[name] ?? 0);
    }
  });
});
