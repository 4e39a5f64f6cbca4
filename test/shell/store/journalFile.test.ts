import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../../src/shell/store/openStore.ts';
import { rounds } from '../../support/campaign.ts';
import { type Disk, makeDisk, randomFrom } from '../../support/disk.ts';
import { firstVersion } from '../../support/journals.ts';
import type { JournalStore } from '../../support/library.ts';
import { refusalIfAny } from '../../support/refusal.ts';

const DIRECTORY = '/node';

interface Change {
  /** Truncating removes as many entries as there are here. */
  readonly kind: 'append' | 'rewrite' | 'truncate';
  readonly entries: readonly string[];
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('append', 'append', 'append', 'rewrite', 'truncate'),
  entries: fc.array(fc.string({ maxLength: 30 }), { minLength: 1, maxLength: 4 }),
});
const scenario = fc.record({
  changes: fc.array(change, { minLength: 1, maxLength: 8 }),
  calls: fc.integer({ min: 1, max: 80 }),
  seed: fc.integer(),
});

const lengthAfter = (entries: readonly string[], removed: readonly string[]): number =>
  Math.max(0, entries.length - removed.length);
function apply(entries: readonly string[], { kind, entries: given }: Change): readonly string[] {
  if (kind === 'truncate') return entries.slice(0, lengthAfter(entries, given));
  return kind === 'append' ? [...entries, ...given] : given;
}
function perform(store: JournalStore, { kind, entries }: Change): void {
  if (kind === 'truncate') store.truncate(lengthAfter([...store.read()], entries));
  else store[kind](entries);
}

function entriesOn(disk: Disk): string[] {
  const store = openStore(DIRECTORY, disk.files);
  const entries = [...store.read()];
  store.close();
  return entries;
}

/** The entries of a store after a failure: `sure`, or possibly `other`. */
interface Standing {
  readonly sure: readonly string[];
  readonly other: readonly string[] | undefined;
}

/** Performs changes until one fails. */
function performUntilFailure(disk: Disk, changes: readonly Change[]): Standing {
  let sure: readonly string[] = [];
  let store: JournalStore | undefined;
  const opening = refusalIfAny(() => {
    store = openStore(DIRECTORY, disk.files);
  });
  if (store === undefined || opening !== undefined) return { sure, other: undefined };
  for (const next of changes) {
    const opened = store;
    if (refusalIfAny(() => perform(opened, next)) !== undefined) return { sure, other: apply(sure, next) };
    sure = apply(sure, next);
  }
  return { sure, other: undefined };
}

/** Performs all changes, one of which may fail; stops only where the store then refuses to go on. */
function performDespiteFailure(store: JournalStore, changes: readonly Change[], code: string): Standing {
  let sure: readonly string[] = [];
  for (const next of changes) {
    const failure = refusalIfAny(() => perform(store, next));
    const isUnsure = failure?.message.includes('reopen the store to see');
    if (isUnsure) return { sure, other: apply(sure, next) };
    if (failure === undefined) sure = apply(sure, next);
    else expect(failure.code).toBe(code === 'EIO' ? 'store/failed' : 'store/full');
    expect([...store.read()]).toEqual(sure);
  }
  return { sure, other: undefined };
}

function expectStanding(found: readonly string[], { sure, other }: Standing): void {
  // A truncation may have removed only some of its entries.
  const isPart = other !== undefined && found.length >= other.length && other.length < sure.length;
  const isOther = other !== undefined && JSON.stringify(found) === JSON.stringify(other);
  expect(found).toEqual(isOther ? other : isPart ? sure.slice(0, found.length) : sure);
}

describe('a loss of power', () => {
  test('at any call keeps all acknowledged changes, and the last one whole or not at all', () => {
    fc.assert(
      fc.property(scenario, ({ changes, calls, seed }) => {
        const disk = makeDisk(DIRECTORY, randomFrom(seed));
        // From the n-th call on, nothing reaches the disk.
        disk.failAt(calls, 'EIO', true);
        const standing = performUntilFailure(disk, changes);
        disk.losePower();
        disk.forgetLocks();
        expectStanding(entriesOn(disk), standing);
        expectStanding(entriesOn(disk), standing);
      }),
      { numRuns: rounds(3000) },
    );
  });

  test('during a repair loses nothing either', () => {
    fc.assert(
      fc.property(scenario, fc.integer({ min: 1, max: 12 }), ({ changes, calls, seed }, laterCalls) => {
        const disk = makeDisk(DIRECTORY, randomFrom(seed));
        disk.failAt(calls, 'EIO', true);
        const standing = performUntilFailure(disk, changes);
        // The process is killed but the machine runs on: written bytes stay, synced or not.
        disk.forgetLocks();
        disk.failAt(laterCalls, 'EIO', true);
        let found: string[] | undefined;
        refusalIfAny(() => {
          found = entriesOn(disk);
        });
        if (found !== undefined) expectStanding(found, standing);
        disk.losePower();
        disk.forgetLocks();
        const last = entriesOn(disk);
        // Entries that were read once stay.
        if (found !== undefined) expect(last).toEqual(found);
        else expectStanding(last, standing);
      }),
      { numRuns: rounds(3000) },
    );
  });
});

