import { expect, test } from 'vitest';
import { concat } from '../../../live/scripts/bytes.ts';
import { openWithWallet } from '../../../support/feeding.ts';
import { formatHex, hash160 } from '../../../support/library.ts';
import { addressOf, keyOf } from '../../../support/walletKeys.ts';

test.each([1.5, [0, 1e20]])(
  'importmulti of 0.21 reports a missing field for a range that is no integer: %j',
  (range) => {
    const rpc = openWithWallet();
    const xpub =
      'tpubD6NzVbkrYhZ4XgV8LDYyR2G6Upu5zhaD4wxxmgjrzyhDE9googsaehCaoobGYJ9hvjpKZ9fef8QzPi18FRnp5G2T3vxb4AVDGa1i9gDpNdF';
    const { descriptor } = rpc.call('getdescriptorinfo', [`pkh(${xpub}/*)`]) as { descriptor: string };
    const error = { code: -1, message: 'Missing required fields' };
    expect(rpc.call('importmulti' as string, [[{ desc: descriptor, range, timestamp: 1 }]], 'w')).toEqual([
      { success: false, error },
    ]);
  },
);

test('importmulti of 0.21 names the shortest of the scripts that the wallet has already', () => {
  const rpc = openWithWallet();
  const { publicKey, wif } = keyOf(1, false);
  rpc.call('importprivkey', [wif], 'w');
  const { descriptor } = rpc.call('getdescriptorinfo', [`combo(${formatHex(publicKey)})`]) as { descriptor: string };
  const script = formatHex(concat([0x76, 0xa9, 20], hash160(publicKey), [0x88, 0xac]));
  const message = `The wallet already contains the private key for this address or script ("${script}")`;
  expect(rpc.call('importmulti', [[{ desc: descriptor, timestamp: 1, watchonly: true }]], 'w')).toEqual([
    { success: false, error: { code: -4, message } },
  ]);
});

test('importmulti of 0.21 imports the private keys of a descriptor that cannot be derived', () => {
  const rpc = openWithWallet();
  const xpub =
    'tpubD6NzVbkrYhZ4XgV8LDYyR2G6Upu5zhaD4wxxmgjrzyhDE9googsaehCaoobGYJ9hvjpKZ9fef8QzPi18FRnp5G2T3vxb4AVDGa1i9gDpNdF';
  const body = `sh(multi(1,${xpub}/*',${keyOf(3).wif}))`;
  const { descriptor, checksum } = rpc.call('getdescriptorinfo', [body]) as { descriptor: string; checksum: string };
  expect(descriptor).toContain('multi');
  const request = { desc: `${body}#${checksum}`, range: 1, timestamp: 1, watchonly: true };
  expect(rpc.call('importmulti', [[request]], 'w')).toMatchObject([{ success: true }]);
  expect(rpc.call('getaddressinfo', [addressOf(keyOf(3).program)], 'w')).toMatchObject({ ismine: true });
});
