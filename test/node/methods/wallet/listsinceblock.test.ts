import { expect, test } from 'vitest';
import { blockAfter, genesisOf } from '../../../support/blocks.ts';
import { openWithWallet } from '../../../support/feeding.ts';
import { formatHex } from '../../../support/library.ts';
import { keyOf } from '../../../support/walletKeys.ts';

test.each([
  [0xffff_ffff, 0xffff_ffff],
  [2 ** 32 + 5, 5],
])('a transaction received at %i is listed with time %i: wallets store times in 32 bits', (now, timereceived) => {
  const rpc = openWithWallet();
  rpc.call('importprivkey', [keyOf(1).wif], 'w');
  rpc.call('setmocktime', [now]);
  const { hex } = blockAfter(genesisOf('litecoin-regtest'), { script: formatHex(keyOf(1).program) });
  rpc.call('submitblock', [hex]);
  const time = Math.min(timereceived, 1_700_000_600);
  expect(rpc.call('listsinceblock', [], 'w')).toMatchObject({ transactions: [{ time, timereceived }] });
});
