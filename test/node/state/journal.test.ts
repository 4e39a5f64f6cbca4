import { expect, test } from 'vitest';
import { withKeys } from '../../support/descriptorKeys.ts';
import { changeJournal, journalOf } from '../../support/journals.ts';
import { createMemoryStore, createNodeRpc, withChecksum } from '../../support/library.ts';

test('a wallet opens a journal whose miniscript descriptor has two keys that the parser now refuses as duplicates', () => {
  const open = (store = createMemoryStore()) =>
    createNodeRpc({
      network: 'main',
      dialect: 'core-31',
      store,
      clock: () => 0,
      random: (size) => new Uint8Array(size),
    });
  const store = createMemoryStore();
  const before = open(store);
  before.call('createwallet', ['w', false, true]);
  const [secret, text] = (['private', 'public'] as const).map((form) =>
    withKeys('wsh(and_v(v:pk($two/0),pk($other/0)))', form),
  );
  const desc = withChecksum(secret ?? '');
  expect(before.call('importdescriptors', [[{ desc, timestamp: 'now' }]], 'w')).toMatchObject([{ success: true }]);
  // The journal of an older version, which did not recognize such keys as duplicates.
  const own = (body: string): string => `"descriptor":"${withChecksum(body)}"`;
  const hardened = `${text}`.replaceAll('/0)', '/0h)');
  const older = createMemoryStore();
  changeJournal(older, ({ append }) =>
    append(journalOf(store).map((entry) => entry.replace(own(text ?? ''), own(hardened)))),
  );
  const after = open(older);
  expect(journalOf(older).join()).toContain(own(hardened));
  expect(after.call('listwallets')).toEqual(['w']);
  expect(after.call('getdescriptorinfo', [text ?? ''])).toMatchObject({ isrange: false });
  expect(() => after.call('getdescriptorinfo', [hardened])).toThrow('contains duplicate public keys');
});
