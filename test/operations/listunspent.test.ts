import { parseHex } from 'countersign/bytes';
import { createNodeRpc, type NodeRpc, type UnspentJson } from 'countersign/rpc';
import { decodeTransaction, formatTxid, txid as txidOf } from 'countersign/tx';
import { beforeAll, describe, expect, test } from 'vitest';
import { blockAfter, blocksAfter, coinbaseOf, genesisOf } from '../support/blocks.ts';

// listunspent ( minconf maxconf ["address",...] include_unsafe query_options ) -> [coin, ...]
//
// Lists the coins of a wallet: outputs that pay to its scripts and that no transaction spends. The rules and texts are
// those of Litecoin Core 0.21 and Bitcoin Core 31: `vectors/node/*.wallet-*.jsonl.gz` has recorded calls, which
// `test/vectors/wallet.test.ts` replays. The two have wallets of different kinds: of keys, and of descriptors.

// The secret keys 1 and 3 on regtest. The wallet has the first key, and watches an address and a script of others.
const OWN = {
  key: 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA',
  address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
};
const STRANGER = {
  key: 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87KcLPVfXz',
  address: 'bcrt1q0ht9tyks4vh7p5p904t340cr9nvahy7uevmqwj',
};
const PUBLIC_KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const OTHER_PUBLIC_KEY = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';
const WATCHED = 'mg8Jz5776UdyiYcBb9Z873NTozEiADRW5H';
const MULTISIG = `5121${PUBLIC_KEY}21${OTHER_PUBLIC_KEY}52ae`;
const SHARED = 'bcrt1qd6e6c86xp56gw8pty8suuqhscpttea2c5m2fggzjkxzk5nl9faksws97ff';

function openNode(dialect: 'core-0.21' | 'core-32'): NodeRpc {
  const random = (size: number): Uint8Array => new Uint8Array(size);
  return createNodeRpc({ network: 'regtest', dialect, clock: () => 1_700_070_000, random });
}

/** Makes a wallet of keys: one private key, a watched address, a watched script. */
function makeKeyWallet({ call }: NodeRpc): void {
  call('createwallet', ['w', false, true]);
  call('importprivkey', [OWN.key, 'savings'], 'w');
  call('importaddress', [WATCHED, 'rent'], 'w');
  const script = { scriptPubKey: { address: SHARED }, witnessscript: MULTISIG, watchonly: true };
  call('importmulti', [[{ ...script, timestamp: 'now', label: 'shared' }]], 'w');
}

/** Makes a wallet of descriptors: without private keys, since a wallet with them takes no `addr()`. */
function makeDescriptorWallet({ call }: NodeRpc): void {
  call('createwallet', ['w', true]);
  const descriptors = {
    savings: `wpkh(${PUBLIC_KEY})`,
    rent: `addr(${WATCHED})`,
    shared: `wsh(multi(1,${PUBLIC_KEY},${OTHER_PUBLIC_KEY}))`,
  };
  for (const [label, text] of Object.entries(descriptors)) {
    const { descriptor } = call('getdescriptorinfo', [text]);
    call('importdescriptors', [[{ desc: descriptor, timestamp: 'now', label }]], 'w');
  }
}

/**
 * Feeds 102 blocks. The last one pays 1 BTC to the key of the wallet, 2 to its address, 3 to its script, 4 to the
 * stranger, and its coinbase pays 50 to the key.
 * @returns the txid of these payments
 */
function feedBlocks({ call }: NodeRpc): string {
  const first = blockAfter(genesisOf('regtest'));
  const blocks = [first, ...blocksAfter(first, 100)];
  for (const { hex } of blocks) call('submitblock', [hex]);
  const outputs = [{ [OWN.address]: 1 }, { [WATCHED]: 2 }, { [SHARED]: 3 }, { [STRANGER.address]: 4 }];
  // The coinbases of these blocks pay to OP_1, which needs no signature.
  const payments = call('createrawtransaction', [[{ txid: formatTxid(txidOf(coinbaseOf(first))), vout: 0 }], outputs]);
  const txs = [decodeTransaction(parseHex(payments))];
  const last = blockAfter(blocks.at(-1) ?? first, { txs, script: '0014751e76e8199196d454941c45d1b3a323f1433bd6' });
  call('submitblock', [last.hex]);
  return call('decoderawtransaction', [payments]).txid;
}

