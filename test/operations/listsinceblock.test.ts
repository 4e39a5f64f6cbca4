import { parseHex } from 'countersign/bytes';
import { createNodeRpc, type NodeRpc, type TransactionEntryJson } from 'countersign/rpc';
import { decodeTransaction, formatTxid, txid as txidOf } from 'countersign/tx';
import { describe, expect, test } from 'vitest';
import { blockAfter, blocksAfter, coinbaseOf, genesisOf, type MadeBlock } from '../support/blocks.ts';

// listsinceblock ( "blockhash" target_confirmations include_watchonly include_removed ) -> { transactions, removed?, lastblock }
//
// Lists the payments of a wallet since a block, so that a program that asks again and again, each time with the last
// answer's `lastblock`, misses none, even if blocks are replaced. The rules and texts are those of Litecoin Core 0.21 and
// Bitcoin Core 31: `vectors/node/*.wallet-*.jsonl.gz` has recorded calls, which `test/vectors/wallet.test.ts` replays.

// The secret keys 1 and 3 on regtest. The wallet has the first key. Its address is a P2PKH, since a block with witnesses
// needs a commitment to them.
const OWN = {
  key: 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA',
  address: 'mrCDrCybB6J1vRfbwM5hemdJz73FwDBC8r',
};
const STRANGER = {
  key: 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87KcLPVfXz',
  address: 'bcrt1q0ht9tyks4vh7p5p904t340cr9nvahy7uevmqwj',
};
const PUBLIC_KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const PARENT = `pkh(${PUBLIC_KEY})#e48zzw02`;
const WATCHED = 'mg8Jz5776UdyiYcBb9Z873NTozEiADRW5H';
const SCRIPT = '76a914751e76e8199196d454941c45d1b3a323f1433bd688ac';

type Dialect = 'core-0.21' | 'core-32' | 'documented';

// 101 blocks. The first coinbase pays 50 BTC to the wallet, and can be spent in block 102.
const first = blockAfter(genesisOf('regtest'), { script: SCRIPT });
const chain = [first, ...blocksAfter(first, 100)];
const tip = chain.at(-1) ?? first;
const COINBASE = formatTxid(txidOf(coinbaseOf(first)));

/** Opens a node with these blocks, and a wallet `w` whose key has the label `savings`. */
function openNode(dialect: Dialect, blocks: readonly MadeBlock[] = chain): NodeRpc {
  const random = (size: number): Uint8Array => new Uint8Array(size);
  const node = createNodeRpc({ network: 'regtest', dialect, clock: () => 1_700_070_000, random });
  node.call('createwallet', ['w', false, true]);
  if (dialect === 'core-0.21') node.call('importprivkey', [OWN.key, 'savings'], 'w');
  else {
    const { checksum } = node.call('getdescriptorinfo', [`pkh(${OWN.key})`]);
    node.call(
      'importdescriptors',
      [[{ desc: `pkh(${OWN.key})#${checksum}`, timestamp: 'now', label: 'savings' }]],
      'w',
    );
  }
  feed(node, blocks);
  return node;
}

function feed({ call }: NodeRpc, blocks: readonly MadeBlock[]): void {
  for (const { hex } of blocks) expect(['inconclusive', null]).toContain(call('submitblock', [hex]));
}

/** Signs a transaction of the coinbase's 50 BTC that may be replaced. The rest is the fee. @returns its hex */
function payment({ call }: NodeRpc, outputs: Record<string, number>[]): string {
  const hex = call('createrawtransaction', [[{ txid: COINBASE, vout: 0 }], outputs, 0, true]);
  return call('signrawtransactionwithwallet', [hex], 'w').hex;
}

/** Makes a block with one transaction besides the coinbase. */
const blockWith = (parent: MadeBlock, hex: string): MadeBlock =>
  blockAfter(parent, { txs: [decodeTransaction(parseHex(hex))] });

const PAYS_STRANGER = [{ [STRANGER.address]: 10 }, { [OWN.address]: 39.999 }];

/** The entries of a list in few words; Core 31 promises no order. */
const brief = (entries: readonly TransactionEntryJson[] | undefined) =>
  entries?.map(({ category, amount, confirmations }) => `${category} ${amount} ${confirmations}`).sort();

