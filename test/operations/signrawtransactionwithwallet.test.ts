import { createNodeRpc, type DialectName, type NodeRpc } from 'countersign/rpc';
import { formatTxid, txid } from 'countersign/tx';
import { describe, expect, test } from 'vitest';
import { blockAfter, coinbaseOf, genesisOf } from '../support/blocks.ts';

// signrawtransactionwithwallet "hexstring" ( [prevtx,...] "sighashtype" ) -> { hex, complete, errors? }
//
// Signs the inputs of a transaction with the keys of a wallet. The node looks up the coins in its chain and mempool, so
// prevtxs are needed only for coins that it does not know. The answer is that of `signrawtransactionwithkey`, whose test
// shows each kind of script. `vectors/node/*.wallet-*.jsonl.gz` has recorded calls of Litecoin Core 0.21 and Bitcoin Core
// 31, which `test/vectors/wallet.test.ts` replays.

// The secret key 1 on regtest, its public key, and the script and address of its P2WPKH.
const KEY = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA';
const PUBLIC_KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const SCRIPT = '0014751e76e8199196d454941c45d1b3a323f1433bd6';

// A block whose coinbase pays 50 BTC to that script: the only coin of the chain.
const block = blockAfter(genesisOf('regtest'), { script: SCRIPT });
const COIN = { txid: formatTxid(txid(coinbaseOf(block))), vout: 0 };

/** Opens a node with one block, and a wallet `w` that holds the key. */
function openNode(dialect: DialectName): NodeRpc {
  const node = createNodeRpc({
    network: 'regtest',
    dialect,
    clock: () => 1_700_070_000,
    random: (size) => new Uint8Array(size),
  });
  // Without keys of its own (blank), so that it holds the one key only.
  node.call('createwallet', ['w', false, true]);
  if (dialect === 'core-0.21') node.call('importprivkey', [KEY], 'w');
  else {
    const { checksum } = node.call('getdescriptorinfo', [`wpkh(${KEY})`]);
    node.call('importdescriptors', [[{ desc: `wpkh(${KEY})#${checksum}`, timestamp: 'now' }]], 'w');
  }
  node.call('submitblock', [block.hex]);
  return node;
}

/** Both generations of wallets: keys of their own in 0.21, descriptors in 31. */
const GENERATIONS: readonly DialectName[] = ['core-0.21', 'core-32'];

/** A transaction that spends a coin and pays 1 BTC to whoever wants it: the script is OP_1. */
const spending = (coin: { txid: string; vout: number }): string => {
  const txid = coin.txid.match(/../g)?.reverse().join('') ?? '';
  return `0200000001${txid}0${coin.vout}00000000ffffffff0100e1f50500000000015100000000`;
};

/** A coin that the chain does not have. */
const FOREIGN = { txid: '11'.repeat(32), vout: 0 };