/** Sends a payment of one coin to the mempool. @returns its txid */
function send({ call }: NodeRpc, key: string, coin: { txid: string; vout: number }, outputs: Record<string, number>[]) {
  const { hex } = call('signrawtransactionwithkey', [call('createrawtransaction', [[coin], outputs]), [key]]);
  return call('sendrawtransaction', [hex]);
}

/** Core 31 promises no order, so the tests look at the amounts, lowest first. */
const amounts = (coins: readonly UnspentJson[]): readonly number[] =>
  coins.map(({ amount }) => amount).sort((a, b) => a - b);

describe('a coin of 0.21', () => {
  const node = openNode('core-0.21');
  let txid = '';
  beforeAll(() => {
    makeKeyWallet(node);
    txid = feedBlocks(node);
  });
  const coinAt = (address: string) => node.call('listunspent', [1, 9999999, [address]], 'w');

  test('of a key that the wallet holds is spendable, and has a descriptor', () => {
    const [coin] = coinAt(OWN.address);
    // In this order.
    expect(Object.entries(coin ?? {})).toEqual([
      ['txid', txid],
      ['vout', 0],
      ['address', OWN.address],
      ['label', 'savings'],
      ['scriptPubKey', '0014751e76e8199196d454941c45d1b3a323f1433bd6'],
      ['amount', 1],
      ['confirmations', 1],
      ['spendable', true],
      ['solvable', true],
      ['desc', `wpkh([751e76e8]${PUBLIC_KEY})#p7evpe7t`],
      ['safe', true],
    ]);
  });

  test('of a watched address is neither spendable nor solvable', () => {
    const [coin] = coinAt(WATCHED);
    expect(coin).toMatchObject({ label: 'rent', spendable: false, solvable: false, safe: true });
    expect(coin).not.toHaveProperty('desc');
  });

  test('of a watched script is solvable and shows the script', () => {
    expect(coinAt(SHARED)).toMatchObject([
      { label: 'shared', spendable: false, solvable: true, witnessScript: MULTISIG },
    ]);
  });
});

describe('a coin of Core 31', () => {
  const node = openNode('core-32');
  let txid = '';
  beforeAll(() => {
    makeDescriptorWallet(node);
    txid = feedBlocks(node);
  });
  const coinAt = (address: string) => node.call('listunspent', [1, 9999999, [address]], 'w');

  test('names the descriptors that it comes from', () => {
    const [coin] = coinAt(OWN.address);
    expect(Object.entries(coin ?? {})).toEqual([
      ['txid', txid],
      ['vout', 0],
      ['address', OWN.address],
      ['label', 'savings'],
      ['scriptPubKey', '0014751e76e8199196d454941c45d1b3a323f1433bd6'],
      ['amount', 1],
      ['confirmations', 1],
      ['spendable', true],
      ['solvable', true],
      ['desc', `wpkh([751e76e8]${PUBLIC_KEY})#p7evpe7t`],
      ['parent_descs', [`wpkh(${PUBLIC_KEY})#ucxz0gak`]],
      ['safe', true],
    ]);
  });

  test('is always called spendable, and is solvable unless only its address is known', () => {
    expect(coinAt(WATCHED)).toMatchObject([
      { spendable: true, solvable: false, parent_descs: [`addr(${WATCHED})#5rzt2ktu`] },
    ]);
    expect(coinAt(SHARED)).toMatchObject([{ spendable: true, solvable: true, witnessScript: MULTISIG }]);
  });

  test('that is not in a block yet shows what its ancestors in the mempool weigh and pay', () => {
    send(node, STRANGER.key, { txid, vout: 3 }, [{ [OWN.address]: 0.5 }, { [STRANGER.address]: 3.4999 }]);
    const [coin] = node.call('listunspent', [0, 0], 'w');
    // Virtual bytes, and satoshi; the coin's own transaction counts.
    expect(coin).toMatchObject({ amount: 0.5, ancestorcount: 1, ancestorsize: 141, ancestorfees: 10_000 });
  });
});

