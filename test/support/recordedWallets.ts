import { expect } from 'vitest';
import type { SharedStore } from '../../src/node/store/recordStore.ts';
import { walletDivergences } from '../divergences.ts';
import { eccFor } from './arithmetic.ts';
import type { Recorded } from './corpus.ts';
import { createNodeRpc, type DialectName, type NetworkName, type NodeRpc, type RecordStore } from './library.ts';
import { quickScrypt } from './quickScrypt.ts';
import { answerOf, isAnswered } from './recordedAnswers.ts';
import { report } from './report.ts';

export interface RecordedKind {
  readonly node: DialectName;
  readonly network: NetworkName;
  readonly dialect: DialectName;
}

const core = (node: DialectName): RecordedKind => ({ node, network: 'regtest', dialect: node });

/** The nodes whose histories were recorded, of which there is a sample. */
export const KINDS: readonly RecordedKind[] = [
  { node: 'litecoin-0.21', network: 'litecoin-regtest', dialect: 'litecoin-0.21' },
  core('core-32'),
];

/** The releases that answered the requests of 32. */
export const RELEASES: readonly RecordedKind[] = [core('core-29'), core('core-30'), core('core-31')];

/** Opens a node as those whose answers were recorded. */
export function open({ network, dialect }: RecordedKind, store: RecordStore): NodeRpc {
  let next = 1;
  const random = (size: number): Uint8Array => new Uint8Array(size).fill(next++);
  const options = { network, dialect, store, ecc: eccFor('shared'), scrypt: quickScrypt };
  // The nodes ran with these options; Core replaces transactions without the second.
  const policy = { acceptnonstdtxn: true, mempoolreplacement: true, walletbroadcast: false };
  return createNodeRpc({ ...policy, ...options, clock: () => 0, random });
}

interface Difference {
  readonly call: Recorded;
  readonly answer: unknown;
}

/** Replays a corpus: every difference must be a known divergence, and as frequent as stated. */
export function replay(corpus: string, calls: readonly Recorded[], rpc: NodeRpc, place = 'in memory'): void {
  const asked = calls.filter(({ label }) => label !== 'info');
  const differences = asked.flatMap((call): readonly Difference[] => {
    const answer = answerOf(rpc, call);
    return isAnswered(call, answer) ? [] : [{ call, answer }];
  });
  const excused = Object.values(walletDivergences);
  expect(differences.filter(({ call }) => !excused.some(({ concerns }) => concerns(call)))).toEqual([]);
  for (const { counts, concerns } of excused) {
    expect(differences.filter(({ call }) => concerns(call))).toHaveLength(counts[corpus] ?? 0);
  }
  const total = asked.length;
  const kept = differences.length;
  report({ subject: `${corpus} ${place}`, passed: total - kept, total, kept });
}

/** Calls that concern a process only: each process has its clock, and its unlocked wallets. */
const EVERYWHERE = ['setmocktime', 'walletpassphrase', 'walletlock'];

/** Opens several nodes on one store, one after the other, and deals the calls among them. */
export function openSeveral(kind: RecordedKind, count: number, openRecords: () => SharedStore): NodeRpc {
  const openOne = (): NodeRpc => open(kind, openRecords());
  const first = openOne();
  const nodes = [first];
  const forAll: Recorded[] = [];
  let turn = 0;
  const deal = (method: string, params: Recorded['params'], wallet?: string): unknown => {
    turn += 1;
    if (turn % 40 === 0 && nodes.length < count) {
      const late = openOne();
      for (const call of forAll) answerOf(late, call);
      nodes.push(late);
    }
    const isForAll = EVERYWHERE.includes(method);
    if (isForAll) {
      const call = { method, params, ...(wallet !== undefined && { wallet }) };
      forAll.push(call);
      for (const other of nodes.slice(1)) answerOf(other, call);
    }
    const node = isForAll ? first : nodes[(turn * 7) % nodes.length];
    return (node ?? first).call(method, params, wallet);
  };
  const close = (): void => {
    for (const node of nodes) node.close();
  };
  return { ...first, call: deal as NodeRpc['call'], close };
}