describe('an entry', () => {
  test('of 0.21 has these members, in this order', () => {
    const { transactions } = openNode('core-0.21', [first]).call('listsinceblock', [], 'w');
    expect(transactions.map((entry) => Object.entries(entry))).toEqual([
      [
        ['address', OWN.address],
        ['category', 'immature'],
        ['amount', 50],
        ['label', 'savings'],
        ['vout', 0],
        ['confirmations', 1],
        ['generated', true],
        ['blockhash', first.hash],
        ['blockheight', 1],
        ['blockindex', 0],
        ['blocktime', 1_700_000_600],
        ['txid', COINBASE],
        ['walletconflicts', []],
        ['time', 1_700_000_600],
        ['timereceived', 1_700_070_000],
        ['bip125-replaceable', 'no'],
      ],
    ]);
  });

  test('of Core 31 names descriptors and conflicts in the mempool as well', () => {
    const { transactions } = openNode('core-32', [first]).call('listsinceblock', [], 'w');
    expect(transactions.map((entry) => Object.entries(entry))).toEqual([
      [
        ['address', OWN.address],
        ['parent_descs', [PARENT]],
        ['category', 'immature'],
        ['amount', 50],
        ['label', 'savings'],
        ['vout', 0],
        ['abandoned', false],
        ['confirmations', 1],
        ['generated', true],
        ['blockhash', first.hash],
        ['blockheight', 1],
        ['blockindex', 0],
        ['blocktime', 1_700_000_600],
        ['txid', COINBASE],
        ['wtxid', COINBASE],
        ['alternate_wtxids', []],
        ['walletconflicts', []],
        ['mempoolconflicts', []],
        ['time', 1_700_000_600],
        ['timereceived', 1_700_070_000],
      ],
    ]);
  });

  test('of the default dialect is that of Core 31 with bip125-replaceable, and names trust only where it is', () => {
    const node = openNode('documented');
    const sent = node.call('sendrawtransaction', [payment(node, PAYS_STRANGER)]);
    const { transactions } = node.call('listsinceblock', [tip.hash], 'w');
    const [own] = transactions.filter(({ category }) => category === 'receive');
    expect(own).toMatchObject({ txid: sent, parent_descs: [PARENT], trusted: true, 'bip125-replaceable': 'yes' });
    expect(own).not.toHaveProperty('abandoned');
    // Another payment takes its place, so that nobody should wait for this one.
    node.call('sendrawtransaction', [payment(node, [{ [STRANGER.address]: 49.9 }])]);
    const replaced = node.call('listsinceblock', [], 'w').transactions.find(({ txid }) => txid === sent);
    expect(replaced).toMatchObject({ confirmations: 0, abandoned: false });
    expect(replaced).not.toHaveProperty('trusted');
  });

  test.each<Dialect>(['core-0.21', 'core-32'])(
    'of %s that is not in a block says instead whether it is trusted',
    (dialect) => {
      const node = openNode(dialect);
      node.call('sendrawtransaction', [payment(node, PAYS_STRANGER)]);
      const { transactions } = node.call('listsinceblock', [tip.hash], 'w');
      // The payment to the stranger, and both sides of the payment to oneself, as its address has a label.
      expect(brief(transactions)).toEqual(['receive 39.999 0', 'send -10 0', 'send -39.999 0']);
      const sent = transactions.find(({ address }) => address === STRANGER.address);
      expect(sent).toMatchObject({
        category: 'send',
        amount: -10,
        vout: 0,
        fee: -0.001,
        trusted: true,
        abandoned: false,
      });
      for (const member of ['blockhash', 'blockheight', 'blockindex', 'blocktime', 'label'])
        expect(sent).not.toHaveProperty(member);
    },
  );
});

