import { describe, expect, test } from 'vitest';
import { startRegtest } from '../../../../src/shell/regtest/index.ts';
import { blockAfter, genesisOf, type MadeBlock } from '../../../support/blocks.ts';
import { makeKeyWallet } from '../../../support/keyWallet.ts';
import { type DialectName, decodeTransaction, type NodeRpc, parseHex } from '../../../support/library.ts';
import { ask, MODERN, NOW, openWalletRpc } from '../../../support/walletWorld.ts';

// What payments of one release have that another lacks.

type Members = Readonly<Record<string, unknown>>;

const FOREIGN = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const MATURITY = 101;

interface Funded {
  readonly rpc: NodeRpc;
  readonly call: (method: string, ...params: readonly unknown[]) => Members;
  readonly address: () => string;
  /** Adds a block. */
  readonly mine: (terms?: Parameters<typeof blockAfter>[1]) => MadeBlock;
}

/** Opens a node whose wallet `w` has some mature coins. */
function openFunded(dialect: DialectName, coins = 1, more: Parameters<typeof openWalletRpc>[3] = {}): Funded {
  const kind = { ...MODERN, dialect };
  const rpc = openWalletRpc(kind, undefined, () => NOW, more);
  makeKeyWallet(rpc, kind);
  const call = (method: string, ...params: readonly unknown[]): Members => ask(rpc, method, params) as Members;
  const address = (): string => ask(rpc, 'getnewaddress', ['', 'bech32']) as string;
  const { scriptPubKey } = call('getaddressinfo', address());
  let tip = genesisOf('regtest');
  const mine = (terms: Parameters<typeof blockAfter>[1] = {}): MadeBlock => {
    tip = blockAfter(tip, terms);
    ask(rpc, 'submitblock', [tip.hex]);
    return tip;
  };
  for (let count = 0; count < MATURITY + coins - 1; count += 1) {
    mine(count < coins ? { script: scriptPubKey as string } : {});
  }
  return { rpc, call, address, mine };
}

const inputsOf = (node: Funded, txid: unknown): readonly Members[] =>
  (node.call('gettransaction', txid, null, true)['decoded'] as Members)['vin'] as readonly Members[];

describe('bumpfee', () => {
  const bumped = (dialect: DialectName): Members => {
    const node = openFunded(dialect);
    const { txid } = node.call('send', [{ [FOREIGN]: 1 }], null, 'unset', 2, { replaceable: false });
    return node.call('bumpfee', txid, { fee_rate: 20 });
  };

  test('takes a transaction that signals no replaceability, since Core 30', () => {
    expect(bumped('core-29')).toEqual({ code: -4, message: 'Transaction is not BIP 125 replaceable' });
    expect(bumped('core-30')).toHaveProperty('txid');
  });

  test('asks for the former fee and the relay fee, even of a rate of 0', () => {
    const node = openFunded('core-31');
    const { txid } = node.call('send', [{ [FOREIGN]: 1 }], null, 'unset', 2);
    expect(node.call('bumpfee', txid, { fee_rate: 0 })['message']).toMatch(
      /^Insufficient total fee 0\.00, must be at least 0\.\d+ \(oldFee 0\.\d+ \+ incrementalFee 0\.000000\d+\)$/,
    );
  });

  test('takes a transaction whose descendants are abandoned', () => {
    const node = openFunded('core-31', 2);
    const { txid } = node.call('send', [{ [node.address()]: 49 }], null, 'unset', 2, { change_position: 1 });
    const coins = ask(node.rpc, 'listunspent') as readonly Members[];
    const inputs = coins.map((coin) => ({ txid: coin['txid'], vout: coin['vout'] }));
    const child = node.call('send', [{ [FOREIGN]: 60 }], null, 'unset', 2, {
      inputs: [{ txid, vout: 0 }, ...inputs],
    })['txid'];
    expect(node.call('bumpfee', txid, { fee_rate: 20 })['message']).toBe('Transaction has descendants in the wallet');
    const rival = ask(node.rpc, 'createrawtransaction', [inputs, [{ [FOREIGN]: 49 }]]);
    const { hex } = node.call('signrawtransactionwithwallet', rival);
    expect(ask(node.rpc, 'sendrawtransaction', [hex, 0])).toMatch(/^[0-9a-f]{64}$/);
    expect(node.call('abandontransaction', child)).toBeNull();
    expect(node.call('bumpfee', txid, { fee_rate: 20 })).toHaveProperty('txid');
  });
});