describe.each(['core-0.21', 'core-32'] as const)('listunspent of %s', (dialect) => {
  const node = openNode(dialect);
  let txid = '';
  beforeAll(() => {
    if (dialect === 'core-0.21') makeKeyWallet(node);
    else makeDescriptorWallet(node);
    txid = feedBlocks(node);
    // A stranger pays 0.5 BTC; the wallet pays its own coin of 1 BTC to itself, less a fee.
    send(node, STRANGER.key, { txid, vout: 3 }, [{ [OWN.address]: 0.5 }, { [STRANGER.address]: 3.4999 }]);
    send(node, OWN.key, { txid, vout: 0 }, [{ [OWN.address]: 0.9999 }]);
  });
  const list: (...params: unknown[]) => readonly number[] = (...params) => {
    const method: string = 'listunspent';
    return amounts(node.call(method, params, 'w') as UnspentJson[]);
  };

  test('lists coins with at least one confirmation, unless told otherwise; both bounds count', () => {
    expect(list()).toEqual([2, 3]);
    expect(list(0)).toEqual([0.5, 0.9999, 2, 3]);
    expect(list(0, 0)).toEqual([0.5, 0.9999]);
    expect(list(1, 1)).toEqual([2, 3]);
    expect(list(2)).toEqual([]);
  });

  test('leaves out spent coins, also if the spending transaction is in no block', () => {
    expect(node.call('listunspent', [0], 'w')).not.toContainEqual(expect.objectContaining({ txid, vout: 0 }));
  });

  test('leaves out what is not safe if include_unsafe is false: unconfirmed payments of others', () => {
    expect(list(0, 9, [], false)).toEqual([0.9999, 2, 3]);
    const safety = node.call('listunspent', [0, 0], 'w').map(({ amount, safe }) => [amount, safe]);
    expect(safety).toEqual(
      expect.arrayContaining([
        [0.5, false],
        [0.9999, true],
      ]),
    );
  });

  test('lists only the given addresses, and all for an empty list', () => {
    expect(list(0, 9, [WATCHED])).toEqual([2]);
    expect(list(0, 9, [WATCHED, SHARED])).toEqual([2, 3]);
    expect(list(0, 9, [STRANGER.address])).toEqual([]);
    expect(list(0, 9, [])).toHaveLength(4);
  });

  test('lists amounts from minimumAmount to maximumAmount, as numbers or texts', () => {
    expect(list(0, 9, [], true, { minimumAmount: 0.9999, maximumAmount: '2.00000000' })).toEqual([0.9999, 2]);
    expect(list(0, 9, [], true, { maximumAmount: 0.99989999 })).toEqual([0.5]);
  });

  test('stops at maximumCount coins, of which 0 means no limit', () => {
    expect(list(0, 9, [], true, { maximumCount: 3 })).toHaveLength(3);
    expect(list(0, 9, [], true, { maximumCount: 0 })).toHaveLength(4);
  });

  test('stops as soon as the coins reach minimumSumAmount, and lists all if they never do', () => {
    const listed = list(0, 9, [], true, { minimumSumAmount: 2.5 });
    const sum = listed.reduce((total, amount) => total + amount, 0);
    expect(sum).toBeGreaterThanOrEqual(2.5);
    expect(listed.length).toBeLessThan(4);
    expect(list(0, 9, [], true, { minimumSumAmount: 100 })).toHaveLength(4);
  });

  test('takes null for a parameter that is left out, and names instead of positions', () => {
    expect(list(null, null, null, null, null)).toEqual([2, 3]);
    expect(amounts(node.call('listunspent', { minconf: 0, addresses: [WATCHED, OWN.address] }, 'w'))).toEqual([
      0.5, 0.9999, 2,
    ]);
  });

  test('leaves out coinbases with less than 101 confirmations; Core 31 lists them if asked', () => {
    expect(list(0)).not.toContain(50);
    const options = { include_immature_coinbase: true };
    if (dialect === 'core-32') expect(list(0, 9, [], true, options)).toContain(50);
    else expect(() => list(0, 9, [], true, options)).toThrow('Unexpected key include_immature_coinbase');
  });

  test('leaves out locked coins until they are unlocked', () => {
    node.call('lockunspent', [false, [{ txid, vout: 1 }]], 'w');
    expect(list()).toEqual([3]);
    node.call('lockunspent', [true], 'w');
    expect(list()).toEqual([2, 3]);
  });

  test('says in wallets that avoid reuse whether an address was spent from before', () => {
    const saving = openNode(dialect);
    saving.call('createwallet', dialect === 'core-32' ? ['w', true, true, '', true] : ['w', false, true, '', true]);
    if (dialect === 'core-0.21') saving.call('importprivkey', [OWN.key], 'w');
    else saving.call('importdescriptors', [[{ desc: `wpkh(${PUBLIC_KEY})#ucxz0gak`, timestamp: 'now' }]], 'w');
    const vout = 0;
    const coin = { txid: feedBlocks(saving), vout };
    expect(saving.call('listunspent', [0], 'w')).toMatchObject([{ amount: 1, reused: false }]);
    send(saving, OWN.key, coin, [{ [OWN.address]: 0.9999 }]);
    expect(saving.call('listunspent', [0], 'w')).toMatchObject([{ amount: 0.9999, reused: true }]);
  });
});

