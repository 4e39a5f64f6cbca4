import { createRpc, type DialectName } from 'countersign/rpc';
import { describe, expect, test } from 'vitest';

// signrawtransactionwithkey "hexstring" ["privkey",...] ( [prevtx,...] "sighashtype" ) -> { hex, complete, errors? }
//
// Signs the inputs of a transaction with the keys of the call and no others, then runs every script. The signature and
// texts below are those that Litecoin Core 0.21 and Bitcoin Core 31 answered; `vectors/node/*.sign.jsonl.gz` has
// thousands of recorded calls, and `test/vectors/node.test.ts` compares them byte by byte.

const core = createRpc({ network: 'regtest', dialect: 'core-32' });
const old = createRpc({ network: 'regtest', dialect: 'core-0.21' });

// The secret keys 0x1111 and 2 on regtest, and their public keys.
const KEY = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN8kokULeTxo';
const PUBLIC_KEY = '027592aab5d43618dda13fba71e3993cd7517a712d3da49664c06ee1bd3d1f70af';
const SECOND_KEY = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87K7XCyj5v';
const SECOND_PUBLIC_KEY = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';

// Version 2; one input, which spends output 0 of the transaction 1111...; one output of 4096 sat; no lock time.
const TXID = '11'.repeat(32);
const UNSIGNED = `0200000001${TXID}0000000000ffffffff0100100000000000000000000000`;
const COIN = { txid: TXID, vout: 0 };

const P2PKH = '76a914925d4028880bd0c9d68fbc7fc7dfee976698629c88ac';
const P2WPKH = '0014925d4028880bd0c9d68fbc7fc7dfee976698629c';
const P2TR = `5120${PUBLIC_KEY.slice(2)}`;

const MULTISIG = `5221${PUBLIC_KEY}21${SECOND_PUBLIC_KEY}52ae`;
const P2SH_MULTISIG = 'a914e17e88129f2b0b49a000b209598da23dbc223e1387';
const P2WSH_MULTISIG = '0020d94183f10baa7402cb53695db274b52ce2903f0d333d826cef49a58e345a1868';

describe('signs with the given keys', () => {
  test('a P2PKH coin, of which it needs the script but no amount', () => {
    const signature =
      '3044022056c985961ddff259baefb77475ffb500669aa83e80b578c7f6194bef602a4e98' +
      '02204f9e9836880a096ec5b0ed1544b5813c68a1f1b0c85e7d58b21ca1a7726a50c801';
    const signed = {
      hex: `0200000001${TXID}000000006a47${signature}21${PUBLIC_KEY}ffffffff0100100000000000000000000000`,
      complete: true,
    };
    expect(core.call('signrawtransactionwithkey', [UNSIGNED, [KEY], [{ ...COIN, scriptPubKey: P2PKH }]])).toEqual(
      signed,
    );
    expect(old.call('signrawtransactionwithkey', [UNSIGNED, [KEY], [{ ...COIN, scriptPubKey: P2PKH }]])).toEqual(
      signed,
    );
  });

  test('a P2WPKH coin, whose amount is a number or a text and is signed', () => {
    const sign = (amount: number | string) =>
      core.call('signrawtransactionwithkey', [UNSIGNED, [KEY], [{ ...COIN, scriptPubKey: P2WPKH, amount }]]);
    const { hex, complete } = sign(1);
    expect(complete).toBe(true);
    const signature =
      '3044022021264bd80a741a3481de4ffd5c9a0b475435159a472179ced5c3da3c1ec4b6cc' +
      '0220159fe1dd6d9bd6d08cfb1f5536dc76af0edb2581e6319673960b6991efa4a6cc01';
    expect(core.call('decoderawtransaction', [hex]).vin).toEqual([
      {
        txid: TXID,
        vout: 0,
        scriptSig: { asm: '', hex: '' },
        txinwitness: [signature, PUBLIC_KEY],
        sequence: 4294967295,
      },
    ]);
    expect(sign('1.00000000').hex).toBe(hex);
    expect(sign(2).hex).not.toBe(hex);
  });

  test('a P2SH-P2WPKH coin, with the P2WPKH script as its redeemScript', () => {
    const scriptPubKey = 'a91419970f64fb36fe3b7b21eca335ff70dde51eb8c887';
    const prevtx = { ...COIN, scriptPubKey, redeemScript: P2WPKH, amount: 1 };
    const { hex, complete } = core.call('signrawtransactionwithkey', [UNSIGNED, [KEY], [prevtx]]);
    expect(complete).toBe(true);
    const [input] = core.call('decoderawtransaction', [hex]).vin;
    expect(input).toMatchObject({ scriptSig: { hex: `16${P2WPKH}` }, txinwitness: [expect.any(String), PUBLIC_KEY] });
  });

  test('a taproot coin of exactly this key in Core 31, which 0.21 cannot sign', () => {
    const prevtx = { ...COIN, scriptPubKey: P2TR, amount: 1 };
    const { hex, complete } = core.call('signrawtransactionwithkey', [UNSIGNED, [KEY], [prevtx]]);
    expect(complete).toBe(true);
    expect(core.call('decoderawtransaction', [hex]).vin).toMatchObject([
      {
        txinwitness: [
          '9d47d6390faca2807243c53206d8e3ed2b76a5af6d92203d2b1e1773cc7d9ade' +
            'fc4dec8fe10252b0d18a0e2616033c24e22c89c54555cc45af9e9bdf04f33683',
        ],
      },
    ]);
    expect(old.call('signrawtransactionwithkey', [UNSIGNED, [KEY], [prevtx]])).toMatchObject({
      complete: false,
      errors: [{ error: 'Witness program was passed an empty witness' }],
    });
  });

  test('with arguments by name as well', () => {
    const prevtxs = [{ ...COIN, scriptPubKey: P2PKH }];
    expect(core.call('signrawtransactionwithkey', { hexstring: UNSIGNED, privkeys: [KEY], prevtxs })).toEqual(
      core.call('signrawtransactionwithkey', [UNSIGNED, [KEY], prevtxs]),
    );
  });
});

