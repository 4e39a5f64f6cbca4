import { describe, expect, test } from 'vitest';
import { openStore } from '../../src/shell/store/openStore.ts';
import { eccFor } from '../support/arithmetic.ts';
import { isShort, isWhole } from '../support/campaign.ts';
import { readRecorded, shared } from '../support/corpus.ts';
import { createMemoryStore, createNodeRpc, type NodeRpc, type RecordStore } from '../support/library.ts';
import { quickScrypt } from '../support/quickScrypt.ts';
import { answerOf, isAnswered } from '../support/recordedAnswers.ts';
import { KINDS, RELEASES, type RecordedKind } from '../support/recordedWallets.ts';
import { countReopened } from '../support/reopened.ts';
import { report, reportTurn } from '../support/report.ts';
import { temporaryPaths } from '../support/temporary.ts';

/** Replays recorded lives of nodes: wallets, chain and mempool, with what the policy of a node refuses. */

const FULL = ['00', '01', '02', '03'];
/** The beginning of one life. */
const SAMPLE = ['00'];

function open({ network, dialect }: RecordedKind, store: RecordStore = createMemoryStore()): NodeRpc {
  let next = 1;
  const random = (size: number): Uint8Array => new Uint8Array(size).fill(next++);
  // The nodes ran with these options; Core has the first always.
  const options = { mempoolreplacement: true, walletbroadcast: false };
  return createNodeRpc({
    ...options,
    network,
    dialect,
    store,
    ecc: eccFor('shared'),
    scrypt: quickScrypt,
    clock: () => 0,
    random,
  });
}

const paths = temporaryPaths();

function check(kind: RecordedKind, file: string, from: 'sample' | 'shared'): void {
  const rpc = open(kind);
  const calls = readRecorded(`${kind.node}.life-${file}`, from).filter(({ label }) => label !== 'info');
  expect(calls.length).toBeGreaterThan(300);
  const missed = calls.filter((call) => !isAnswered(call, answerOf(rpc, call)));
  const total = calls.length;
  report({ subject: `${kind.node}.life-${file}`, passed: total - missed.length, total });
  expect(missed).toEqual([]);
}

describe.each(shared ? RELEASES : [])('the recorded lives of $node', (kind) => {
  test.each(reportTurn(`lives of ${kind.node}`, FULL))('number %s', (file) => check(kind, file, 'shared'));
});

describe.each(KINDS)('the recorded lives of $node', (kind) => {
  const [from, files] = shared
    ? (['shared', reportTurn(`lives of ${kind.node}`, FULL)] as const)
    : (['sample', SAMPLE] as const);

  test.each(files)('number %s', (file) => check(kind, file, from));

  test.skipIf(isShort)('number 00, at its beginning, on a directory that is closed and opened again and again', () => {
    const path = paths();
    const reopen = (last?: NodeRpc): NodeRpc => {
      last?.close();
      return open(kind, openStore(path));
    };
    const calls = readRecorded(`${kind.node}.life-00`, 'sample');
    const count = countReopened(calls, { step: isWhole ? 1 : 10, reopen, lasting: open(kind) });
    expect(count).toBeGreaterThan(30);
    report({
      ...{ subject: `${kind.node}.life-00 in a directory, opened again and again`, note: `opened ${count} times` },
      ...{ passed: calls.length, total: calls.length },
    });
  });
});