describe.each<Dialect>(['core-0.21', 'core-32'])('listsinceblock of %s', (dialect) => {
  test('lists everything without a block', () => {
    const { call } = openNode(dialect);
    const { transactions, removed, lastblock } = call('listsinceblock', [], 'w');
    expect(brief(transactions)).toEqual(['generate 50 101']);
    expect(removed).toEqual([]);
    expect(lastblock).toBe(tip.hash);
    expect(call('listsinceblock', [''], 'w').transactions).toEqual(transactions);
    expect(call('listsinceblock', [null, null, null, null], 'w').transactions).toEqual(transactions);
  });

  test('calls a coinbase immature until it has 101 confirmations, and an orphan if its block was replaced', () => {
    const categoryAfter = (blocks: readonly MadeBlock[]) =>
      openNode(dialect, blocks)
        .call('listsinceblock', [], 'w')
        .transactions.map(({ category }) => category);
    expect(categoryAfter(chain.slice(0, 100))).toEqual(['immature']);
    expect(categoryAfter(chain)).toEqual(['generate']);
    expect(categoryAfter([first, ...blocksAfter(genesisOf('regtest'), 2, 'ab')])).toEqual(['orphan']);
  });

  test('lists what blocks above the given one have, and always what is not in a block', () => {
    const node = openNode(dialect);
    const since = (hash: string) => brief(node.call('listsinceblock', [hash], 'w').transactions);
    expect(since(genesisOf('regtest').hash)).toEqual(['generate 50 101']);
    expect(since(first.hash)).toEqual([]);
    const hex = payment(node, [{ [STRANGER.address]: 49.999 }]);
    node.call('sendrawtransaction', [hex]);
    expect(since(tip.hash)).toEqual(['send -49.999 0']);
    const next = blockWith(tip, hex);
    feed(node, [next]);
    expect(since(tip.hash)).toEqual(['send -49.999 1']);
    expect(since(next.hash)).toEqual([]);
  });

  test('returns as lastblock the block with target_confirmations, which filters nothing', () => {
    const { call } = openNode(dialect);
    const lastblock = (target: number) => call('listsinceblock', [null, target], 'w').lastblock;
    expect(lastblock(1)).toBe(tip.hash);
    expect(lastblock(6)).toBe(chain.at(-6)?.hash);
    expect(lastblock(101)).toBe(first.hash);
    expect(lastblock(1000)).toBe(genesisOf('regtest').hash);
    // Asked again from there, a payment is listed until it has six confirmations.
    expect(call('listsinceblock', [null, 6], 'w').transactions).toHaveLength(1);
  });

  test('starts where the chains part if the given block was replaced, and lists its payments as removed', () => {
    const node = openNode(dialect);
    const hex = payment(node, [{ [STRANGER.address]: 49.999 }]);
    const replaced = blockWith(tip, hex);
    feed(node, [replaced]);
    // Two blocks instead of that one, without the payment, which returns to the mempool.
    feed(node, blocksAfter(tip, 2, 'cd'));
    const { transactions, removed } = node.call('listsinceblock', [replaced.hash], 'w');
    expect(brief(transactions)).toEqual(['send -49.999 0']);
    expect(brief(removed)).toEqual(['send -49.999 0']);

    const without = node.call('listsinceblock', [replaced.hash, 1, false, false], 'w');
    expect(without).not.toHaveProperty('removed');
    expect(without.transactions).toEqual(transactions);
  });

  test('shows a payment as removed with its present confirmations if the new blocks have it, too', () => {
    const node = openNode(dialect);
    const hex = payment(node, [{ [STRANGER.address]: 49.999 }]);
    const replaced = blockWith(tip, hex);
    feed(node, [replaced]);
    const [empty = first] = blocksAfter(tip, 1, 'cd');
    feed(node, [empty, blockWith(empty, hex)]);
    const { transactions, removed } = node.call('listsinceblock', [replaced.hash], 'w');
    expect(brief(transactions)).toEqual(['send -49.999 1']);
    expect(brief(removed)).toEqual(['send -49.999 1']);
  });

  test('counts downwards from the block that spent the coin otherwise, and names the other payment', () => {
    const node = openNode(dialect);
    const [loser, winner] = [
      payment(node, [{ [STRANGER.address]: 49.99 }]),
      payment(node, [{ [STRANGER.address]: 49.999 }]),
    ];
    const lost = node.call('sendrawtransaction', [loser]);
    const next = blockWith(tip, winner);
    feed(node, [next, ...blocksAfter(next, 1)]);
    const { transactions } = node.call('listsinceblock', [tip.hash], 'w');
    expect(brief(transactions)).toEqual(['send -49.99 -2', 'send -49.999 2']);
    const won = node.call('decoderawtransaction', [winner]).txid;
    expect(transactions.map(({ txid, walletconflicts }) => [txid, walletconflicts])).toEqual(
      expect.arrayContaining([
        [lost, [won]],
        [won, [lost]],
      ]),
    );
  });

  test('marks what was abandoned', () => {
    const node = openNode(dialect);
    const replaced = node.call('sendrawtransaction', [payment(node, [{ [STRANGER.address]: 49.999 }])]);
    // Pays a higher fee, so that it takes the place of the first payment in the mempool.
    const better = node.call('sendrawtransaction', [payment(node, [{ [STRANGER.address]: 49.99 }])]);
    node.call('abandontransaction', [replaced], 'w');
    const { transactions } = node.call('listsinceblock', [tip.hash], 'w');
    const marks = transactions.map((entry) => [entry.txid, 'abandoned' in entry && entry.abandoned]);
    expect(new Map(marks as [string, boolean][])).toEqual(
      new Map([
        [replaced, true],
        [better, false],
      ]),
    );
  });
});

