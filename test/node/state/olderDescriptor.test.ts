import { expect, test } from 'vitest';
import { KINDS } from '../../../src/node/store/kinds.ts';
import { withKeys } from '../../support/descriptorKeys.ts';
import { createMemoryStore, createNodeRpc, withChecksum } from '../../support/library.ts';
import { forge } from '../../support/walletRecords.ts';

test('a wallet opens whose miniscript descriptor has two keys that the parser now refuses as duplicates', () => {
  const open = (store = createMemoryStore()) =>
    createNodeRpc({
      network: 'main',
      dialect: 'core-32',
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
  // A record of an older version, which did not recognize such keys as duplicates.
  const own = (body: string): string => `"descriptor":"${withChecksum(body)}"`;
  const hardened = `${text}`.replaceAll('/0)', '/0h)');
  const changed = forge(store, KINDS.descriptor, (value) => {
    const json = Buffer.from(value).toString('latin1');
    expect(json).toContain(own(text ?? ''));
    return Buffer.from(json.replace(own(text ?? ''), own(hardened)));
  });
  expect(changed).toBe(1);
  const after = open(store);
  expect(after.call('listwallets')).toEqual(['w']);
  expect(after.call('listdescriptors', [], 'w')).toMatchObject({ descriptors: [{}] });
  expect(after.call('getdescriptorinfo', [text ?? ''])).toMatchObject({ isrange: false });
  expect(() => after.call('getdescriptorinfo', [hardened])).toThrow('contains duplicate public keys');
});
