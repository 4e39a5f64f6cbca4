import { describe, expect, test } from 'vitest';
import { blockAfter, coinbaseOf, spend } from '../../../support/blocks.ts';
import { rpcFault, submit } from '../../../support/feeding.ts';
import { COINBASE_VALUE, coinOf, LAST, openMature, outputOf } from '../../../support/funded.ts';
import {
  createNodeRpc,
  type DialectName,
  decodeTransaction,
  encodeTransaction,
  formatHex,
  formatTxid,
  type NodeRpc,
  type NodeRpcOptions,
  parseHex,
  type Transaction,
  txid,
} from '../../../support/library.ts';

const TIME = 1_700_000_000;
const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const KEY_HASH = '751e76e8199196d454941c45d1b3a323f1433bd6';
const TPUB =
  'tpubD6NzVbkrYhZ4YiNvEkVBBTtZHvMMNesKUC5gVjcgb4Z2HXwY6qHZaQsNrcPionogDUGJvTxWUbYCgGoTDb2vjP4fdYbbXqUfmsbXbc9RtRk';

const open = (dialect: DialectName = 'core-32', more: Partial<NodeRpcOptions> = {}): NodeRpc =>
  createNodeRpc({ network: 'regtest', dialect, clock: () => TIME, random: (size) => new Uint8Array(size), ...more });
const hexOf = (tx: Transaction): string => formatHex(encodeTransaction(tx));
const idOf = (tx: Transaction): string => formatTxid(txid(tx));
const send = (rpc: NodeRpc, tx: Transaction): unknown => rpc.call('sendrawtransaction', [hexOf(tx), 0]);

/** Returns the transactions of a block. */
const txsOf = (rpc: NodeRpc, hash: string | undefined): readonly Transaction[] =>
  rpc.call('getblock', [hash ?? '', 2]).tx.map((tx) => decodeTransaction(parseHex(tx.hex)));

const fault = (rpc: NodeRpc, method: string, ...params: readonly unknown[]) => {
  const { code, message } = rpcFault(() => rpc.call(method, params));
  return { code, message };
};

/** Facts of nodes that were started with -mocktime=1700000000. */
const HASHES: readonly (readonly [DialectName, Readonly<Record<string, string>>])[] = [
  [
    'core-29',
    {
      1: '57c93df506dd275f4466458e7d561568041a1ceb2362f02e5b8f4296030a64f0',
      20: '7647ee641bad2b12a2713e4c58930d13ae462070f85c2095d352584dbfced071',
      next: '54ee12fac0d32f19f76964c76b5d082df2b1f810ee3445449a5f741e5279a3c2',
    },
  ],
  [
    'core-31',
    {
      1: '02fd7bcf9a14c9d88d8a2803a89ec6bda088c6925d89721ce0a98d2852aa20e0',
      20: '5429d6cc3d381a03ecd29ab5824303642eb33e37d39c4b28d7c6a1318131a715',
      next: '5ffa1505f8b5a593f186dff78faff063979a5ed03e50a5915222608a37a7bfe4',
    },
  ],
  [
    'core-32',
    {
      1: '02fd7bcf9a14c9d88d8a2803a89ec6bda088c6925d89721ce0a98d2852aa20e0',
      17: '48779fc0fed78a8df162d1fab87eb3cba038827631804e4fd24059b8fbfe2e12',
      20: '39ea6a92c5470d2e15846826b3e323be38b3b1f910dafac0c95f86929ee480dc',
      next: '04dec950b015159352e87723571bf60e0070dc202c37d1988783cd8149b241b6',
    },
  ],
];

test.each(HASHES)('a new chain of %s gets the same blocks as that of the node, hash for hash', (dialect, known) => {
  const rpc = open(dialect);
  const hashes = rpc.call('generatetoaddress', [20, ADDRESS]);
  const { next, ...blocks } = known;
  for (const [height, hash] of Object.entries(blocks)) expect(hashes[Number(height) - 1]).toBe(hash);
  const made = rpc.call('generateblock', ['raw(51)', [], false]);
  expect(made.hash).toBe(next);
  expect(rpc.call('getbestblockhash')).toBe(hashes[19]);
  expect(rpc.call('submitblock', [made.hex ?? ''])).toBeNull();
  expect(rpc.call('getbestblockhash')).toBe(next);
});

