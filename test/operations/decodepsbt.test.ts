import { formatBase64, parseHex } from 'countersign/bytes';
import { createRpc } from 'countersign/rpc';
import { describe, expect, test } from 'vitest';

// decodepsbt "psbt" -> { tx, global_xpubs, ..., inputs, outputs, fee? }
//
// Shows every record of a PSBT (BIP174, BIP370, BIP371, BIP373). The members and texts are those of Litecoin Core 0.21
// and Bitcoin Core 31: `vectors/node/*.decode.jsonl.gz` has thousands of recorded calls, and `test/vectors/node.test.ts`
// compares them. 0.21 knows the records of BIP174's first version only, and shows all others as unknown.

const old = createRpc({ network: 'regtest', dialect: 'core-0.21' });
const core = createRpc({ network: 'regtest', dialect: 'core-32' });
const documented = createRpc({ network: 'regtest' });

/** Writes the parts of a PSBT, in hex, as base64. */
const base64 = (...parts: string[]): string => formatBase64(parseHex(parts.join('')));

// A record is: length of the key, key (its first byte is the type), length of the value, value. 00 ends a map.
const MAGIC = '70736274ff';
const END = '00';

// Version 2, spends output 1 of the transaction 1111..., pays 1 BTC to the P2WPKH of the public key below.
const TXID = '11'.repeat(32);
const PUBLIC_KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const P2WPKH = '0014751e76e8199196d454941c45d1b3a323f1433bd6';
const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const UNSIGNED = `0200000001${TXID}0100000000ffffffff0100e1f5050000000016${P2WPKH}00000000`;
const TX = `010052${UNSIGNED}`;

// A coin of 1.5 BTC of the same script, as input record 01.
const WITNESS_UTXO = `01011f80d1f0080000000016${P2WPKH}`;

describe('the answer for an unsigned PSBT', () => {
  const psbt = base64(MAGIC, TX, END, END, END);
  const tx = {
    txid: '724913c69fa8e576c2fe36364bca86122e5350da4df4b7818eaeb19b72f3a3f2',
    hash: '724913c69fa8e576c2fe36364bca86122e5350da4df4b7818eaeb19b72f3a3f2',
    version: 2,
    size: 82,
    vsize: 82,
    weight: 328,
    locktime: 0,
    vin: [{ txid: TXID, vout: 1, scriptSig: { asm: '', hex: '' }, sequence: 4294967295 }],
  };

  test('of 0.21', () => {
    expect(old.call('decodepsbt', [psbt])).toEqual({
      tx: {
        ...tx,
        vout: [
          {
            value: 1,
            n: 0,
            scriptPubKey: {
              asm: '0 751e76e8199196d454941c45d1b3a323f1433bd6',
              hex: P2WPKH,
              reqSigs: 1,
              type: 'witness_v0_keyhash',
              addresses: [ADDRESS],
            },
          },
        ],
      },
      unknown: {},
      inputs: [{}],
      outputs: [{}],
    });
  });

  // In these two, one address and a descriptor stand for a list of addresses.
  const vout = [
    {
      value: 1,
      n: 0,
      scriptPubKey: {
        asm: '0 751e76e8199196d454941c45d1b3a323f1433bd6',
        desc: `addr(${ADDRESS})#8pk5s7ya`,
        hex: P2WPKH,
        address: ADDRESS,
        type: 'witness_v0_keyhash',
      },
    },
  ];

  test('of Core 31', () => {
    expect(core.call('decodepsbt', [psbt])).toEqual({
      tx: { ...tx, vout },
      global_xpubs: [],
      psbt_version: 0,
      proprietary: [],
      unknown: {},
      inputs: [{}],
      outputs: [{}],
    });
  });

  test('of the default dialect, which shows unknown and final_scriptwitness always, and newer lists if they are not empty', () => {
    expect(documented.call('decodepsbt', [psbt])).toEqual({
      tx: { ...tx, vout },
      unknown: {},
      inputs: [{ final_scriptwitness: [], unknown: {} }],
      outputs: [{ unknown: {} }],
    });
  });
});