describe('signs multisig coins key by key', () => {
  test('so that each signer adds a signature to the hex of the one before', () => {
    const prevtxs = [{ ...COIN, scriptPubKey: P2WSH_MULTISIG, witnessScript: MULTISIG, amount: 1 }];
    const first = core.call('signrawtransactionwithkey', [UNSIGNED, [SECOND_KEY], prevtxs]);
    expect(first.complete).toBe(false);
    const second = core.call('signrawtransactionwithkey', [first.hex, [KEY], prevtxs]);
    expect(second.complete).toBe(true);
    expect(second).not.toHaveProperty('errors');
    expect(second).toEqual(core.call('signrawtransactionwithkey', [UNSIGNED, [KEY, SECOND_KEY], prevtxs]));
  });

  test('and says after the first of two signatures that more are needed', () => {
    const prevtx = { ...COIN, scriptPubKey: P2SH_MULTISIG, redeemScript: MULTISIG };
    // OP_0, the signature, an empty place for the other one, the redeemScript.
    const scriptSig =
      '00473044022027b7412e56ef14f67d326062dd1ac6b4d901e680fd69c50aa856161162f99de9' +
      `02200a92bcdd43d8ac1f1eef35cafaf0c886377758c2e67785d3a914c492e790a5de010047${MULTISIG}`;
    const half = {
      hex: `0200000001${TXID}0000000092${scriptSig}ffffffff0100100000000000000000000000`,
      complete: false,
      errors: [
        {
          txid: TXID,
          vout: 0,
          witness: [],
          scriptSig,
          sequence: 4294967295,
          error: 'CHECK(MULTI)SIG failing with non-zero signature (possibly need more signatures)',
        },
      ],
    };
    expect(core.call('signrawtransactionwithkey', [UNSIGNED, [KEY], [prevtx]])).toEqual(half);
    expect(old.call('signrawtransactionwithkey', [UNSIGNED, [KEY], [prevtx]])).toEqual(half);
  });
});