test('a frozen clock makes blocks as late as the median demands, and their versions vote while they can', () => {
  const rpc = open('core-31');
  const hashes = rpc.call('generatetodescriptor', [500, 'raw(51)']);
  const header = (height: number) => rpc.call('getblockheader', [hashes[height - 1] ?? '']);
  for (const [height, added] of [
    [1, 0],
    [11, 3],
    [12, 3],
    [20, 5],
    [143, 25],
    [144, 25],
    [145, 25],
    [288, 49],
    [500, 85],
  ] as const)
    expect([height, header(height).time]).toEqual([height, TIME + added]);
  for (const [height, version] of [
    [1, '20000000'],
    [143, '20000000'],
    [144, '30000000'],
    [431, '30000000'],
    [432, '20000000'],
  ] as const)
    expect([height, header(height).versionHex]).toEqual([height, version]);
});

describe.each([
  ['core-0.21', '600101', '01110101', 0xffff_ffff, false],
  ['core-29', '6000', '011100', 0xffff_ffff, false],
  ['core-30', '6000', '011100', 0xffff_fffe, true],
  ['core-31', '6000', '011100', 0xffff_fffe, true],
  ['core-32', '6000', '0111', 0xffff_fffe, true],
] as const)('a block that %s makes', (dialect, at16, at17, sequence, isLocked) => {
  test('has a coinbase with its height, and a commitment to witnesses', () => {
    const rpc = open(dialect);
    const hashes = rpc.call('generatetoaddress', [17, ADDRESS]);
    for (const [height, scriptSig] of [
      [16, at16],
      [17, at17],
    ] as const) {
      const [coinbase = spend([])] = txsOf(rpc, hashes[height - 1]);
      expect(coinbase).toMatchObject({ version: 2, locktime: isLocked ? height - 1 : 0 });
      expect(coinbase.inputs.map((input) => [formatHex(input.scriptSig), input.sequence, input.witness])).toEqual([
        [scriptSig, sequence, [new Uint8Array(32)]],
      ]);
      expect(coinbase.outputs.map(({ value, scriptPubKey }) => [value, formatHex(scriptPubKey)])).toEqual([
        [COINBASE_VALUE, `0014${KEY_HASH}`],
        [0n, '6a24aa21a9ede2f61c3f71d1defd3fa999dfa36953755c690689799962b48bebd836974e8cf9'],
      ]);
    }
  });

  test('takes the mempool, and pays its fees to the miner', () => {
    const rpc = openMature(dialect);
    const [parent, other] = [spend([coinOf(1)], '51', 4_999_990_000n), spend([coinOf(2)], '51', 4_999_999_000n)];
    const child = spend([outputOf(parent)], '51', 4_999_980_000n);
    for (const tx of [parent, other, child]) send(rpc, tx);
    const [hash] = rpc.call('generatetoaddress', [1, ADDRESS]);
    const [coinbase = spend([]), ...others] = txsOf(rpc, hash);
    expect(others.map(idOf)).toEqual([parent, child, other].map(idOf));
    expect(coinbase.outputs[0]?.value).toBe(COINBASE_VALUE + 21_000n);
    expect(rpc.call('getrawmempool')).toEqual([]);
  });
});