describe('an input shows', () => {
  /** Decodes a PSBT whose input has these records. */
  const input = (rpc: typeof core, ...records: string[]) =>
    rpc.call('decodepsbt', [base64(MAGIC, TX, END, ...records, END, END)]).inputs[0];

  test('the coin that it spends, with its amount', () => {
    expect(input(old, WITNESS_UTXO)).toEqual({
      witness_utxo: {
        amount: 1.5,
        scriptPubKey: {
          asm: '0 751e76e8199196d454941c45d1b3a323f1433bd6',
          hex: P2WPKH,
          type: 'witness_v0_keyhash',
          address: ADDRESS,
        },
      },
    });
    expect(input(core, WITNESS_UTXO)).toMatchObject({
      witness_utxo: { scriptPubKey: { desc: `addr(${ADDRESS})#8pk5s7ya` } },
    });
  });

  test('signatures by public key', () => {
    const signature =
      '3044022056c985961ddff259baefb77475ffb500669aa83e80b578c7f6194bef602a4e98' +
      '02204f9e9836880a096ec5b0ed1544b5813c68a1f1b0c85e7d58b21ca1a7726a50c801';
    for (const rpc of [old, core]) {
      expect(input(rpc, `2202${PUBLIC_KEY}47${signature}`)).toEqual({
        partial_signatures: { [PUBLIC_KEY]: signature },
      });
    }
  });

  test.each([
    ['01000000', 'ALL'],
    ['82000000', 'NONE|ANYONECANPAY'],
    // Not a type that exists.
    ['41000000', ''],
  ])('the hash type %s as "%s"', (value, sighash) => {
    for (const rpc of [old, core]) expect(input(rpc, `010304${value}`)).toEqual({ sighash });
  });

  test('scripts as text, hex and type', () => {
    const redeem_script = {
      asm: '0 751e76e8199196d454941c45d1b3a323f1433bd6',
      hex: P2WPKH,
      type: 'witness_v0_keyhash',
    };
    const witness_script = { asm: '1', hex: '51', type: 'nonstandard' };
    for (const rpc of [old, core]) {
      expect(input(rpc, `010416${P2WPKH}`, '01050151')).toEqual({ redeem_script, witness_script });
    }
  });

  test("from which master key its keys come; hardened steps have a ' in 0.21 and an h in Core 31", () => {
    const record = `2206${PUBLIC_KEY}10d90c6a4f540000800000008001000000`;
    const origin = { pubkey: PUBLIC_KEY, master_fingerprint: 'd90c6a4f' };
    expect(input(old, record)).toEqual({ bip32_derivs: [{ ...origin, path: "m/84'/0'/1" }] });
    expect(input(core, record)).toEqual({ bip32_derivs: [{ ...origin, path: 'm/84h/0h/1' }] });
  });

  test('final scripts; the default dialect spells final_scriptsig in small letters', () => {
    const records = ['01070151', '0108050202abcd00'];
    const final = { asm: '1', hex: '51' };
    for (const rpc of [old, core]) {
      expect(input(rpc, ...records)).toEqual({ final_scriptSig: final, final_scriptwitness: ['abcd', ''] });
    }
    expect(input(documented, ...records)).toEqual({
      final_scriptsig: final,
      final_scriptwitness: ['abcd', ''],
      unknown: {},
    });
  });

  test('records of unknown types by their whole key', () => {
    for (const rpc of [old, core]) expect(input(rpc, '03f0010202abcd')).toEqual({ unknown: { f00102: 'abcd' } });
  });

  test('taproot records (BIP371), which 0.21 does not know', () => {
    const [signature, internalKey] = ['22'.repeat(64), PUBLIC_KEY.slice(2)];
    const records = [`011340${signature}`, `011720${internalKey}`];
    expect(input(core, ...records)).toEqual({ taproot_key_path_sig: signature, taproot_internal_key: internalKey });
    expect(input(old, ...records)).toEqual({ unknown: { 13: signature, 17: internalKey } });
  });

  test('proprietary records as identifier, subtype and value, which 0.21 does not know', () => {
    // Identifier "wallet", subtype 7, key data aa.
    const record = '0afc0677616c6c657407aa02abcd';
    const key = 'fc0677616c6c657407aa';
    expect(input(core, record)).toEqual({
      proprietary: [{ identifier: '77616c6c6574', subtype: 7, key, value: 'abcd' }],
    });
    expect(input(old, record)).toEqual({ unknown: { [key]: 'abcd' } });
  });
});

describe('an output shows', () => {
  const output = (rpc: typeof core, ...records: string[]) =>
    rpc.call('decodepsbt', [base64(MAGIC, TX, END, END, ...records, END)]).outputs[0];

  test('its scripts and the origin of its keys, as an input does', () => {
    const records = [`010016${P2WPKH}`, `2202${PUBLIC_KEY}04d90c6a4f`];
    for (const rpc of [old, core]) {
      expect(output(rpc, ...records)).toEqual({
        redeem_script: { asm: '0 751e76e8199196d454941c45d1b3a323f1433bd6', hex: P2WPKH, type: 'witness_v0_keyhash' },
        bip32_derivs: [{ pubkey: PUBLIC_KEY, master_fingerprint: 'd90c6a4f', path: 'm' }],
      });
    }
  });

  test('the leaves of a taproot tree', () => {
    // One leaf: depth 0, leaf version c0, script OP_1.
    expect(output(core, '01060400c00151')).toEqual({ taproot_tree: [{ depth: 0, leaf_ver: 192, script: '51' }] });
  });
});

describe('the fee', () => {
  const fee = (...records: string[]) => core.call('decodepsbt', [base64(MAGIC, TX, END, ...records, END, END)]).fee;

  test('is what the coins have more than the outputs', () => {
    expect(fee(WITNESS_UTXO)).toBe(0.5);
  });

  test('is absent unless all coins are there', () => {
    expect(fee()).toBeUndefined();
  });

  test('is negative if the outputs pay more than the coins have', () => {
    expect(fee(`01011f000000000000000016${P2WPKH}`)).toBe(-1);
  });
});

