import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountFromDescriptors, accountFromKey, accountFromWords } from '../../../src/index.ts';
import {
  formatLabels,
  type LabelRecord,
  labelOrigin,
  labelsOf,
  mergeLabels,
  parseLabels,
  readNodeLabels,
  type WalletCall,
  writeNodeLabels,
} from '../../../src/kit/labels/index.ts';
import { RpcError } from '../../../src/rpc.ts';
import { startRegtest } from '../../../src/shell/regtest/index.ts';
import { refusalOf } from '../../support/refusal.ts';

const TXID = 'f91d0a8a78462bc59398f2c5d7a84fcff491c26ba54c4833478b202796c8aafd';
const words = `${'abandon '.repeat(11)}about`;

const faultOf = (work: () => unknown): string => refusalOf(work).message;

/** The records of BIP329 "Test Vectors". */
const OFFICIAL = `{ "type": "tx", "ref": "${TXID}", "label": "Transaction", "origin": "wpkh([d34db33f/84'/0'/0'])" }
{ "type": "addr", "ref": "bc1q34aq5drpuwy3wgl9lhup9892qp6svr8ldzyy7c", "label": "Address" }
{ "type": "pubkey", "ref": "0283409659355b6d1cc3c32decd5d561abaac86c37a353b52895a5e6c196d6f448", "label": "Public Key" }
{ "type": "input", "ref": "${TXID}:0", "label": "Input" }
{ "type": "output", "ref": "${TXID}:1", "label": "Output", "spendable": false }
{ "type": "xpub", "ref": "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8", "label": "Extended Public Key" }
{ "type": "spscan", "ref": "spscan1q5zs2pg9q5zs2pg9q5zs2pg9q5zs2pg9q5zs2pg9q5zs2pg9q5zsq9q6qjevn2kmdrnpuxt0v6h2kr2a2epkr0g6nk55ftf0xcxtddazgkrth3e", "label": "Silent Payments Scan Key Expression" }
{ "type": "tx", "ref": "f546156d9044844e02b181026a1a407abfca62e7ea1159f87bbeaa77b4286c74", "label": "Account #1 Transaction", "origin": "wpkh([d34db33f/84'/0'/1'])" }
`;