describe('reports each input that it cannot complete', () => {
  const noKey = 'Unable to sign input, invalid stack size (possibly missing key)';
  const prevtx = (scriptPubKey: string, more: object = {}) => [{ ...COIN, scriptPubKey, amount: 1, ...more }];

  test.each([
    ['a coin that neither prevtxs nor a chain knows', [], 'Input not found or already spent'],
    ['P2PKH without its key', prevtx(P2PKH), noKey],
    ['P2WPKH without its key', prevtx(P2WPKH), 'Witness program hash mismatch'],
    ['multisig without any key', prevtx(P2WSH_MULTISIG, { witnessScript: MULTISIG }), noKey],
    [
      'a script that is false',
      prevtx('00'),
      'Script evaluated without error but finished with a false/empty top stack element',
    ],
    ['OP_RETURN', prevtx('6a'), 'OP_RETURN was encountered'],
  ])('%s', (_, prevtxs, error) => {
    for (const { call } of [core, old]) {
      const { complete, errors } = call('signrawtransactionwithkey', [UNSIGNED, [], prevtxs]);
      expect(complete).toBe(false);
      expect(errors).toMatchObject([{ txid: TXID, vout: 0, error }]);
    }
  });

  test('in the default dialect with a code and a hint, which names what is missing', () => {
    const { call } = createRpc({ network: 'regtest' });
    expect(call('signrawtransactionwithkey', [UNSIGNED, [], prevtx(P2PKH)]).errors).toEqual([
      {
        txid: TXID,
        vout: 0,
        witness: [],
        scriptSig: '',
        sequence: 4294967295,
        error: noKey,
        code: 'INVALID_STACK_OPERATION',
        hint: 'Supply the private key whose public key has the hash 925d4028880bd0c9d68fbc7fc7dfee976698629c.',
      },
    ]);
  });

  test('and leaves an input alone that is complete already, whatever keys and hash type it is given', () => {
    const prevtxs = prevtx(P2PKH);
    const { hex } = core.call('signrawtransactionwithkey', [UNSIGNED, [KEY], prevtxs]);
    const again = core.call('signrawtransactionwithkey', [hex, [SECOND_KEY], prevtxs, 'NONE']);
    expect(again).toEqual({ hex, complete: true });
  });
});

describe('signs with the hash type', () => {
  const prevtxs = [{ ...COIN, scriptPubKey: P2WPKH, amount: 1 }];

  test.each([
    ['ALL', '01'],
    ['NONE', '02'],
    ['SINGLE', '03'],
    ['ALL|ANYONECANPAY', '81'],
    ['NONE|ANYONECANPAY', '82'],
    ['SINGLE|ANYONECANPAY', '83'],
  ] as const)('%s, the last byte of the signature', (name, byte) => {
    const { hex, complete } = core.call('signrawtransactionwithkey', [UNSIGNED, [KEY], prevtxs, name]);
    expect(complete).toBe(true);
    const [input] = core.call('decoderawtransaction', [hex]).vin;
    expect(input).toMatchObject({ txinwitness: [expect.stringMatching(new RegExp(`${byte}$`)), PUBLIC_KEY] });
  });

  // Byte 65 of a Schnorr signature is the hash type; without it, the type is DEFAULT.
  test.each<[DialectName, number]>([
    ['core-32', 64],
    ['documented', 65],
  ])('of %s if none is named: a taproot signature of %i bytes', (dialect, bytes) => {
    const { call } = createRpc({ network: 'regtest', dialect });
    const { hex } = call('signrawtransactionwithkey', [UNSIGNED, [KEY], [{ ...COIN, scriptPubKey: P2TR, amount: 1 }]]);
    const [input] = call('decoderawtransaction', [hex]).vin;
    expect(input).toMatchObject({ txinwitness: [expect.stringMatching(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))] });
  });
});

