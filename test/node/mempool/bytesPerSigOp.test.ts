import { expect, test } from 'vitest';
import { blocksAfter, coinbaseOf, genesisOf, quickNetwork, spend } from '../../support/blocks.ts';
import { submit } from '../../support/feeding.ts';
import { createNodeRpc, encodeTransaction, formatHex, formatTxid, txid } from '../../support/library.ts';

/** A bare multisig output of one key counts as 20 signature checks, each of 4 units of weight. */
const BARE_MULTISIG = `5121${`02${'11'.repeat(32)}`}51ae`;

test.each([
  [undefined, 400],
  [100, 2000],
  [1, undefined],
])('with bytespersigop %s, 20 signature checks count as %s bytes', (bytespersigop, expected) => {
  const rpc = createNodeRpc({
    network: quickNetwork('regtest'),
    dialect: 'core-32',
    clock: () => 1_700_100_000,
    random: (size) => new Uint8Array(size),
    acceptnonstdtxn: true,
    ...(bytespersigop !== undefined && { bytespersigop }),
  });
  const blocks = blocksAfter(genesisOf('regtest'), 110);
  submit(rpc, blocks);
  const [block] = blocks;
  if (!block) throw new Error('A block is needed');
  const coinbase = coinbaseOf(block);
  const value = coinbase.outputs[0]?.value ?? 0n;
  const tx = spend([{ txid: txid(coinbase), vout: 0 }], BARE_MULTISIG, value - 100_000n);
  const hex = formatHex(encodeTransaction(tx));
  const [tested] = rpc.call('testmempoolaccept', [[hex]]);
  const vsize = expected ?? tested?.vsize_bip141;
  expect(tested).toMatchObject({ allowed: true, vsize, vsize_adjusted: vsize });
  rpc.call('sendrawtransaction', [hex]);
  const id = formatTxid(txid(tx));
  expect(rpc.call('getmempoolentry', [id])).toMatchObject({ vsize, ancestorsize: vsize });
  expect(rpc.call('getrawtransaction', [id, 1])).toMatchObject({ vsize_adjusted: vsize });
  expect(rpc.call('getmempoolinfo')).toMatchObject({ bytes: vsize });
});