describe('generatetoaddress', () => {
  test('makes no more blocks than it may try nonces for', () => {
    const counts = (...params: readonly [number, string, number]): number =>
      open('core-29').call('generatetoaddress', params).length;
    expect([counts(0, ADDRESS, 5), counts(-1, ADDRESS, 5), counts(3, ADDRESS, 0)]).toEqual([0, 0, 0]);
    // The first block needs none but the nonce 0; all attempts of a call are counted together.
    expect(counts(1, ADDRESS, 1)).toBe(1);
    expect(counts(20, ADDRESS, 5)).toBeLessThan(20);
    expect(counts(20, ADDRESS, 5)).toBeGreaterThan(1);
    // A negative number is read as a large one.
    expect(counts(20, ADDRESS, -1)).toBe(20);
  });

  test('refuses what is not an address of the chain, or not a number', () => {
    const rpc = open();
    for (const address of ['', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', `${ADDRESS}x`])
      expect(fault(rpc, 'generatetoaddress', 1, address)).toEqual({ code: -5, message: 'Error: Invalid address' });
    for (const count of [1.5, 2 ** 31])
      expect(fault(rpc, 'generatetoaddress', count, ADDRESS)).toEqual({
        code: -1,
        message: 'JSON integer out of range',
      });
    expect(fault(rpc, 'generatetoaddress', '1', ADDRESS)).toMatchObject({ code: -3 });
  });

  test('fails where the block would not be valid', () => {
    for (const [dialect, message] of [
      ['core-29', 'CreateNewBlock: TestBlockValidity failed: time-too-new, block timestamp too far in the future'],
      ['core-30', 'TestBlockValidity failed: time-too-new, block timestamp too far in the future'],
    ] as const) {
      const rpc = openMature(dialect);
      rpc.call('setmocktime', [TIME]);
      expect(fault(rpc, 'generatetoaddress', 1, ADDRESS)).toEqual({ code: -1, message });
    }
  });
});

describe('generatetodescriptor', () => {
  const scriptFor = (descriptor: string): string => {
    const rpc = open();
    const [hash] = rpc.call('generatetodescriptor', [1, descriptor]);
    const [coinbase] = txsOf(rpc, hash);
    return formatHex(coinbase?.outputs[0]?.scriptPubKey ?? new Uint8Array(0));
  };

  test('pays to its script, of several the one for segwit', () => {
    expect(scriptFor('raw(5151)')).toBe('5151');
    expect(scriptFor(`addr(${ADDRESS})`)).toBe(`0014${KEY_HASH}`);
    expect(scriptFor(`combo(${KEY})`)).toBe(`0014${KEY_HASH}`);
    const uncompressed = `04${KEY.slice(2)}483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8`;
    expect(scriptFor(`combo(${uncompressed})`)).toBe('76a91491b24bf9f5288532960ac687abb035127b1d28a588ac');
  });

  test('refuses descriptors that do not stand for one script', () => {
    const rpc = open();
    for (const [descriptor, code, message] of [
      ['bad', -5, "'bad' is not a valid descriptor function"],
      [`wpkh(${TPUB}/*)`, -8, 'Ranged descriptor not accepted. Maybe pass through deriveaddresses first?'],
      [`wpkh(${TPUB}/<0;1>/*)`, -8, 'Multipath descriptor not accepted'],
      [`wpkh(${TPUB}/0h)`, -5, 'Cannot derive script without private keys'],
    ] as const)
      expect(fault(rpc, 'generatetodescriptor', 1, descriptor)).toEqual({ code, message });
  });

  test('reads a negative number of attempts as a large one in 0.21 only', () => {
    expect(open('core-0.21').call('generatetodescriptor', [2, 'raw(51)', -1])).toHaveLength(2);
    expect(fault(open('core-29'), 'generatetodescriptor', 2, 'raw(51)', -1)).toEqual({
      code: -1,
      message: 'JSON integer out of range',
    });
  });
});

describe('generateblock', () => {
  const [parent, other] = [spend([coinOf(1)], '51', 4_999_990_000n), spend([coinOf(2)], '51', 4_999_999_000n)];
  const child = spend([outputOf(parent)], '51', 4_999_980_000n);

  test('takes the transactions in their order, and leaves their fees', () => {
    const rpc = openMature();
    send(rpc, parent);
    const { hash } = rpc.call('generateblock', [ADDRESS, [hexOf(other), idOf(parent), hexOf(child)]]);
    const [coinbase, ...others] = txsOf(rpc, hash);
    expect(others.map(idOf)).toEqual([other, parent, child].map(idOf));
    expect(coinbase?.outputs[0]?.value).toBe(COINBASE_VALUE);
    expect(rpc.call('getbestblockhash')).toBe(hash);
    expect(rpc.call('getmininginfo')).toMatchObject({ currentblockweight: 8000, currentblocktx: 0 });
  });

  test('commits to witnesses', () => {
    const rpc = openMature();
    const script = `0020${'4ae81572f06e1b88fd5ced7a1a000945432e83e1551e6f721ee9c00b8cc33260'}`;
    const paid = spend([coinOf(1)], script, 1_000_000n);
    const [spending = spend([])] = [spend([outputOf(paid)])].map((tx) => ({
      ...tx,
      inputs: tx.inputs.map((input) => ({ ...input, witness: [Uint8Array.of(0x51)] })),
    }));
    const { hash } = rpc.call('generateblock', [ADDRESS, [paid, spending].map(hexOf)]);
    expect(txsOf(rpc, hash).slice(1)).toEqual([paid, spending]);
  });

  test('shows the block instead of adding it if submit is false', () => {
    const rpc = openMature();
    const { hash, hex = '' } = rpc.call('generateblock', [ADDRESS, [hexOf(parent)], false]);
    expect(rpc.call('getbestblockhash')).toBe(LAST.hash);
    expect(submit(rpc, [{ ...LAST, hex }])).toEqual([null]);
    expect(rpc.call('getbestblockhash')).toBe(hash);
    expect(fault(openMature('core-0.21'), 'generateblock', ADDRESS, [], false)).toMatchObject({ code: -1 });
  });

  test('refuses other outputs and transactions', () => {
    const rpc = openMature();
    for (const [params, code, message] of [
      [['nobody', []], -5, 'Error: Invalid address or descriptor'],
      [[`wpkh(${TPUB}/*)`, []], -8, 'Ranged descriptor not accepted. Maybe pass through deriveaddresses first?'],
      [[ADDRESS, [idOf(parent)]], -5, `Transaction ${idOf(parent)} not in mempool.`],
      [[ADDRESS, ['00']], -22, 'Transaction decode failed for 00. Make sure the tx has at least one input.'],
      [[ADDRESS, [5]], -3, 'JSON value of type number is not of expected type string'],
    ] as const)
      expect(fault(rpc, 'generateblock', ...params)).toEqual({ code, message });
  });

  test.each([
    ['core-0.21', 'bad-txns-inputs-missingorspent, CheckTxInputs: inputs missing/spent'],
    ['core-32', `bad-txns-inputs-missingorspent, CheckTxInputs: inputs missing/spent in transaction ${idOf(child)}`],
  ] as const)('says for %s why the block would not be valid, and keeps nothing of it', (dialect, reason) => {
    const rpc = openMature(dialect);
    const message = `TestBlockValidity failed: ${reason}`;
    expect(fault(rpc, 'generateblock', ADDRESS, [hexOf(child), hexOf(parent)])).toEqual({ code: -25, message });
    expect(rpc.call('getchaintips')).toHaveLength(1);
    expect(rpc.call('generateblock', [ADDRESS, [hexOf(parent), hexOf(child)]])).toHaveProperty('hash');
  });

  test('says as 0.21 nothing of what a later release explains', () => {
    const again = { ...spend([coinOf(1)]), version: 2, locktime: 0 };
    const locked = { ...again, inputs: again.inputs.map((input) => ({ ...input, sequence: 1 })) };
    const block = blockAfter(LAST, { txs: [again] });
    const reasonOf = (dialect: DialectName, tx: Transaction): string => {
      const rpc = openMature(dialect, {}, [block]);
      return fault(rpc, 'generateblock', ADDRESS, [hexOf(tx)]).message;
    };
    const waiting = {
      ...locked,
      inputs: locked.inputs.map((input) => ({ ...input, outpoint: outputOf(again), sequence: 2 })),
    };
    for (const [tx, reason, detail] of [
      [again, 'bad-txns-BIP30', 'tried to overwrite transaction'],
      [waiting, 'bad-txns-nonfinal', `contains a non-BIP68-final transaction ${idOf(waiting)}`],
    ] as const) {
      expect(reasonOf('core-0.21', tx)).toBe(`TestBlockValidity failed: ${reason}`);
      expect(reasonOf('core-32', tx)).toBe(`TestBlockValidity failed: ${reason}, ${detail}`);
    }
    expect(coinbaseOf(block).outputs).toHaveLength(1);
  });
});

const GONE = 'has been replaced by the -generate cli option. Refer to -help for more information.';

// As litecoind 0.21.2.1 answers, and as Core's RPCHelpMan::ToString joins name and description.
test.each([
  ['core-0.21', `generate\n${GONE}`],
  ['litecoin-0.21', `generate\n${GONE}`],
  ['core-29', `generate\n\n${GONE}\n`],
  ['core-30', `generate\n\n${GONE}\n`],
  ['core-31', `generate\n\n${GONE}\n`],
  ['core-32', `generate\n\n${GONE}\n`],
  ['documented', `generate\n\n${GONE}\n`],
] as const)('generate is gone from %s', (dialect, message) => {
  const rpc = open(dialect, dialect === 'litecoin-0.21' ? { network: 'litecoin-regtest' } : {});
  expect(fault(rpc, 'generate')).toEqual({ code: -32601, message });
  expect(fault(rpc, 'generate', 101)).toEqual({ code: -1, message });
  expect(rpc.call('help', ['generate'])).toBe(message);
});