describe('BIP329', () => {
  test('reads and writes the records of the BIP, 8 of 8', () => {
    const records = parseLabels(OFFICIAL);
    expect(records).toEqual(
      OFFICIAL.trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
    expect(records).toHaveLength(8);
    expect(parseLabels(formatLabels(records))).toEqual(records);
    expect(parseLabels(new TextEncoder().encode(`\ufeff${OFFICIAL.replaceAll('\n', '\r\n\r\n')}`))).toEqual(records);
  });
});

const hex = (bytes: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => Buffer.from(array).toString('hex'));
const record: fc.Arbitrary<LabelRecord> = fc
  .tuple(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.oneof(
      fc.record({ type: fc.constant('tx'), ref: hex(32) }),
      fc.record({ type: fc.constant('output'), ref: hex(32).map((txid) => `${txid}:7`), spendable: fc.boolean() }),
      fc.record({ type: fc.constantFrom('later', 'toString'), ref: fc.constant('x') }),
    ),
    fc.record({ label: fc.string({ unit: 'grapheme' }), origin: fc.string() }, { requiredKeys: [] }),
  )
  .map(([more, own, optional]) => {
    const others = Object.entries(more).filter(([name]) => !['label', 'origin', 'spendable'].includes(name));
    return { ...Object.fromEntries(others), ...optional, ...own };
  });

describe('a label file', () => {
  test('keeps members and types that the BIP does not name', () => {
    fc.assert(
      fc.property(fc.array(record), (records) => {
        expect(parseLabels(formatLabels(records))).toEqual(JSON.parse(JSON.stringify(records)));
      }),
    );
  });

  test.each([
    ['{', 'is not JSON, or is nested too deeply'],
    ['[]', 'is not a JSON object'],
    [
      `{"type":"tx","ref":"${TXID}","x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      'is not JSON, or is nested too deeply',
    ],
    ['"tx"', 'is not a JSON object'],
    ['{"type":"tx"}', 'lacks "type" or "ref" as text'],
    [`{"type":"tx","ref":"${TXID.slice(1)}"}`, 'has a "ref" that is not a txid'],
    [`{"type":"output","ref":"${TXID}"}`, 'has a "ref" that is not a txid and an index, such as txid:0'],
    [`{"type":"tx","ref":"${TXID}","label":7}`, 'has a "label" that is not text'],
    [`{"type":"output","ref":"${TXID}:0","spendable":"false"}`, 'has a "spendable" other than true and false'],
    [`{"type":"tx","ref":"${TXID}","value":12345678901234567891}`, /more digits than programs keep/],
    [`{"type":"x","ref":"${'x'.repeat(100_000)}"}`, 'has more than 100000 characters'],
    [
      '{"type":"xpub","ref":"xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi"}',
      'refers to a private key: delete it from the file',
    ],
  ])('%# is refused as a whole, with its line', (line, reason) => {
    const message = faultOf(() => parseLabels(`${OFFICIAL}\n${line}\n`));
    expect(message).toEqual(expect.stringMatching(/^Line 10 of the label file /));
    expect(message.replace('Line 10 of the label file ', '')).toEqual(
      typeof reason === 'string' ? reason : expect.stringMatching(reason),
    );
  });

  test('of a million lines, or too many bytes, is refused', () => {
    const many = `{"type":"x","ref":"x"}\n`.repeat(1_000_000);
    expect(faultOf(() => parseLabels(many))).toBe('The label file has more than 200000 records: split it');
    expect(faultOf(() => parseLabels(new Uint8Array(64_000_001)))).toBe('The label file has more than 64 MB: split it');
    expect(faultOf(() => parseLabels(Uint8Array.of(0xff)))).toMatch(/not UTF-8/);
  });
});

describe('two label files', () => {
  const own = [{ type: 'addr', ref: 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', label: 'Rent', a: 1 }];
  const of = (label: string, more: object = {}) => [
    { type: 'addr', ref: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', label, ...more },
  ];

  test('keep the first label, and report another', () => {
    const { records, conflicts } = mergeLabels(own, of('Flat', { a: 2, b: 3 }));
    expect(records).toEqual([{ ...own[0], b: 3 }]);
    expect(conflicts).toMatchObject([{ member: 'label', kept: { label: 'Rent' }, other: { label: 'Flat' } }]);
    expect(mergeLabels(own, of('Rent')).conflicts).toEqual([]);
  });

  test('of several wallets do not disagree', () => {
    const [first, second] = ["wpkh([d34db33f/84'/0'/0'])", 'wpkh([d34db33f/84h/0h/1h])'];
    const lists = [of('A', { origin: first }), of('B', { origin: second })];
    expect(mergeLabels(...lists).conflicts).toEqual([]);
    expect(
      mergeLabels(...lists, of('C', { origin: second.replaceAll('h', "'").replace("wpk'", 'wpkh') })).conflicts,
    ).toHaveLength(1);
  });

  test('are the same, however often they are merged', () => {
    fc.assert(
      fc.property(fc.array(record), fc.array(record), (first, second) => {
        const { records } = mergeLabels(first, second);
        expect(mergeLabels(records, first, second).records).toEqual(records);
        expect(mergeLabels(records).conflicts).toEqual([]);
      }),
    );
  });
});

describe('the labels of an account', () => {
  const me = accountFromWords(words);
  const cosigner =
    "[73c5da0a/48'/0'/0'/2']xpub6DkFAXWQ2dHxq2vatrt9qyA3bXYU4ToWQwCHbf5XB2mSTexcHZCeKS1VZYcPoBd5X8yVcbXFHJR9R8UCVpt82VX1VhR28mCyxUFL4r6KFrf";

  test('name its keys, not their values', () => {
    expect(labelOrigin(me)).toBe("wpkh([73c5da0a/84'/0'/0'])");
    expect(labelOrigin(accountFromDescriptors(`wsh(sortedmulti(1,${cosigner}/<0;1>/*))`))).toBe(
      "wsh(sortedmulti(1,[73c5da0a/48'/0'/0'/2']))",
    );
    const tree = accountFromDescriptors(
      `tr(${cosigner}/<0;1>/*,{and_v(v:pk(${cosigner}/<2;3>/*),older(144)),multi_a(1,${cosigner}/<4;5>/*)})`,
    );
    expect(labelOrigin(tree)).toBe(
      "tr([73c5da0a/48'/0'/0'/2'],{and_v(v:pk([73c5da0a/48'/0'/0'/2']),older(144)),multi_a(1,[73c5da0a/48'/0'/0'/2'])})",
    );
    const wif = accountFromKey('KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn');
    expect(faultOf(() => labelOrigin(wif))).toMatch(/Only a wallet of extended keys/);
  });

  test('are those that name it, or none and are its addresses', () => {
    const origin = labelOrigin(me);
    const own = [
      { type: 'tx', ref: TXID, label: 'a', origin: origin.replaceAll("'", 'h') },
      { type: 'tx', ref: TXID, label: 'b' },
      { type: 'addr', ref: me.receive(7).address, label: 'c' },
    ];
    const others = [
      { type: 'tx', ref: TXID, label: 'd', origin: "wpkh([73c5da0a/84'/0'/1'])" },
      { type: 'addr', ref: 'bc1q34aq5drpuwy3wgl9lhup9892qp6svr8ldzyy7c', label: 'e' },
      { type: 'addr', ref: 'mistyped', label: 'f' },
    ];
    expect(labelsOf(me, [...own, ...others], 20)).toEqual(own);
  });
});

describe.each(['core-32', 'core-29', 'core-0.21'] as const)('the labels of a wallet of a %s node', (dialect) => {
  const chain = startRegtest({ dialect });
  const alice = chain.wallet('alice');
  const call: WalletCall = (method, params) => alice.call(method as 'getbalance', params as []);
  const foreign = { type: 'addr', ref: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', label: 'x' };

  test('are written and read, once all of them were looked at', async () => {
    const address = alice.address();
    const coin = chain.fund(address, 100_000n);
    const output = { type: 'output', ref: `${coin.txid.toUpperCase()}:${coin.vout}`, spendable: false };
    const label = { type: 'addr', ref: address, label: 'Rent', origin: "wpkh([d34db33f/84'/1'/0'])" };
    const tx = { type: 'tx', ref: TXID, label: 'y' };
    const given = [label, output, foreign, tx, { ...foreign, ref: 'tb1mistyped' }];
    const first = await writeNodeLabels(call, formatLabels(given));
    const { origin: _origin, ...plain } = label;
    expect(first).toEqual({ written: [plain, output], conflicts: [], ignored: [foreign, tx, given[4]] });
    const held = [
      { type: 'addr', ref: address, label: 'Rent' },
      { ...output, ref: output.ref.toLowerCase() },
    ];
    expect(await readNodeLabels(call)).toEqual(held);
    expect(await writeNodeLabels(call, held)).toEqual({ written: held, conflicts: [], ignored: [] });

    const other = [{ ...label, label: 'Flat' }];
    expect((await writeNodeLabels(call, other)).conflicts).toMatchObject([
      { member: 'label', kept: { label: 'Rent' }, other: { label: 'Flat' } },
    ]);
    expect((await readNodeLabels(call))[0]).toMatchObject({ label: 'Rent' });
    await writeNodeLabels(call, [...other, { ...output, spendable: true }], { overwrites: true });
    expect(await readNodeLabels(call)).toEqual([{ ...held[0], label: 'Flat' }]);
  });

  test('of several wallets in one file are those of one wallet, and are not written twice', async () => {
    const address = alice.address();
    const { txid, vout } = chain.fund(address, 100_000n);
    const lock = { type: 'output', ref: `${txid}:${vout}`, spendable: false };
    const two = ["wpkh([d34db33f/84'/1'/0'])", "wpkh([d34db33f/84'/1'/1'])"].flatMap((origin, i) => [
      { ...lock, origin },
      { type: 'addr', ref: address, label: `${i}`, origin },
    ]);
    const { written, conflicts } = await writeNodeLabels(call, two, { overwrites: true });
    expect([written.length, conflicts.length]).toEqual([2, 1]);
    await writeNodeLabels(call, [{ ...lock, spendable: true }]);
    await expect(writeNodeLabels(call, two, { overwrite: true } as never)).rejects.toThrow(
      /The option overwrite is unk/,
    );
  });

  test('of a file with a bad line are not written', async () => {
    const before = await readNodeLabels(call);
    const file = `${formatLabels([{ type: 'addr', ref: alice.address(), label: 'z' }])}{`;
    await expect(writeNodeLabels(call, file)).rejects.toMatchObject({ code: 'labels/invalid' });
    expect(await readNodeLabels(call)).toEqual(before);
  });

  test('fail with the node', async () => {
    const broken: WalletCall = (method, params) => {
      if (method === 'getaddressinfo') throw new Error('the line is down');
      return call(method, params);
    };
    await expect(writeNodeLabels(broken, [foreign])).rejects.toThrow('the line is down');
    expect(() => call('nothing', [])).toThrow(RpcError);
  });
});