describe.each(GENERATIONS)('a wallet of %s signs', (dialect) => {
  const { call } = openNode(dialect);

  test('a coin of the chain, whose script and amount the node knows', () => {
    const { hex, complete, errors } = call('signrawtransactionwithwallet', [spending(COIN)], 'w');
    expect([complete, errors]).toEqual([true, undefined]);
    expect(call('decoderawtransaction', [hex]).vin).toEqual([
      {
        ...COIN,
        scriptSig: { asm: '', hex: '' },
        txinwitness: [expect.stringMatching(/^30[0-9a-f]+01$/), PUBLIC_KEY],
        sequence: 4294967295,
      },
    ]);
    // It signs as signrawtransactionwithkey does.
    const prevtxs = [{ ...COIN, scriptPubKey: SCRIPT, amount: 50 }];
    expect(call('signrawtransactionwithkey', [spending(COIN), [KEY], prevtxs])).toEqual({ hex, complete });
  });

  test('a coin of the mempool', () => {
    const node = openNode(dialect);
    for (let height = 2, parent = block; height <= 101; height += 1) {
      parent = blockAfter(parent);
      node.call('submitblock', [parent.hex]);
    }
    const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
    const payment = node.call('createrawtransaction', [[COIN], [{ [address]: 49.999 }]]);
    const txid = node.call('sendrawtransaction', [node.call('signrawtransactionwithwallet', [payment], 'w').hex]);
    expect(node.call('getrawmempool')).toEqual([txid]);
    expect(node.call('signrawtransactionwithwallet', [spending({ txid, vout: 0 })], 'w')).toMatchObject({
      complete: true,
    });
  });

  test('a coin that only prevtxs describe', () => {
    const prevtxs = [{ ...FOREIGN, scriptPubKey: SCRIPT, amount: '2.5' }];
    expect(call('signrawtransactionwithwallet', [spending(FOREIGN), prevtxs], 'w')).toMatchObject({ complete: true });
  });

  test('for the amount of prevtxs, even if the chain has another', () => {
    const prevtxs = [{ ...COIN, scriptPubKey: SCRIPT, amount: 1 }];
    const trusting = call('signrawtransactionwithwallet', [spending(COIN), prevtxs], 'w');
    expect(trusting.complete).toBe(true);
    expect(trusting.hex).not.toBe(call('signrawtransactionwithwallet', [spending(COIN)], 'w').hex);
  });

  test('with the hash type that is named, ALL unless one is', () => {
    const lastByte = (hex: string) => {
      const [input] = call('decoderawtransaction', [hex]).vin;
      return input && 'txinwitness' in input ? input.txinwitness?.[0]?.slice(-2) : undefined;
    };
    expect(lastByte(call('signrawtransactionwithwallet', [spending(COIN), null], 'w').hex)).toBe('01');
    const named = call('signrawtransactionwithwallet', [spending(COIN), null, 'SINGLE|ANYONECANPAY'], 'w');
    expect([named.complete, lastByte(named.hex)]).toEqual([true, '83']);
  });

  test('with arguments by name', () => {
    expect(call('signrawtransactionwithwallet', { hexstring: spending(COIN), sighashtype: 'ALL' }, 'w')).toEqual(
      call('signrawtransactionwithwallet', [spending(COIN)], 'w'),
    );
  });
});

describe.each(GENERATIONS)('a wallet of %s reports', (dialect) => {
  const { call } = openNode(dialect);

  test('a coin that neither the chain nor prevtxs know', () => {
    expect(call('signrawtransactionwithwallet', [spending(FOREIGN)], 'w')).toEqual({
      hex: spending(FOREIGN),
      complete: false,
      errors: [
        {
          ...FOREIGN,
          witness: [],
          scriptSig: '',
          sequence: 4294967295,
          error: 'Input not found or already spent',
        },
      ],
    });
  });

  test('a coin of a key that it does not hold', () => {
    const prevtxs = [{ ...FOREIGN, scriptPubKey: `0014${'22'.repeat(20)}`, amount: 1 }];
    const { complete, errors } = call('signrawtransactionwithwallet', [spending(FOREIGN), prevtxs], 'w');
    expect(complete).toBe(false);
    expect(errors).toMatchObject([{ ...FOREIGN, error: 'Witness program hash mismatch' }]);
  });

  test('scripts of prevtxs as unknown: it signs with the scripts that it holds', () => {
    const multisig = `5121${PUBLIC_KEY}51ae`;
    const scriptPubKey = call('decodescript', [multisig]).segwit?.hex ?? '';
    const prevtxs = [{ ...FOREIGN, scriptPubKey, witnessScript: multisig, amount: 1 }];
    expect(call('signrawtransactionwithkey', [spending(FOREIGN), [KEY], prevtxs])).toMatchObject({ complete: true });
    expect(call('signrawtransactionwithwallet', [spending(FOREIGN), prevtxs], 'w')).toMatchObject({
      complete: false,
      errors: [{ error: 'Witness program was passed an empty witness' }],
    });
  });
});

describe.each(GENERATIONS)('an encrypted wallet of %s', (dialect) => {
  const { call } = openNode(dialect);
  call('encryptwallet', ['passphrase'], 'w');

  test('refuses until walletpassphrase unlocks it, even if there is nothing to sign', () => {
    const refusal = {
      code: -13,
      message: 'Error: Please enter the wallet passphrase with walletpassphrase first.',
    };
    for (const coin of [COIN, FOREIGN]) {
      expect(() => call('signrawtransactionwithwallet', [spending(coin)], 'w')).toThrow(
        expect.objectContaining(refusal),
      );
    }
    call('walletpassphrase', ['passphrase', 60], 'w');
    expect(call('signrawtransactionwithwallet', [spending(COIN)], 'w')).toMatchObject({ complete: true });
    call('walletlock', [], 'w');
    expect(() => call('signrawtransactionwithwallet', [spending(COIN)], 'w')).toThrow(expect.objectContaining(refusal));
  });

  test('looks at the hex before the lock', () => {
    const message = 'TX decode failed. Make sure the tx has at least one input.';
    expect(() => call('signrawtransactionwithwallet', ['zz'], 'w')).toThrow(
      expect.objectContaining({ code: -22, message }),
    );
  });
});

