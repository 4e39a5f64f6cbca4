import { describe, expect, test } from 'vitest';
import { blockAfter, blocksAfter } from '../../../support/blocks.ts';
import { importAll, openWallet, reload, xprvA } from '../../../support/descriptorWallet.ts';
import { type NodeRpc, stringifyRpc } from '../../../support/library.ts';
import {
  ask,
  idOf,
  LEGACY,
  MODERN,
  makeWorld,
  NOW,
  openWalletRpc,
  payment,
  put,
} from '../../../support/walletWorld.ts';

const textOf = (rpc: ReturnType<typeof makeWorld>['rpc']): string => stringifyRpc(rpc.call('getwalletinfo', [], 'w'));

test('getwalletinfo of 0.21 reports the trusted, unconfirmed and immature balances', () => {
  const { rpc, coins, scripts, base } = makeWorld(LEGACY);
  const [own = '', , watched = ''] = scripts;
  const [first, second, third] = coins;
  if (!first || !second || !third) throw new Error('no coins');
  const mined = payment(first, [own, watched]);
  const last = blockAfter(base, { txs: [mined], script: own });
  ask(rpc, 'submitblock', [last.hex]);
  put(rpc, payment(second, [own, own], 2000n));
  expect(textOf(rpc)).toBe(
    `{"walletname":"w","walletversion":210000,"format":"bdb","balance":0.00045000,"unconfirmed_balance":0.00001999,"immature_balance":50.00000000,"txcount":3,"keypoololdest":${NOW},"keypoolsize":0,"keypoolsize_hd_internal":0,"paytxfee":0.00000000,"private_keys_enabled":true,"avoid_reuse":false,"scanning":false,"descriptors":false}`,
  );
  // Locked coins count, spent ones do not.
  ask(rpc, 'lockunspent', [false, [{ txid: idOf(mined), vout: 0 }]]);
  expect(ask(rpc, 'getwalletinfo')).toMatchObject({ balance: 0.00045 });
  for (const { hex } of blocksAfter(last, 100)) ask(rpc, 'submitblock', [hex]);
  expect(ask(rpc, 'getwalletinfo')).toMatchObject({ balance: 50.00045, immature_balance: 0 });
  put(rpc, payment(third, [own, own], 100_000n));
  expect(ask(rpc, 'getwalletinfo')).toMatchObject({ balance: 50.00045, unconfirmed_balance: 0.00101998 });
});

test('getwalletinfo of Core 31 reports the last processed block, and no balances', () => {
  const { rpc, base } = makeWorld(MODERN);
  expect(textOf(rpc)).toBe(
    `{"walletname":"w","walletversion":169900,"format":"sqlite","txcount":0,"keypoolsize":0,"keypoolsize_hd_internal":0,"private_keys_enabled":true,"avoid_reuse":false,"scanning":false,"descriptors":true,"external_signer":false,"blank":true,"birthtime":1296688602,"flags":["last_hardened_xpub_cached","blank","descriptor_wallet"],"lastprocessedblock":{"hash":"${base.hash}","height":${base.height}}}`,
  );
});

test('getwalletinfo reports unlocked_until by mock time, in whole seconds', () => {
  const { rpc } = makeWorld(LEGACY, { clock: () => NOW + 0.5 });
  ask(rpc, 'encryptwallet', ['a']);
  expect(ask(rpc, 'getwalletinfo')).toMatchObject({ unlocked_until: 0 });
  ask(rpc, 'walletpassphrase', ['a', 60]);
  expect(ask(rpc, 'getwalletinfo')).toMatchObject({ unlocked_until: NOW + 60 });
  ask(rpc, 'setmocktime', [2_000_000_000]);
  ask(rpc, 'walletpassphrase', ['a', 60]);
  expect(ask(rpc, 'getwalletinfo')).toMatchObject({ unlocked_until: 2_000_000_060 });
});

const infoOf = (rpc: NodeRpc): unknown => ask(rpc, 'getwalletinfo');

describe('getwalletinfo', () => {
  test.each([
    [[false, true], true, ['last_hardened_xpub_cached', 'blank', 'descriptor_wallet']],
    [[false, false], false, ['last_hardened_xpub_cached', 'descriptor_wallet']],
    [[true, false], false, ['last_hardened_xpub_cached', 'disable_private_keys', 'descriptor_wallet']],
    [
      [true, true, null, true],
      true,
      ['avoid_reuse', 'last_hardened_xpub_cached', 'disable_private_keys', 'blank', 'descriptor_wallet'],
    ],
  ])('lists the flags set by createwallet w %j', (rest, blank, flags) => {
    const rpc = openWalletRpc(MODERN);
    rpc.call('createwallet' as string, ['w', ...rest]);
    expect(infoOf(rpc)).toMatchObject({ blank, flags });
    expect('birthtime' in (infoOf(rpc) as object)).toBe(!blank && !flags.includes('disable_private_keys'));
  });

  test('counts the unused indexes of active descriptors by side', () => {
    const rpc = openWallet();
    importAll(
      rpc,
      { desc: `wpkh(${xprvA}/0/*)`, active: true, range: [0, 9], next_index: 5 },
      { desc: `wpkh(${xprvA}/1/*)`, active: true, internal: true, range: [0, 2000] },
      { desc: `tr(${xprvA}/2/*)`, active: true },
      { desc: `tr(${xprvA}/3/*)` },
    );
    expect(infoOf(rpc)).toMatchObject({ keypoolsize: 2000, keypoolsize_hd_internal: 2001 });
  });

  test('reports the oldest timestamp; an earlier one for a known descriptor counts after the wallet is reloaded', () => {
    const rpc = openWallet();
    importAll(rpc, { desc: `wpkh(${xprvA}/0/*)`, timestamp: 1000, range: 9 });
    importAll(rpc, { desc: `wpkh(${xprvA}/0/*)`, timestamp: 500, range: 2000 });
    expect(infoOf(rpc)).toMatchObject({ birthtime: 1000 });
    reload(rpc);
    expect(infoOf(rpc)).toMatchObject({ birthtime: 500 });
  });
});
