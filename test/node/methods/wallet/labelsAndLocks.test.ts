import { describe, expect, test } from 'vitest';
import { blockAfter, coinbaseOf, genesisOf, type TestNetwork } from '../../../support/blocks.ts';
import { openWithWallet, rpcFault } from '../../../support/feeding.ts';
import { formatHex, formatTxid, formatWif, type NodeRpc, networks, txid } from '../../../support/library.ts';
import { keyOf } from '../../../support/walletKeys.ts';

describe('lockunspent', () => {
  function withCoins(rpc: NodeRpc, network: TestNetwork): readonly { readonly txid: string; readonly vout: number }[] {
    const script = formatHex(keyOf(1).program);
    const first = blockAfter(genesisOf(network), { script });
    const blocks = [first, blockAfter(first, { script })];
    for (const { hex } of blocks) rpc.call('submitblock', [hex]);
    return blocks.map((block) => ({ txid: formatTxid(txid(coinbaseOf(block))), vout: 0 }));
  }

  test('of 0.21 lasts until the wallet is unloaded, and is listed by txid', () => {
    const rpc = openWithWallet();
    rpc.call('importprivkey', [keyOf(1).wif], 'w');
    const coins = withCoins(rpc, 'litecoin-regtest');
    for (const order of [coins, [...coins].reverse()]) {
      rpc.call('lockunspent', [false, order], 'w');
      const reversed = (id: string): string => Buffer.from(id, 'hex').reverse().toString('hex');
      const sorted = [...coins].sort((a, b) => (reversed(a.txid) < reversed(b.txid) ? -1 : 1));
      expect(rpc.call('listlockunspent', [], 'w')).toEqual(sorted);
      rpc.call('unloadwallet', ['w']);
      rpc.call('loadwallet', ['w']);
      expect(rpc.call('listlockunspent', [], 'w')).toEqual([]);
    }
    expect(rpcFault(() => rpc.call('lockunspent' as string, [null], 'w'))).toMatchObject({
      code: -3,
      message: 'Expected type bool, got null',
    });
  });

  test('of Core 31 survives unloading the wallet if it is persistent', () => {
    const rpc = openWithWallet('core-32', 'regtest');
    const body = `wpkh(${formatWif({ secretKey: new Uint8Array(32).fill(1), isCompressed: true }, networks.regtest)})`;
    const { checksum } = rpc.call('getdescriptorinfo', [body]) as { checksum: string };
    rpc.call('importdescriptors', [[{ desc: `${body}#${checksum}`, timestamp: 1 }]], 'w');
    const [kept, gone] = withCoins(rpc, 'regtest');
    rpc.call('lockunspent' as string, [false, [gone]], 'w');
    rpc.call('lockunspent' as string, [false, [kept], true], 'w');
    rpc.call('unloadwallet', ['w']);
    rpc.call('loadwallet', ['w']);
    expect(rpc.call('listlockunspent', [], 'w')).toEqual([kept]);
  });
});