describe('only 0.21', () => {
  test('lists payments to watched addresses if include_watchonly is true', () => {
    const node = openNode('core-0.21');
    node.call('importaddress', [WATCHED, 'rent'], 'w');
    feed(node, [blockAfter(tip, { script: '76a91406afd46bcdfd22ef94ac122aa11f241244a37ecc88ac' })]);
    expect(node.call('listsinceblock', [tip.hash], 'w').transactions).toEqual([]);
    const { transactions } = node.call('listsinceblock', [tip.hash, 1, true], 'w');
    expect(transactions).toMatchObject([
      { involvesWatchonly: true, address: WATCHED, category: 'immature', amount: 50, label: 'rent' },
    ]);
  });
});

describe('only Core 31', () => {
  test('lists change if include_change is true', () => {
    const node = openNode('core-32');
    const change = `wpkh(${STRANGER.key})`;
    const { checksum } = node.call('getdescriptorinfo', [change]);
    node.call('importdescriptors', [[{ desc: `${change}#${checksum}`, timestamp: 'now', internal: true }]], 'w');
    node.call('sendrawtransaction', [payment(node, [{ [WATCHED]: 10 }, { [STRANGER.address]: 39.999 }])]);
    const list = (includesChange: boolean) =>
      brief(node.call('listsinceblock', [tip.hash, 1, false, true, includesChange], 'w').transactions);
    expect(list(false)).toEqual(['send -10 0']);
    expect(list(true)).toEqual(['receive 39.999 0', 'send -10 0', 'send -39.999 0']);
  });

  test('lists only what was received with a label, if one is named', () => {
    const node = openNode('core-32');
    node.call('sendrawtransaction', [payment(node, PAYS_STRANGER)]);
    const list = (label: string) => brief(node.call('listsinceblock', { label }, 'w').transactions);
    expect(list('savings')).toEqual(['generate 50 101', 'receive 39.999 0']);
    expect(list('rent')).toEqual([]);
  });
});

describe('listsinceblock refuses', () => {
  const [old, core] = [openNode('core-0.21', []), openNode('core-32', [])];
  const wrongType = (position: string, got: string, wanted: string) =>
    `Wrong type passed:\n{\n    "Position ${position}": "JSON value of type ${got} is not of expected type ${wanted}"\n}`;
  const unknown = 'ab'.repeat(32);

  // [what, parameters, code and text of Core 31, those of 0.21 where they differ]
  test.each<[string, unknown[], [number, string], [number, string]?]>([
    [
      'a number as blockhash',
      [1],
      [-3, wrongType('1 (blockhash)', 'number', 'string')],
      [-1, 'JSON value is not a string as expected'],
    ],
    ['a short blockhash', ['ab'], [-8, "blockhash must be of length 64 (not 2, for 'ab')"]],
    [
      'a blockhash that is not hex',
      ['z'.repeat(64)],
      [-8, `blockhash must be hexadecimal string (not '${'z'.repeat(64)}')`],
    ],
    ['a block that the node does not know', [unknown], [-5, 'Block not found']],
    ['0 as target_confirmations', ['', 0], [-8, 'Invalid parameter']],
    [
      'a text as target_confirmations',
      ['', '1'],
      [-3, wrongType('2 (target_confirmations)', 'string', 'number')],
      [-1, 'JSON value is not an integer as expected'],
    ],
    ['a fraction as target_confirmations', ['', 1.5], [-1, 'JSON integer out of range']],
    [
      'a number as include_watchonly',
      ['', 1, 1],
      [-3, wrongType('3 (include_watchonly)', 'number', 'bool')],
      [-1, 'JSON value is not a boolean as expected'],
    ],
    [
      'a text as include_removed',
      ['', 1, false, 'no'],
      [-3, wrongType('4 (include_removed)', 'string', 'bool')],
      [-1, 'JSON value is not a boolean as expected'],
    ],
  ])('%s', (_, params, ofCore, ofOld = ofCore) => {
    for (const [{ call }, [code, message]] of [
      [core, ofCore],
      [old, ofOld],
    ] as const) {
      const method: string = 'listsinceblock';
      expect(() => call(method, params, 'w')).toThrow(expect.objectContaining({ code, message }));
    }
  });

  test('the label *, which stands for all labels elsewhere', () => {
    const refusal = { code: -11, message: 'Invalid label name' };
    expect(() => core.call('listsinceblock', { label: '*' }, 'w')).toThrow(expect.objectContaining(refusal));
  });
});