describe('restricted transactions (BIP431)', () => {
  test('spend unconfirmed coins of such transactions only, since Core 30', () => {
    const ofVersion = (dialect: DialectName, version: number): Members => {
      const node = openFunded(dialect);
      node.call('send', [{ [node.address()]: 1 }], null, 'unset', 2);
      return node.call('walletcreatefundedpsbt', [], [{ [FOREIGN]: 0.1 }], 0, { fee_rate: 2 }, true, version);
    };
    expect(ofVersion('core-31', 2)).toHaveProperty('psbt');
    expect(ofVersion('core-31', 3)).toEqual({ code: -4, message: 'Insufficient funds' });
  });

  test('refuse preset coins of others', () => {
    const node = openFunded('core-31');
    const { txid } = node.call('send', [{ [node.address()]: 1 }], null, 'unset', 2);
    const inputs = [{ txid, vout: 0 }];
    expect(node.call('walletcreatefundedpsbt', inputs, [{ [FOREIGN]: 0.1 }], 0, { fee_rate: 2 }, true, 3)).toEqual({
      code: -4,
      message: "Can't spend unconfirmed version 2 pre-selected input with a version 3 tx",
    });
  });
});

describe('replaceability', () => {
  test('is signalled by chosen inputs as the wallet does', () => {
    const node = openFunded('core-31', 1, { walletrbf: false });
    const [coin] = ask(node.rpc, 'listunspent') as readonly Members[];
    const inputs = [{ txid: coin?.['txid'], vout: coin?.['vout'] }];
    const { psbt } = node.call('walletcreatefundedpsbt', inputs, [{ [FOREIGN]: 1 }], 0, { feeRate: 0.00002 });
    const { tx } = node.call('decodepsbt', psbt);
    const [input] = (tx as Members)['vin'] as readonly Members[];
    expect(input?.['sequence']).toBe(0xffffffff);
  });

  test.each([
    ['core-31', 0xffffffff],
    ['core-32', 0xfffffffe],
  ] as const)('in %s, sendall without it sets the sequence %i', (dialect, sequence) => {
    const node = openFunded(dialect);
    const { txid } = node.call('sendall', [FOREIGN], null, 'unset', 2, { replaceable: false });
    expect(inputsOf(node, txid).map((input) => input['sequence'])).toEqual([sequence]);
  });
});

test('a wallet without private keys expects signatures a byte longer', () => {
  const node = openFunded('core-31', 4);
  ask(node.rpc, 'createwallet', ['watch', true]);
  const { descriptors } = node.call('listdescriptors');
  ask(node.rpc, 'importdescriptors', [descriptors], 'watch');
  const options = { fee_rate: 100, subtractFeeFromOutputs: [0] };
  const feeOf = (wallet: string): unknown =>
    (ask(node.rpc, 'walletcreatefundedpsbt', [[], [{ [FOREIGN]: 200 }], 0, options], wallet) as Members)['fee'];
  // Four bytes of witnesses are a virtual byte.
  expect([feeOf('w'), feeOf('watch')]).toEqual([0.000313, 0.000314]);
});

test('coins with a stated weight are spent', () => {
  const node = openFunded('core-31', 3);
  const coins = ask(node.rpc, 'listunspent') as readonly Members[];
  const weights = coins.map(({ txid, vout }) => ({ txid, vout, weight: 300 }));
  const raw = ask(node.rpc, 'createrawtransaction', [[], [{ [FOREIGN]: 1 }]]);
  const { hex } = node.call('fundrawtransaction', raw, { input_weights: weights, fee_rate: 2 });
  expect(node.call('decoderawtransaction', hex)['vin']).toHaveLength(3);
});

test('fundrawtransaction takes a flag in place of options before Core 32', () => {
  const funded = (dialect: DialectName): Members => {
    const node = openFunded(dialect, 1, { fallbackfee: 1000 });
    return node.call('fundrawtransaction', ask(node.rpc, 'createrawtransaction', [[], [{ [FOREIGN]: 1 }]]), true);
  };
  expect(funded('core-31')).toHaveProperty('hex');
  expect(funded('core-32')).toHaveProperty('code', -3);
});

test('listwalletdir lists warnings since Core 30', () => {
  const listed = (dialect: DialectName): unknown => ask(openWalletRpc({ ...MODERN, dialect }), 'listwalletdir');
  expect(listed('core-29')).toEqual({ wallets: [] });
  const node = openFunded('core-30');
  expect(node.call('listwalletdir')).toEqual({ wallets: [{ name: 'w', warnings: [] }] });
});

