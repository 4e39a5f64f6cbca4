import { randomBytes } from 'node:crypto';
import * as nodeFiles from 'node:fs';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Files } from '../../../src/shell/store/files.ts';
import { openStore } from '../../../src/shell/store/openStore.ts';
import { blockAfter } from '../../support/blocks.ts';
import { stride } from '../../support/campaign.ts';
import { isFast } from '../../support/corpus.ts';
import type { JournalStore } from '../../support/library.ts';
import { refusalIfAny } from '../../support/refusal.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { begin, type Played, play, type Step } from '../../support/walletHistory.ts';
import {
  allAnswers,
  ask,
  LEGACY,
  MODERN,
  makeWorld,
  openWalletRpc,
  type WalletWorld,
} from '../../support/walletWorld.ts';

/** Nodes with a chain and a wallet in a directory, on a disk that fails. */

const newPath = temporaryPaths();
const KINDS = [
  ['0.21', LEGACY],
  ['31', MODERN],
] as const;

const STEPS: readonly Step[] = [
  { type: 'pay', coin: 0, to: [0, 3] },
  { type: 'mine', most: 1, miner: 1 },
  { type: 'label', address: 0, label: 'again' },
  { type: 'import', which: 0 },
  { type: 'undo' },
  { type: 'mine', most: 3, miner: 0 },
  { type: 'remove', tx: 0 },
  { type: 'prove', tx: 0 },
  { type: 'flag', isSet: true },
];

/** Makes files of which only so many may still grow. */
function limited(): { readonly files: Files; readonly give: (writes: number) => void } {
  let room = Number.POSITIVE_INFINITY;
  const fail = (): never => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  };
  const files: Files = {
    ...nodeFiles,
    openSync: (path, flags, mode) => {
      if (String(flags).startsWith('wx') && room <= 0 && !path.includes('lock-')) fail();
      return nodeFiles.openSync(path, flags, mode);
    },
    writeSync: (file, from, offset, length, position) => {
      const isGrowing = position + length > nodeFiles.fstatSync(file).size;
      if (!isGrowing || --room >= 0) return nodeFiles.writeSync(file, from, offset, length, position);
      // A part may still fit.
      nodeFiles.writeSync(file, from, offset, Math.floor(length / 2), position);
      return fail();
    },
  };
  return {
    files,
    give: (writes) => {
      room = writes;
    },
  };
}

const copied = (played: Played): Played => ({
  ...played,
  coins: [...played.coins],
  txs: [...played.txs],
  parents: new Map(played.parents),
});

const messageOf = (answer: unknown): string => {
  const { code, message } = (answer ?? {}) as { readonly code?: number; readonly message?: string };
  return code === -20 ? (message ?? '') : '';
};

describe.each(KINDS)('a node of %s on a full disk', (_, kind) => {
  test.skipIf(isFast)('refuses a change at any write without a trace, and opens and answers meanwhile', () => {
    const { files, give } = limited();
    const directory = newPath();
    const open = (): JournalStore => openStore(directory, files);
    let store = open();
    let world = makeWorld(kind, { store });
    let played = begin(world);
    let refused = 0;
    for (const step of STEPS) {
      for (let room = 0; ; room += stride) {
        const before = allAnswers(world);
        const tried = copied(played);
        give(room);
        const message = messageOf(play(world, tried, step));
        if (message === '') {
          played = tried;
          break;
        }
        refused += 1;
        expect(message).toMatch(/^Nothing was changed: Cannot use .*(journal|records).*: the disk is full/);
        expect(allAnswers(world)).toEqual(before);
        store.close();
        give(0);
        store = open();
        world = { ...world, rpc: openWalletRpc(kind, store) };
        expect(allAnswers(world)).toEqual(before);
      }
    }
    expect(refused).toBeGreaterThan(STEPS.length);
    store.close();
  });
});

const PAGE = 4096;

type Answers = Readonly<Record<string, unknown>>;

/** Opens a node on a directory. @returns its answers: those of the wallet, and those that need the chain or change it */
function answersIn(directory: string, world: WalletWorld): Answers {
  const store = openStore(directory);
  try {
    const rpc = openWalletRpc(world.kind, store);
    return {
      ...allAnswers({ ...world, rpc }),
      heights: [1, 50, 102].map((height) => ask(rpc, 'getblockhash', [height])),
      changes: [
        ask(rpc, 'submitblock', [blockAfter(world.base, { salt: 'dd' }).hex]),
        ask(rpc, 'invalidateblock', [world.base.hash]),
        ask(rpc, 'listunspent', [0]),
      ],
    };
  } finally {
    store.close();
  }
}

/** Expects each answer to be right, or an error that names the database. @returns whether all are right */
function expectRight(directory: string, answers: Answers, wanted: Answers): boolean {
  const faults = (answer: unknown): readonly string[] => [answer].flat().flatMap((each) => messageOf(each) || []);
  for (const [name, answer] of Object.entries(answers)) {
    for (const fault of faults(answer)) expect(fault).toContain(`${directory}/records`);
    if (faults(answer).length === 0) expect([name, answer]).toEqual([name, wanted[name]]);
  }
  return Object.values(answers).every((answer) => faults(answer).length === 0);
}

/** Lists copies of bytes with one page overwritten. */
function* damaged(whole: Buffer): Generator<Buffer> {
  for (let at = 0; at < whole.length; at += stride * PAGE) {
    const size = Math.min(PAGE, whole.length - at);
    for (const content of [Buffer.alloc(size), randomBytes(size)]) {
      const bytes = Buffer.from(whole);
      bytes.set(content, at);
      yield bytes;
    }
  }
}

test.skipIf(isFast)('a directory with any one page overwritten is refused by name, or answers rightly', () => {
  const source = newPath();
  const store = openStore(source);
  const world = makeWorld(MODERN, { store });
  const played = begin(world);
  for (const step of STEPS) play(world, played, step);
  store.close();
  const names = readdirSync(source);
  const directory = newPath();
  const putBack = (): void => {
    rmSync(directory, { recursive: true, force: true });
    cpSync(source, directory, { recursive: true });
  };
  putBack();
  const wanted = answersIn(directory, world);
  const counts = { right: 0, partly: 0, refused: 0 };
  for (const name of names) {
    for (const bytes of damaged(readFileSync(join(source, name)))) {
      putBack();
      writeFileSync(join(directory, name), bytes);
      const refusal = refusalIfAny(() => {
        counts[expectRight(directory, answersIn(directory, world), wanted) ? 'right' : 'partly'] += 1;
      });
      if (refusal === undefined) continue;
      expect(refusal.code).toBe('store/corrupt');
      expect(refusal.message).toContain(join(directory, name));
      counts.refused += 1;
    }
  }
  console.log(`${names.join(', ')}: ${JSON.stringify(counts)}`);
  expect(counts.refused + counts.partly).toBeGreaterThan(counts.right);
});
