import { describe, expect, test } from 'vitest';
import { importAll, openWallet, xprvA, xprvB, xpubA, xpubB } from '../../../support/descriptorWallet.ts';
import { openWithWallet, rpcFault } from '../../../support/feeding.ts';
import { descriptorChecksum, withChecksum } from '../../../support/library.ts';
import { ask } from '../../../support/walletWorld.ts';

const WARNING = 'Not all private keys provided. Some wallet functionality may return unexpected errors';

describe('importdescriptors', () => {
  test('warns about a musig() unless all participants have private keys', () => {
    const rpc = openWallet();
    const whole = { desc: `tr(musig(${xprvA},${xprvB})/<0;1>/*)`, range: 1 };
    expect(importAll(rpc, whole)).toEqual([{ success: true }]);
    const half = { desc: `rawtr(musig(${xprvA},${xpubB}))` };
    expect(importAll(rpc, half)).toEqual([{ success: true, warnings: [WARNING] }]);
  });

  test('imports unused() only with a new private key, and only into a wallet with private keys', () => {
    const watching = openWallet({ isWatching: true });
    const error = (message: string) => [{ success: false, error: { code: -4, message } }];
    expect(importAll(watching, { desc: `unused(${xpubA})` })).toEqual(
      error('Cannot import unused() to wallet without private keys enabled'),
    );
    const rpc = openWallet();
    importAll(rpc, { desc: `wpkh(${xprvA}/0/*)`, range: 1 });
    const duplicate = error('Cannot import an unused() descriptor when its private key is already in the wallet');
    expect(importAll(rpc, { desc: `unused(${xprvA})` })).toEqual(duplicate);
    expect(importAll(rpc, { desc: `unused(${xprvB})` })).toEqual([{ success: true }]);
    expect(importAll(rpc, { desc: `unused(${xprvB})` })).toEqual(duplicate);
  });

  test('accepts a range that ends at the second-to-last index', () => {
    const rpc = openWallet();
    const last = 2 ** 31 - 2;
    expect(importAll(rpc, { desc: `wpkh(${xprvA}/*)`, range: [last, last] })).toEqual([{ success: true }]);
    expect(ask(rpc, 'listdescriptors')).toMatchObject({ descriptors: [{ range: [last, last + 1], next: last }] });
  });

  test('deactivates one side of a descriptor without the other', () => {
    const rpc = openWallet();
    const desc = `wpkh(${xprvA}/*)`;
    const shown = (): unknown => (ask(rpc, 'listdescriptors') as { readonly descriptors: [unknown] }).descriptors[0];
    importAll(rpc, { desc, active: true, internal: true });
    importAll(rpc, { desc });
    expect(shown()).toMatchObject({ active: true, internal: true });
    importAll(rpc, { desc, internal: true });
    expect(shown()).toMatchObject({ active: false });
    importAll(rpc, { desc, active: true });
    importAll(rpc, { desc, active: true, internal: true });
    expect(shown()).toMatchObject({ active: true, internal: true });
    importAll(rpc, { desc, internal: true });
    expect(shown()).toMatchObject({ active: false });
  });
});

describe('importdescriptors of Core 31', () => {
  const xpub =
    'tpubD6NzVbkrYhZ4XgV8LDYyR2G6Upu5zhaD4wxxmgjrzyhDE9googsaehCaoobGYJ9hvjpKZ9fef8QzPi18FRnp5G2T3vxb4AVDGa1i9gDpNdF';
  function ask(request: Readonly<Record<string, unknown>>): unknown {
    const rpc = openWithWallet('core-32', 'regtest');
    rpc.call('createwallet', ['watching', true]);
    const { body, ...rest } = request;
    const desc = typeof body === 'string' ? { desc: `${body}#${descriptorChecksum(body) ?? ''}` } : {};
    return rpc.call('importdescriptors' as string, [[{ timestamp: 1, ...desc, ...rest }]], 'watching');
  }
  const ranged = `wpkh(${xpub}/*)`;
  const single = `wpkh(${xpub}/1)`;

  test.each([
    ['for a missing descriptor before other members', { active: 'x' }, -8, 'Descriptor not found.'],
    ['the descriptor before the type of internal', { desc: 'wpkh(02)', internal: 'x' }, -5, 'Missing checksum'],
    [
      'for a multipath descriptor before the type of internal',
      { body: `wpkh(${xpub}/<0;1>/*)`, internal: 'x' },
      -5,
      "Cannot have multipath descriptor while also specifying 'internal'",
    ],
    [
      'the range before the type of next_index',
      { body: ranged, range: -1, next_index: 'x' },
      -8,
      'End of range is too high',
    ],
  ])('checks %s', (_, request, code, message) => {
    expect(ask(request)).toEqual([{ success: false, error: { code, message } }]);
  });

  test('checks next_index of ranged descriptors only', () => {
    expect(ask({ body: single, next_index: 'x' })).toEqual([{ success: true }]);
    const wrong = 'JSON value of type string is not of expected type number';
    expect(rpcFault(() => ask({ body: ranged, range: 1, next_index: 'x' }))).toMatchObject({
      code: -3,
      message: wrong,
    });
  });

  test.each([
    ['65535', []],
    ['65536', ['height-based relative locktime: older(65536) > 65535 blocks is unsafe']],
    ['4259839', []],
    ['4259840', ['time-based relative locktime: older(4259840) > (65535 * 512) seconds is unsafe']],
  ])('warns of relative locktimes that are shorter than they look: older(%s)', (lock, warnings) => {
    const leaf = `and_v(v:pk(${xpub}/1),older(${lock}))`;
    const answer = warnings.length === 0 ? [{ success: true }] : [{ success: true, warnings }];
    expect(ask({ body: `wsh(${leaf})` })).toEqual(answer);
    expect(ask({ body: `tr(${xpub}/2,${leaf})` })).toEqual(answer);
  });

  test('fails as a whole for a range that is not an integer', () => {
    const message = 'JSON integer out of range';
    expect(rpcFault(() => ask({ body: ranged, range: 1.5 }))).toMatchObject({ code: -1, message });
  });
});

test('importdescriptors refuses the last possible index, on which Core crashes', () => {
  const rpc = openWithWallet('core-32', 'regtest');
  rpc.call('createwallet', ['watching', true]);
  const xpub =
    'tpubD6NzVbkrYhZ4WaWSyoBvQwbpLkojyoTZPRsgXELWz3Popb3qkjcJyJUGLnL4qHHoQvao8ESaAstxYSnhyswJ76uZPStJRJCTKvosUCJZL5B';
  const last = 2 ** 31 - 1;
  const error = { code: -8, message: 'End of range is too high' };
  for (const range of [
    [last, last],
    [last - 5, last],
    [last, last + 1],
  ]) {
    const request = { desc: withChecksum(`wpkh(${xpub}/*)`), timestamp: 'now', range };
    expect(rpc.call('importdescriptors' as string, [[request]], 'watching')).toEqual([{ success: false, error }]);
  }
});
