import { expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import { walletDivergences } from '../divergences.ts';
import { blockAfter, GENESIS, type MadeBlock, spend } from '../support/blocks.ts';
import { change } from '../support/feeding.ts';
import { createMemoryStore, formatHex, formatWif, networks, parseHex, parseTxid, txid } from '../support/library.ts';
import { ask, hexOf, idOf, LEGACY, MODERN, makeWorld, openWalletRpc, payment, put } from '../support/walletWorld.ts';

/** Intended differences between our wallets and a node's. */

const secretKey = new Uint8Array(32).fill(9);
const wif = formatWif({ secretKey, isCompressed: true }, networks.regtest);
const publicKey = formatHex(nativeSecp256k1Ecc.publicKey(secretKey, true));
const TPRV =
  'tprv8ZgxMBicQKsPdDdJFAqvG3mt4VqsVV125X4vsor5NxK366upt6qvovLQqaCi5SJiCE1aLkt3HtxsnTpzeGu27kPC5RUCr4h3oPBPYnAvhdE';

const withChecksum = (rpc: ReturnType<typeof openWalletRpc>, text: string): string =>
  `${text}#${(rpc.call('getdescriptorinfo', [text]) as { readonly checksum: string }).checksum}`;

const CASES: Readonly<Record<string, () => void>> = {
  'coins that a chain lacks are not verified': () => {
    const first = blockAfter(GENESIS);
    const spending = spend([{ txid: parseTxid('11'.repeat(32)), vout: 0 }]);
    const next = blockAfter(first, { txs: [spending] });
    const submitTo = (start: MadeBlock): unknown => {
      const rpc = openWalletRpc(MODERN);
      if (start === GENESIS) rpc.call('submitblock', [first.hex]);
      else change(rpc, { type: 'start', header: parseHex(start.hex.slice(0, 160)), height: start.height });
      return rpc.call('submitblock', [next.hex]);
    };
    expect(submitTo(GENESIS)).toBe('bad-txns-inputs-missingorspent');
    expect(submitTo(first)).toBeNull();
  },
  'transactions are submitted, not relayed': () => {
    const { rpc, coins } = makeWorld(LEGACY);
    const free = spend(coins.slice(0, 1), '51', 100_000n);
    expect(ask(rpc, 'sendrawtransaction', [hexOf(free)])).toBe(idOf(free));
  },
  '0.21 has no descriptor wallets': () => {
    expect(ask(openWalletRpc(LEGACY), 'createwallet', ['w', false, false, '', false, true])).toEqual({
      code: -4,
      message: 'Compiled without sqlite support (required for descriptor wallets)',
    });
  },
  'an empty wallet reports why it signs nothing, even after it is loaded again': () => {
    const rpc = openWalletRpc(LEGACY);
    rpc.call('createwallet', ['w', false, true]);
    ask(rpc, 'unloadwallet');
    ask(rpc, 'loadwallet', ['w']);
    const tx = `0200000001${'11'.repeat(32)}0000000000ffffffff010000000000000000016a00000000`;
    expect(ask(rpc, 'signrawtransactionwithwallet', [tx])).toMatchObject({
      complete: false,
      errors: [{ error: 'Input not found or already spent' }],
    });
  },
  'indexes far below a range are not owned': () => {
    const rpc = openWalletRpc(MODERN);
    rpc.call('createwallet', ['w', false, true]);
    const desc = withChecksum(rpc, `wpkh(${TPRV}/*)`);
    ask(rpc, 'importdescriptors', [[{ desc, timestamp: 'now', range: [10_001, 10_001] }]]);
    const ismine = [10_000, 10_001].map((index) => {
      const [address] = rpc.call('deriveaddresses', [desc, [index, index]]) as [string];
      return (ask(rpc, 'getaddressinfo', [address]) as { readonly ismine: boolean }).ismine;
    });
    expect(ismine).toEqual([false, true]);
  },
  'a private key may be imported after its public key': () => {
    const { rpc } = makeWorld(LEGACY);
    const desc = withChecksum(rpc, `wpkh(${publicKey})`);
    const imported = ask(rpc, 'importmulti', [[{ desc, timestamp: 'now', watchonly: true }]]);
    expect(imported).toEqual([{ success: true }]);
    expect(ask(rpc, 'importprivkey', [wif])).toBeNull();
  },
  'private keys are hidden in error texts': () => {
    const { rpc } = makeWorld(MODERN);
    const answer = JSON.stringify(
      ask(rpc, 'importdescriptors', [[{ desc: `wpkh(${wif}x)#aaaaaaaa`, timestamp: 'now' }]]),
    );
    expect(answer).toContain('"success":false');
    expect(answer).not.toContain(wif);
    expect(ask(rpc, 'listunspent', [0, 9, [wif]])).toEqual({ code: -5, message: 'Invalid Bitcoin address: ...' });
  },
  'a restart unloads no wallet': () => {
    const store = createMemoryStore();
    const { rpc, coins } = makeWorld(LEGACY, { store });
    const [script = ''] = makeWorld(LEGACY).scripts;
    const paid = payment(coins[0] ?? { txid: parseTxid('00'.repeat(32)), vout: 0 }, [script, script]);
    ask(rpc, 'sendrawtransaction', [hexOf(paid)]);
    const locked = [{ txid: idOf(paid), vout: 0 }];
    expect(ask(rpc, 'lockunspent', [false, locked])).toBe(true);
    expect(ask(openWalletRpc(LEGACY, store), 'listlockunspent')).toEqual(locked);
    ask(rpc, 'unloadwallet');
    ask(rpc, 'loadwallet', ['w']);
    expect(ask(rpc, 'listlockunspent')).toEqual([]);
  },
  'an unlocked coin stays unlocked': () => {
    const { rpc, coins, scripts } = makeWorld(MODERN);
    const [script = ''] = scripts;
    const paid = payment(coins[0] ?? { txid: parseTxid('00'.repeat(32)), vout: 0 }, [script, script]);
    put(rpc, paid);
    const coin = [{ txid: idOf(paid), vout: 0 }];
    expect(ask(rpc, 'lockunspent', [false, coin])).toBe(true);
    expect(ask(rpc, 'lockunspent', [false, coin, true])).toBe(true);
    expect(ask(rpc, 'lockunspent', [true])).toBe(true);
    ask(rpc, 'unloadwallet');
    ask(rpc, 'loadwallet', ['w']);
    expect(ask(rpc, 'listlockunspent')).toEqual([]);
  },
  'a coin is owned as soon as its address is': () => {
    const { rpc, coins, scripts } = makeWorld(MODERN);
    const desc = withChecksum(rpc, `wpkh(${TPRV}/*)`);
    expect(ask(rpc, 'importdescriptors', [[{ desc, timestamp: 'now', range: 9 }]])).toMatchObject([{ success: true }]);
    const scriptAt = (index: number): string => {
      const [address] = ask(rpc, 'deriveaddresses', [desc, [index, index]]) as readonly [string];
      return (ask(rpc, 'getaddressinfo', [address]) as { readonly scriptPubKey: string }).scriptPubKey;
    };
    const [foreign = ''] = scripts.slice(-1);
    const [first, second] = coins;
    if (!first || !second) throw new Error('no coins');
    const early = payment(first, [scriptAt(0), scriptAt(1500)]);
    const late = payment(second, [scriptAt(600), foreign]);
    const unspent = (): readonly string[] =>
      (ask(rpc, 'listunspent', [0]) as readonly { readonly txid: string; readonly vout: number }[]).map(
        ({ txid, vout }) => `${txid}:${vout}`,
      );
    put(rpc, early);
    expect(unspent()).toEqual([`${idOf(early)}:0`]);
    put(rpc, late);
    expect(unspent()).toEqual([`${idOf(early)}:0`, `${idOf(early)}:1`, `${idOf(late)}:0`]);
    const spending = spend([{ txid: txid(early), vout: 1 }], foreign);
    put(rpc, spending);
    expect(unspent()).toEqual([`${idOf(early)}:0`, `${idOf(late)}:0`]);
    const { transactions } = ask(rpc, 'listsinceblock') as { readonly transactions: readonly { txid: string }[] };
    expect(transactions.filter((entry) => entry.txid === idOf(spending))).toMatchObject([{ category: 'send' }]);
  },
  'the memory of the mempool is an estimate': () => {
    const { rpc, coins } = makeWorld(MODERN);
    const usage = (): number => rpc.call('getmempoolinfo').usage;
    const sizes = coins.slice(0, 2).map((coin) => {
      const before = usage();
      ask(rpc, 'sendrawtransaction', [hexOf(spend([coin], '51', 100_000n)), 0]);
      return usage() - before;
    });
    // A node shares indexes among entries, so that the second takes another size.
    expect(sizes[0]).toBeGreaterThan(0);
    expect(sizes[1]).toBe(sizes[0]);
  },
};

test('every listed wallet divergence has a test', () => {
  expect(Object.keys(CASES)).toEqual(Object.keys(walletDivergences));
});

test.each(Object.entries(CASES))('%s', (_, run) => run());