test('a rescan finds a child whose parent entered the mempool after it', () => {
  const node = openFunded('core-31');
  const { txid: parent } = node.call('sendall', [node.address()], null, 'unset', 2);
  const { hex } = node.call('gettransaction', parent);
  const { hash } = node.mine({ txs: [decodeTransaction(parseHex(hex as string))] });
  const { txid: child } = node.call('sendall', [FOREIGN], null, 'unset', 2);
  ask(node.rpc, 'invalidateblock', [hash]);
  expect(ask(node.rpc, 'getrawmempool')).toEqual(expect.arrayContaining([parent, child]));
  ask(node.rpc, 'createwallet', ['watch', true]);
  const { descriptors } = node.call('listdescriptors');
  ask(node.rpc, 'importdescriptors', [descriptors], 'watch');
  expect(ask(node.rpc, 'gettransaction', [child], 'watch')).toMatchObject({ confirmations: 0 });
});

test('a PSBT names keys without their paths', () => {
  const node = openFunded('core-31');
  const key = node.call('getaddressinfo', node.address())['pubkey'] as string;
  const { address, descriptor } = node.call(
    'createmultisig',
    1,
    [key, `02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`],
    'bech32',
  );
  ask(node.rpc, 'createwallet', ['watch', true]);
  ask(node.rpc, 'importdescriptors', [[{ desc: descriptor, timestamp: 'now' }]], 'watch');
  const { txid } = node.call('send', [{ [address as string]: 1 }], null, 'unset', 2, { change_position: 1 });
  const inputs = [{ txid, vout: 0 }];
  const options = { fee_rate: 2, changeAddress: FOREIGN, subtractFeeFromOutputs: [0] };
  const created = ask(node.rpc, 'walletcreatefundedpsbt', [inputs, [{ [FOREIGN]: 1 }], 0, options], 'watch') as Members;
  expect(node.call('walletprocesspsbt', created['psbt'])).toMatchObject({ complete: true });
});

test('a restricted transaction conflicts with the other children of its parent', () => {
  const node = openFunded('core-31', 1, { skipsMempoolPolicy: false });
  const [coin] = ask(node.rpc, 'listunspent') as readonly Members[];
  const send = (inputs: readonly unknown[], paid: readonly unknown[]): unknown => {
    const raw = ask(node.rpc, 'createrawtransaction', [inputs, paid, 0, true, 3]);
    return ask(node.rpc, 'sendrawtransaction', [node.call('signrawtransactionwithwallet', raw)['hex'], 0]);
  };
  const outputs = [10, 10, 29.9999].map((amount) => ({ [node.address()]: amount }));
  const parent = send([{ txid: coin?.['txid'], vout: coin?.['vout'] }], outputs);
  const first = send([{ txid: parent, vout: 0 }], [{ [FOREIGN]: 9.9999 }]);
  const second = send([{ txid: parent, vout: 1 }], [{ [FOREIGN]: 9.999 }]);
  expect(node.call('gettransaction', first)['mempoolconflicts']).toEqual([second]);
});

describe('a payment that the mempool would refuse for its relatives', () => {
  /** Pays with all coins of two chains of `length` unconfirmed payments, each to the next address of the wallet. */
  const payAll = (dialect: 'core-30' | 'core-32', length: number): Members => {
    const chain = startRegtest({ dialect, limitclustercount: 20 });
    const { call, address } = chain.wallet('w');
    for (let i = 0; i < 2; i += 1) chain.fund(address(), 100_000_000n);
    for (let i = 0; i < length; i += 1) {
      for (const { txid, vout, amount } of call('listunspent', [0])) {
        const sent = call('sendall', { recipients: [address()], inputs: [{ txid, vout }], fee_rate: 2 });
        expect(sent.complete, `${amount}`).toBe(true);
      }
    }
    const coins = call('listunspent', [0]).map(({ txid, vout }) => ({ txid, vout }));
    const options = { inputs: coins, fee_rate: 2, subtract_fee_from_outputs: [0] };
    try {
      return call('send', { outputs: [{ [FOREIGN]: 1.9 }], options });
    } catch (error) {
      return error as Members;
    }
  };

  test('is refused by the wallet, in the words of its release', () => {
    expect(payAll('core-32', 9)).toHaveProperty('txid');
    expect(payAll('core-32', 10)).toMatchObject({ message: 'too many unconfirmed transactions in cluster' });
    expect(payAll('core-30', 12)).toHaveProperty('txid');
    expect(payAll('core-30', 13)).toMatchObject({
      message: 'possibly too many unconfirmed ancestors [limit: 25]',
    });
  });
});

test('fundrawtransaction of Core 32 takes no flag in the place of its options', () => {
  const fund = (dialect: DialectName): Members => {
    const node = openFunded(dialect, 1, { fallbackfee: 1000 });
    return node.call('fundrawtransaction', node.call('createrawtransaction', [], { [FOREIGN]: 1 }), true);
  };
  expect(fund('core-31')).toHaveProperty('changepos');
  expect(fund('core-32')).toMatchObject({
    code: -3,
    message: expect.stringContaining('JSON value of type bool is not of expected type object'),
  });
});