describe('version 2 (BIP370)', () => {
  const global = ['01020402000000', '01040101', '01050101', '01fb0402000000'];
  const input = [`010e20${TXID}`, '010f0401000000'];
  const output = ['01030800e1f50500000000', `010416${P2WPKH}`];
  const psbt = base64(MAGIC, ...global, END, ...input, END, ...output, END);

  test('has no tx in Core 31, but counts, and the parts in inputs and outputs', () => {
    expect(core.call('decodepsbt', [psbt])).toEqual({
      global_xpubs: [],
      tx_version: 2,
      input_count: 1,
      output_count: 1,
      psbt_version: 2,
      proprietary: [],
      unknown: {},
      inputs: [{ previous_txid: TXID, previous_vout: 1 }],
      outputs: [{ amount: 1, script: expect.objectContaining({ hex: P2WPKH, address: ADDRESS }) }],
    });
  });

  test('has a tx in the default dialect', () => {
    const { tx } = documented.call('decodepsbt', [psbt]);
    expect(tx).toEqual(documented.call('decodepsbt', [base64(MAGIC, TX, END, END, END)]).tx);
  });

  test('is refused by 0.21', () => {
    const message = 'TX decode failed No unsigned transcation was provided: iostream error';
    expect(() => old.call('decodepsbt', [psbt])).toThrow(expect.objectContaining({ code: -22, message }));
  });
});

describe('decodepsbt refuses', () => {
  const unknown = '02f0010100';

  // [what, PSBT, text of Core 31, that of 0.21 where it differs], all with code -22 and the words "TX decode failed".
  test.each<[string, string, string, string?]>([
    ['what is not base64', '!', 'invalid base64'],
    [
      'an empty text',
      '',
      'SpanReader::read(): end of data: iostream error',
      'CDataStream::read(): end of data: iostream error',
    ],
    ['other magic bytes', base64('70736274fe', TX, END, END, END), 'Invalid PSBT magic bytes: iostream error'],
    ['bytes after the end', base64(MAGIC, TX, END, END, END, '00'), 'extra data after PSBT'],
    [
      'a PSBT without transaction',
      base64(MAGIC, END),
      'No unsigned transaction was provided: iostream error',
      'No unsigned transcation was provided: iostream error',
    ],
    [
      'a transaction with a scriptSig',
      base64(MAGIC, `010053${UNSIGNED.replace(`${TXID}0100000000`, `${TXID}010000000151`)}`, END, END, END),
      'Unsigned tx does not have empty scriptSigs and scriptWitnesses.: iostream error',
    ],
    [
      'fewer inputs than the transaction has',
      base64(MAGIC, TX, END),
      'Inputs provided does not match the number of inputs in transaction.: iostream error',
    ],
    [
      'fewer outputs than the transaction has',
      base64(MAGIC, TX, END, END),
      'Outputs provided does not match the number of outputs in transaction.: iostream error',
    ],
    [
      'a map without end',
      base64(MAGIC, TX, END, unknown),
      'Separator is missing at the end of an input map: iostream error',
    ],
    [
      'a key twice',
      base64(MAGIC, TX, END, unknown, unknown, END, END),
      'Duplicate Key, input key "f001" already provided: iostream error',
      'Duplicate Key, key for unknown value already provided: iostream error',
    ],
    [
      'a value that is longer than it says',
      base64(MAGIC, TX, END, WITNESS_UTXO.replace('01011f', '01011e'), END, END),
      'Size of value was not the stated size: iostream error',
    ],
    [
      'a signature of a key that is not on the curve',
      base64(MAGIC, TX, END, `220202${'ff'.repeat(32)}0100`, END, END),
      'Invalid pubkey: iostream error',
    ],
    [
      'a previous transaction with another txid',
      base64(MAGIC, TX, END, `010052${UNSIGNED}`, END, END),
      'Non-witness UTXO does not match outpoint hash: iostream error',
    ],
  ])('%s', (_, psbt, ofCore, ofOld = ofCore) => {
    for (const [{ call }, text] of [
      [core, ofCore],
      [old, ofOld],
    ] as const) {
      const message = `TX decode failed ${text}`;
      expect(() => call('decodepsbt', [psbt])).toThrow(expect.objectContaining({ code: -22, message }));
    }
  });

  test('a number instead of a text', () => {
    const method: string = 'decodepsbt';
    const message =
      'Wrong type passed:\n{\n    "Position 1 (psbt)": "JSON value of type number is not of expected type string"\n}';
    expect(() => core.call(method, [1])).toThrow(expect.objectContaining({ code: -3, message }));
    expect(() => old.call(method, [1])).toThrow(
      expect.objectContaining({ code: -3, message: 'Expected type string, got number' }),
    );
  });

  test('a call without PSBT with its help', () => {
    const method: string = 'decodepsbt';
    const message = expect.stringMatching(/^decodepsbt "psbt"\n/);
    expect(() => core.call(method, [])).toThrow(expect.objectContaining({ code: -1, message }));
  });
});