describe('the first opening of a journal of version 1', () => {
  test('loses neither an entry nor a torn end if a failure or a loss of power interrupts it', () => {
    const cases = fc.record({
      entries: fc.array(fc.string({ maxLength: 30 }), { minLength: 1, maxLength: 4 }),
      torn: fc.nat({ max: 20 }),
      calls: fc.integer({ min: 1, max: 40 }),
      code: fc.constantFrom('EIO', 'ENOSPC'),
      isLasting: fc.boolean(),
      seed: fc.integer(),
    });
    fc.assert(
      fc.property(cases, ({ entries, torn, calls, code, isLasting, seed }) => {
        const disk = makeDisk(DIRECTORY, randomFrom(seed));
        const tail = Buffer.alloc(torn, 'T');
        disk.put(`${DIRECTORY}/journal`, Buffer.concat([firstVersion(entries), tail]));
        disk.failAt(calls, code, isLasting);
        refusalIfAny(() => {
          expect(entriesOn(disk)).toEqual(entries);
        });
        if (isLasting) disk.losePower();
        disk.failAt(Number.POSITIVE_INFINITY, '');
        disk.forgetLocks();
        expect(entriesOn(disk)).toEqual(entries);
        expect(entriesOn(disk)).toEqual(entries);
        const names = disk.names().map((name) => name.slice(DIRECTORY.length + 1));
        expect(names.filter((name) => !name.startsWith('journal.cut-'))).toEqual(['journal']);
        // The failure may have torn another record.
        const pieces = names.flatMap((name) => (name === 'journal' ? [] : [disk.read(`${DIRECTORY}/${name}`)]));
        if (torn > 0) expect(pieces).toContainEqual(tail);
        expect(disk.read(`${DIRECTORY}/journal`).toString('latin1')).toMatch(/^countersign journal 2 /);
      }),
      { numRuns: rounds(2000) },
    );
  });
});

describe('a call that fails', () => {
  test('refuses only its change; the store stays usable', () => {
    fc.assert(
      fc.property(scenario, fc.constantFrom('ENOSPC', 'EDQUOT', 'EIO'), ({ changes, calls, seed }, code) => {
        const disk = makeDisk(DIRECTORY, randomFrom(seed));
        const store = openStore(DIRECTORY, disk.files);
        disk.failAt(calls, code);
        const standing = performDespiteFailure(store, changes, code);
        if (seed % 2 === 0) store.close();
        disk.losePower();
        disk.forgetLocks();
        expectStanding(entriesOn(disk), standing);
      }),
      { numRuns: rounds(3000) },
    );
  });

  test('closes the store if it cannot be undone', () => {
    const disk = makeDisk(DIRECTORY, () => 0.9);
    const store = openStore(DIRECTORY, disk.files);
    store.append(['a']);
    disk.failAt(1, 'EIO', true);
    const failures = [['b'], ['c']].map((entries) => refusalIfAny(() => store.append(entries)));
    for (const failure of failures) {
      expect(failure).toMatchObject({
        code: 'store/failed',
        data: { reason: 'the last change may or may not be kept; reopen the store to see' },
      });
    }
    expect(refusalIfAny(() => void store.read())?.code).toBe('store/failed');
    store.close();
  });
});

describe('a rewrite', () => {
  test('overwrites the old entries, even if a crash interrupted it', () => {
    for (let calls = 1; calls < 20; calls++) {
      const disk = makeDisk(DIRECTORY, randomFrom(calls));
      const store = openStore(DIRECTORY, disk.files);
      store.append(['{"key":"plaintext"}']);
      disk.failAt(calls, 'EIO', true);
      const failure = refusalIfAny(() => store.rewrite(['{"key":"sealed"}']));
      disk.failAt(Number.POSITIVE_INFINITY, '');
      disk.forgetLocks();
      if (entriesOn(disk)[0] === '{"key":"sealed"}') expect(disk.raw()).not.toContain('plaintext');
      else expect(failure).toBeDefined();
      expect(disk.names()).toEqual([`${DIRECTORY}/journal`]);
    }
  });
});
