import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/shell/store/openStore.ts';
import { inTurn, isShort } from '../support/campaign.ts';
import { isFast, readRecorded, shared } from '../support/corpus.ts';
import { createMemoryStore, type NodeRpc } from '../support/library.ts';
import { answerOf } from '../support/recordedAnswers.ts';
import { KINDS, open, openSeveral, RELEASES, replay } from '../support/recordedWallets.ts';
import { countReopened } from '../support/reopened.ts';
import { report, reportTurn } from '../support/report.ts';
import { createSharedRecords } from '../support/sharedRecords.ts';

/** Replays recorded histories of nodes with wallets, and compares the answers line by line. */

const FULL = Array.from({ length: 8 }, (_, i) => `0${i}`);
/** That of the bundled sample; enough for each form of store, whose rules no history changes. */
const SAMPLE = ['03'];
/** Whether to open the node anew before each line; by default, before some lines of one history. */
const everyLine = process.env['COUNTERSIGN_EVERY_LINE'] !== undefined;
const QUERIES = ['listunspent', 'listsinceblock', 'getaddressinfo'];
const directory = mkdtempSync(join(tmpdir(), 'countersign-wallets-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe.each(shared ? RELEASES : [])('the recorded histories of $node', (kind) => {
  test.each(reportTurn(`histories of ${kind.node}`, FULL))('number %s is answered alike', (file) => {
    const corpus = `${kind.node}.wallet-${file}`;
    replay(corpus, readRecorded(corpus, 'shared'), open(kind, createMemoryStore()));
  });
});

describe.each(KINDS)('the recorded histories of $node', (kind) => {
  const [from, files] = shared ? (['shared', FULL] as const) : (['sample', SAMPLE] as const);

  test.each(files)('number %s is answered alike in memory, and by a node that is opened anew', (file) => {
    const calls = readRecorded(`${kind.node}.wallet-${file}`, from);
    expect(calls.length).toBeGreaterThan(600);
    const store = createMemoryStore();
    const rpc = open(kind, store);
    replay(`${kind.node}.wallet-${file}`, calls, rpc);
    const reopened = open(kind, store);
    const [clock] = calls.filter(({ method }) => method === 'setmocktime').slice(-1);
    if (clock) answerOf(reopened, clock);
    const asked = calls.filter(({ method }) => QUERIES.includes(method)).slice(-200);
    expect(asked.map((call) => answerOf(reopened, call))).toEqual(asked.map((call) => answerOf(rpc, call)));
  });

  function replayReopened(file: string, place: string, { step, most }: typeof opening): void {
    const calls = readRecorded(`${kind.node}.wallet-${file}`, from).slice(0, most);
    const path = join(directory, `${kind.node}-${file}-again`);
    const memory = { ...createMemoryStore(), close: () => undefined };
    const reopen = (last?: NodeRpc): NodeRpc => {
      last?.close();
      return open(kind, place === 'memory' ? memory : openStore(path));
    };
    const count = countReopened(calls, { step, reopen, lasting: open(kind, createMemoryStore()) });
    const subject = `${kind.node}.wallet-${file} in ${place}, opened again and again`;
    const total = calls.length;
    report({ subject, passed: total, total, note: `opened ${count} times` });
  }

  const opening = everyLine ? { step: 1, most: Number.POSITIVE_INFINITY } : { step: 60, most: 180 };
  test.skipIf(isFast || isShort).each(everyLine ? files : inTurn(files))(
    'number %s is answered alike by a node that is opened anew again and again',
    (file) => replayReopened(file, 'memory', opening),
  );

  test.skipIf(!everyLine).each(files)('number %s is answered alike by a directory that is opened anew', (file) =>
    replayReopened(file, 'a directory', opening),
  );

  test.skipIf(isFast || isShort).each(inTurn(files))('number %s is answered alike in a directory', (file) => {
    const calls = readRecorded(`${kind.node}.wallet-${file}`, from);
    const rpc = open(kind, openStore(join(directory, `${kind.node}-${file}`)));
    replay(`${kind.node}.wallet-${file}`, calls, rpc, 'in a directory');
    rpc.close();
  });
});

describe.each(KINDS)('the recorded histories of $node', (kind) => {
  const [from, files] = shared ? (['shared', FULL] as const) : (['sample', SAMPLE] as const);

  test.skipIf(isFast || isShort).each(inTurn(files))(
    'number %s is answered alike by three processes on one store',
    (file) => {
      const calls = readRecorded(`${kind.node}.wallet-${file}`, from);
      replay(
        `${kind.node}.wallet-${file}`,
        calls,
        openSeveral(kind, 3, createSharedRecords().open),
        'among three processes',
      );
    },
  );
});