describe('refuses', () => {
  const wrongType = (position: string, got: string, wanted: string) =>
    `Wrong type passed:\n{\n    "Position ${position}": "JSON value of type ${got} is not of expected type ${wanted}"\n}`;
  const script = { ...COIN, scriptPubKey: '51' };

  // [what, parameters, code and text of Core 31, those of 0.21 where they differ]
  test.each<[string, unknown[], [number, string], [number, string]?]>([
    ['hex that is not a transaction', ['zz', []], [-22, 'TX decode failed. Make sure the tx has at least one input.']],
    [
      'a number as hex',
      [1, []],
      [-3, wrongType('1 (hexstring)', 'number', 'string')],
      [-3, 'Expected type string, got number'],
    ],
    [
      'one key instead of a list',
      [UNSIGNED, KEY],
      [-3, wrongType('2 (privkeys)', 'string', 'array')],
      [-3, 'Expected type array, got string'],
    ],
    [
      'a number as key',
      [UNSIGNED, [1]],
      [-3, 'JSON value of type number is not of expected type string'],
      [-1, 'JSON value is not a string as expected'],
    ],
    ['a text that is not a key', [UNSIGNED, ['x']], [-5, 'Invalid private key']],
    [
      'a key of the main chain',
      [UNSIGNED, ['KwntMbt59tTsj8xqpqYqRRWufyjGunvhSyeMo3NTYpFYzZbXJ5Hp']],
      [-5, 'Invalid private key'],
    ],
    [
      'a prevtx that is not an object',
      [UNSIGNED, [], [1]],
      [-22, 'expected object with {"txid\'","vout","scriptPubKey"}'],
    ],
    ['a prevtx without scriptPubKey', [UNSIGNED, [], [COIN]], [-3, 'Missing scriptPubKey']],
    ['a short txid', [UNSIGNED, [], [{ ...script, txid: 'ab' }]], [-8, "txid must be of length 64 (not 2, for 'ab')"]],
    ['a negative vout', [UNSIGNED, [], [{ ...script, vout: -1 }]], [-22, 'vout cannot be negative']],
    [
      'a text as vout',
      [UNSIGNED, [], [{ ...script, vout: '0' }]],
      [-3, 'JSON value of type string for field vout is not of expected type number'],
      [-3, 'Expected type number for vout, got string'],
    ],
    [
      'a script that is not hex',
      [UNSIGNED, [], [{ ...script, scriptPubKey: 'zz' }]],
      [-8, "scriptPubKey must be hexadecimal string (not 'zz')"],
    ],
    [
      'two scripts for one coin',
      [UNSIGNED, [], [script, { ...script, scriptPubKey: '52' }]],
      [-22, 'Previous output scriptPubKey mismatch:\n1\nvs:\n2'],
    ],
    [
      'P2WSH without its script',
      [UNSIGNED, [], [{ ...COIN, scriptPubKey: P2WSH_MULTISIG }]],
      [-8, 'Missing redeemScript/witnessScript'],
    ],
    [
      'P2WSH with another script',
      [UNSIGNED, [], [{ ...COIN, scriptPubKey: P2WSH_MULTISIG, witnessScript: '51' }]],
      [-8, 'redeemScript/witnessScript does not match scriptPubKey'],
    ],
    ['a negative amount', [UNSIGNED, [], [{ ...script, amount: -1 }]], [-3, 'Amount out of range']],
    ['an amount that is not a number', [UNSIGNED, [], [{ ...script, amount: 'x' }]], [-3, 'Invalid amount']],
    ['true as amount', [UNSIGNED, [], [{ ...script, amount: true }]], [-3, 'Amount is not a number or string']],
    [
      'a segwit coin without amount',
      [UNSIGNED, [KEY], [{ ...COIN, scriptPubKey: P2WPKH }]],
      [-3, 'Missing amount for CTxOut(nValue=21000000.00000000, scriptPubKey=0014925d4028880bd0c9d68fbc7fc7)'],
    ],
    [
      'a hash type in small letters',
      [UNSIGNED, [], [], 'all'],
      [-8, "'all' is not a valid sighash parameter."],
      [-1, 'all is not a valid sighash parameter.'],
    ],
  ])('%s', (_, params, ofCore, ofOld = ofCore) => {
    for (const [{ call }, [code, message]] of [
      [core, ofCore],
      [old, ofOld],
    ] as const) {
      const method: string = 'signrawtransactionwithkey';
      expect(() => call(method, params)).toThrow(expect.objectContaining({ code, message }));
    }
  });

  test('too few parameters with its help', () => {
    const method: string = 'signrawtransactionwithkey';
    const message = expect.stringMatching(/^signrawtransactionwithkey "hexstring" /);
    expect(() => core.call(method, [UNSIGNED])).toThrow(expect.objectContaining({ code: -1, message }));
  });

  test('a key of another network without showing it', () => {
    const { call } = createRpc({ network: 'regtest' });
    const key = 'KwntMbt59tTsj8xqpqYqRRWufyjGunvhSyeMo3NTYpFYzZbXJ5Hp';
    const message = 'Invalid private key: the key is for main, not for regtest';
    expect(() => call('signrawtransactionwithkey', [UNSIGNED, [key]])).toThrow(
      expect.objectContaining({ code: -5, message }),
    );
  });
});