describe('listunspent refuses', () => {
  const [old, core] = [openNode('core-0.21'), openNode('core-32')];
  for (const { call } of [old, core]) call('createwallet', ['w', true]);
  const wrongType = (position: string, got: string, wanted: string) =>
    `Wrong type passed:\n{\n    "Position ${position}": "JSON value of type ${got} is not of expected type ${wanted}"\n}`;

  // [what, parameters, code and text of Core 31, those of 0.21 where they differ]
  test.each<[string, unknown[], [number, string], [number, string]?]>([
    [
      'a text as minconf',
      ['0'],
      [-3, wrongType('1 (minconf)', 'string', 'number')],
      [-3, 'Expected type number, got string'],
    ],
    ['a fraction as minconf', [1.5], [-1, 'JSON integer out of range']],
    [
      'an address instead of a list',
      [0, 9, OWN.address],
      [-3, wrongType('3 (addresses)', 'string', 'array')],
      [-3, 'Expected type array, got string'],
    ],
    [
      'a number as address',
      [0, 9, [1]],
      [-3, 'JSON value of type number is not of expected type string'],
      [-1, 'JSON value is not a string as expected'],
    ],
    ['a text that is not an address', [0, 9, ['x']], [-5, 'Invalid Bitcoin address: x']],
    ['an address twice', [0, 9, [WATCHED, WATCHED]], [-8, `Invalid parameter, duplicated address: ${WATCHED}`]],
    [
      'a number as include_unsafe',
      [0, 9, [], 1],
      [-3, wrongType('4 (include_unsafe)', 'number', 'bool')],
      [-3, 'Expected type bool, got number'],
    ],
    [
      'a list as query_options',
      [0, 9, [], true, []],
      [-3, wrongType('5 (query_options)', 'array', 'object')],
      [-1, 'JSON value is not an object as expected'],
    ],
    ['an option that does not exist', [0, 9, [], true, { unknown: 1 }], [-3, 'Unexpected key unknown']],
    ['a negative minimumAmount', [0, 9, [], true, { minimumAmount: -1 }], [-3, 'Amount out of range']],
    ['a word as maximumAmount', [0, 9, [], true, { maximumAmount: 'all' }], [-3, 'Invalid amount']],
    [
      'null as minimumSumAmount',
      [0, 9, [], true, { minimumSumAmount: null }],
      [-3, 'Amount is not a number or string'],
    ],
    [
      'a text as maximumCount',
      [0, 9, [], true, { maximumCount: '1' }],
      [-3, 'JSON value of type string for field maximumCount is not of expected type number'],
      [-3, 'Expected type number for maximumCount, got string'],
    ],
  ])('%s', (_, params, ofCore, ofOld = ofCore) => {
    for (const [{ call }, [code, message]] of [
      [core, ofCore],
      [old, ofOld],
    ] as const) {
      const method: string = 'listunspent';
      expect(() => call(method, params, 'w')).toThrow(expect.objectContaining({ code, message }));
    }
  });

  test('a sixth parameter with its help', () => {
    const method: string = 'listunspent';
    const message = expect.stringMatching(/^listunspent /);
    expect(() => core.call(method, [0, 9, [], true, {}, 1], 'w')).toThrow(
      expect.objectContaining({ code: -1, message }),
    );
  });
});
