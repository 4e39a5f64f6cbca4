import { expect, test } from 'vitest';
import { BtcError, type NodeRpc, type SharedStore } from '../../support/library.ts';
import { createSharedRecords } from '../../support/sharedRecords.ts';
import { ask, MODERN, openWalletRpc } from '../../support/walletWorld.ts';

/** Nodes that share a store: what one does, the others take in before their next call. */

const NAMES = ['w', 'second', 'third'];

test('unloading a wallet in one process locks it in every other', () => {
  const records = createSharedRecords();
  const [one, two] = [openWalletRpc(MODERN, records.open()), openWalletRpc(MODERN, records.open())];
  ask(one, 'createwallet', ['w', false, false, 'pass']);
  const address = ask(one, 'getnewaddress', ['', 'legacy'], 'w');
  const sign = (node: NodeRpc): unknown => ask(node, 'signmessage', [address, 'text'], 'w');
  ask(one, 'walletpassphrase', ['pass', 1000], 'w');
  expect(sign(one)).toEqual(expect.any(String));
  ask(two, 'unloadwallet', ['w']);
  ask(two, 'loadwallet', ['w']);
  expect(sign(one)).toMatchObject({ code: -13 });
});

test('a process that could not read what another has changed does so at its next call, and overwrites nothing', () => {
  const records = createSharedRecords();
  let isFailing = false;
  const store: SharedStore = records.open();
  const failing = <A extends readonly unknown[], R>(read: (...args: A) => R) => {
    return (...args: A): R => {
      if (isFailing) throw new BtcError('store/failed', { path: 'here', reason: 'EIO' }, 'Cannot read here');
      return read(...args);
    };
  };
  const one = openWalletRpc(MODERN, { ...store, get: failing(store.get), list: failing(store.list) });
  const two = openWalletRpc(MODERN, records.open());
  ask(one, 'createwallet', ['w', true]);
  ask(two, 'createwallet', ['second', true]);
  isFailing = true;
  expect(ask(one, 'listwallets')).toMatchObject({ code: -20 });
  isFailing = false;
  expect(ask(one, 'createwallet', ['third', true])).toMatchObject({ name: 'third' });
  for (const node of [one, two]) expect(ask(node, 'listwallets')).toEqual(NAMES);
});