describe('a wallet refuses', () => {
  const [old, core] = [openNode('core-0.21'), openNode('core-32')];
  const wrongType = (position: string, got: string, wanted: string) =>
    `Wrong type passed:\n{\n    "Position ${position}": "JSON value of type ${got} is not of expected type ${wanted}"\n}`;
  const hex = spending(COIN);
  const script = { ...COIN, scriptPubKey: SCRIPT };

  // [what, parameters, code and text of Core 31, those of 0.21 where they differ]
  test.each<[string, unknown[], [number, string], [number, string]?]>([
    ['hex that is not a transaction', ['ab'], [-22, 'TX decode failed. Make sure the tx has at least one input.']],
    [
      'a number as hex',
      [1],
      [-3, wrongType('1 (hexstring)', 'number', 'string')],
      [-3, 'Expected type string, got number'],
    ],
    [
      'an object as prevtxs',
      [hex, {}],
      [-3, wrongType('2 (prevtxs)', 'object', 'array')],
      [-3, 'Expected type array, got object'],
    ],
    ['a prevtx that is not an object', [hex, ['x']], [-22, 'expected object with {"txid\'","vout","scriptPubKey"}']],
    ['a prevtx without script', [hex, [COIN]], [-3, 'Missing scriptPubKey']],
    ['a prevtx without txid', [hex, [{ vout: 0, scriptPubKey: SCRIPT }]], [-3, 'Missing txid']],
    ['a prevtx without vout', [hex, [{ txid: COIN.txid, scriptPubKey: SCRIPT }]], [-3, 'Missing vout']],
    ['a negative vout', [hex, [{ ...script, vout: -1 }]], [-22, 'vout cannot be negative']],
    [
      'an empty script',
      [hex, [{ ...script, scriptPubKey: '' }]],
      [-8, "scriptPubKey must be hexadecimal string (not '')"],
    ],
    [
      'another script than the chain has',
      [hex, [{ ...script, scriptPubKey: '51' }]],
      [-22, `Previous output scriptPubKey mismatch:\n0 ${SCRIPT.slice(4)}\nvs:\n1`],
    ],
    ['more than 21 million as amount', [hex, [{ ...script, amount: 21_000_001 }]], [-3, 'Amount out of range']],
    [
      'a segwit coin without amount',
      [hex, [script]],
      [-3, `Missing amount for CTxOut(nValue=21000000.00000000, scriptPubKey=${SCRIPT.slice(0, 30)})`],
    ],
    [
      'a hash type that does not exist',
      [hex, null, 'ALL|NONE'],
      [-8, "'ALL|NONE' is not a valid sighash parameter."],
      [-1, 'ALL|NONE is not a valid sighash parameter.'],
    ],
  ])('%s', (_, params, ofCore, ofOld = ofCore) => {
    for (const [{ call }, [code, message]] of [
      [core, ofCore],
      [old, ofOld],
    ] as const) {
      const method: string = 'signrawtransactionwithwallet';
      expect(() => call(method, params, 'w')).toThrow(expect.objectContaining({ code, message }));
    }
  });

  test('a call for a wallet that is not loaded', () => {
    const refusal = { code: -18, message: 'Requested wallet does not exist or is not loaded' };
    expect(() => core.call('signrawtransactionwithwallet', [hex], 'v')).toThrow(expect.objectContaining(refusal));
  });

  test('a call that names no wallet where several are loaded', () => {
    const { call } = openNode('core-32');
    expect(call('signrawtransactionwithwallet', [hex]).complete).toBe(true);
    call('createwallet', ['another', true]);
    const message =
      'Multiple wallets are loaded. Please select which wallet to use by requesting the RPC through the /wallet/<walletname> URI path.';
    expect(() => call('signrawtransactionwithwallet', [hex])).toThrow(expect.objectContaining({ code: -19, message }));
  });
});
