import { describe, expect, test } from 'vitest';
import { eccFor } from '../support/arithmetic.ts';
import { readRecorded, shared } from '../support/corpus.ts';
import { createMemoryStore, createNodeRpc, type NodeRpc } from '../support/library.ts';
import { quickScrypt } from '../support/quickScrypt.ts';
import { answerOf, isAnswered } from '../support/recordedAnswers.ts';
import { report } from '../support/report.ts';

/** Replays recorded lives of nodes: wallets, chain and mempool, with what the policy of a node refuses. */

const FULL = ['00', '01', '02', '03'];
/** The beginning of one life. */
const SAMPLE = ['00'];
const KINDS = [
  { node: 'litecoin-0.21', network: 'litecoin-regtest', dialect: 'litecoin-0.21' },
  { node: 'core-31', network: 'regtest', dialect: 'core-31' },
] as const;

function open({ network, dialect }: (typeof KINDS)[number]): NodeRpc {
  let next = 1;
  const random = (size: number): Uint8Array => new Uint8Array(size).fill(next++);
  const store = createMemoryStore();
  // Litecoin's node ran with this option; Core has it always.
  const options = { mempoolreplacement: true };
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

describe.each(KINDS)('the recorded lives of $node', (kind) => {
  const [from, files] = shared ? (['shared', FULL] as const) : (['sample', SAMPLE] as const);

  test.each(files)('number %s', (file) => {
    const rpc = open(kind);
    const calls = readRecorded(`${kind.node}.life-${file}`, from).filter(({ label }) => label !== 'info');
    expect(calls.length).toBeGreaterThan(300);
    const missed = calls.filter((call) => !isAnswered(call, answerOf(rpc, call)));
    const total = calls.length;
    report({ subject: `${kind.node}.life-${file}`, passed: total - missed.length, total });
    expect(missed).toEqual([]);
  });
});
