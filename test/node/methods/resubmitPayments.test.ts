import { afterEach, describe, expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../../src/core/crypto/nativeSecp256k1.ts';
import { type Regtest, type RegtestOptions, startRegtest } from '../../../src/shell/regtest/index.ts';

const PAYEE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const HOUR = 3600;
let chain: Regtest;

afterEach(() => chain.close());

/** Starts a chain whose mempool forgets after an hour, with a wallet that has paid. */
function paid(options: RegtestOptions = {}): string {
  chain = startRegtest({ ecc: nativeSecp256k1Ecc, mempoolexpiry: 1, ...options });
  const wallet = chain.wallet('w');
  chain.fund(wallet.address(), 100_000_000n);
  return wallet.send(PAYEE, 25_000_000n);
}

const pooled = (): readonly string[] => chain.rpc.call('getrawmempool');

/** Sends another payment, at which the mempool drops what is too old. */
function expire(): void {
  chain.advance(2 * HOUR);
  chain.fund(PAYEE, 10_000n);
  expect(pooled()).toEqual([]);
}

function reload(): void {
  chain.rpc.call('unloadwallet', ['w']);
  chain.rpc.call('loadwallet', ['w']);
}

describe('a wallet that is loaded', () => {
  test('submits what the mempool has dropped', () => {
    const txid = paid();
    expire();
    reload();
    expect(pooled()).toEqual([txid]);
    expect(chain.rpc.call('getmempoolentry', [txid])).toMatchObject({ unbroadcast: false });
  });

  test('also after an import that rescans', () => {
    const txid = paid();
    expire();
    const { descriptors } = chain.rpc.call('listdescriptors', [true], 'w');
    const requests = descriptors.slice(0, 1).map(({ desc }) => ({ desc, timestamp: 0, range: 10 }));
    expect(chain.rpc.call('importdescriptors', [requests], 'w')).toMatchObject([{ success: true }]);
    expect(pooled()).toEqual([txid]);
  });

  test('submits nothing that was abandoned', () => {
    const txid = paid();
    expire();
    chain.rpc.call('abandontransaction', [txid], 'w');
    reload();
    expect(pooled()).toEqual([]);
  });
});

test('with -walletbroadcast=0, payments stay in the wallet until a client sends them', () => {
  const txid = paid({ walletbroadcast: false });
  reload();
  expect(pooled()).toEqual([]);
  const { hex } = chain.rpc.call('gettransaction', [txid], 'w');
  expect(chain.rpc.call('sendrawtransaction', [hex])).toBe(txid);
  expect(pooled()).toEqual([txid]);
});
