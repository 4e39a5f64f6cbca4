import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasLitecoind, postTo } from './litecoind.ts';
import { type Both, LOGIN, startBoth } from './wallet/bothNodes.ts';

// Payments beside Litecoin Core: the same errors for wrong arguments, and payments of ours that its mempool takes.

const SEED = 'cRq6ZF6nt9wGoeZ92sNJnSe7NznZAjJr5UPBQsWAGMg2bEXTsu3e';
const NOTHING = '11'.repeat(32);
const BLOCKS = 105;
type Params = readonly unknown[];

/** Calls with wrong arguments, and one wallet's addresses `a` and `b`. */
const wrongCalls = (a: string, b: string): readonly (readonly [method: string, params: Params])[] => {
  const one = [{ [a]: 1 }];
  const rated = (...rest: Params): Params => [a, 1, '', '', false, false, ...rest];
  const funding = (options: unknown, outputs: unknown = one): readonly [string, Params] => [
    'walletcreatefundedpsbt',
    [[], outputs, 0, options],
  ];
  const sending = (options: unknown, outputs: unknown = one): readonly [string, Params] => [
    'send',
    [outputs, null, null, null, options],
  ];
  const optionSets: readonly unknown[] = [
    ...[{ foo: 1 }, true, [], 'x', 5],
    ...[{ feeRate: 'x' }, { feeRate: -1 }, { feeRate: 1 }, { fee_rate: 'x' }, { fee_rate: -1 }, { fee_rate: 1e6 }],
    ...[
      { fee_rate: 1, feeRate: 1 },
      { feeRate: 1, conf_target: 3 },
      { feeRate: 1, estimate_mode: 'economical' },
    ],
    ...[{ fee_rate: 20, conf_target: 3 }, { fee_rate: 20, estimate_mode: 'economical' }, { estimate_mode: 'foo' }],
    ...[{ conf_target: 0 }, { conf_target: 1009 }, { conf_target: 'a' }, { conf_target: 1.5 }, { estimate_mode: 3 }],
    ...[{ changeAddress: 'bad' }, { changeAddress: a, change_type: 'foo' }, { change_type: 'foo' }, { change_type: 3 }],
    ...[{ changePosition: 2 }, { changePosition: -2 }, { changePosition: 1.5 }, { changePosition: 'a' }],
    ...[{ subtractFeeFromOutputs: [0, 0] }, { subtractFeeFromOutputs: [-1] }, { subtractFeeFromOutputs: [1] }],
    ...[{ subtractFeeFromOutputs: ['a'] }, { subtractFeeFromOutputs: 5 }, { add_inputs: false }, { add_inputs: 1 }],
    ...[{ replaceable: 1 }, { lockUnspents: 1 }, { include_unsafe: true }, { minconf: 1 }, { solving_data: {} }],
  ];
  return [
    ...[[], [a], [a, 0], [a, -1], [a, 'x'], ['bad', 1], ['bad', -1], [a, 1000], [a, 0.0000293], [5, 1], [a, 1, 5]].map(
      (params) => ['sendtoaddress', params] as const,
    ),
    ...[[3, 'foo'], [0], [1009], [3, 'unset', null, 20], [null, 'economical', null, 20], [null, 'unset', true, 20]].map(
      (rest) => ['sendtoaddress', rated(...rest)] as const,
    ),
    ...[0, 0.5, 0.99999999, 9.9, -1, 'x', 100_000, 84_000_001e8].map(
      (rate) => ['sendtoaddress', rated(null, 'unset', null, rate)] as const,
    ),
    ['sendtoaddress', [a, 0.00003, '', '', true, false, null, 'unset', null, 200]],
    ['sendtoaddress', [a, 0.0000294, '', '', true, false, null, 'unset', null, 20]],
    ...optionSets.flatMap((options) => [funding(options), sending(options)]),
    ...[
      funding({}, []),
      funding({ foo: 1 }, []),
      funding({ foo: 1 }, [{ bad: 1 }]),
      funding({}, [{ [a]: 1 }, { [a]: 1 }]),
    ],
    ...[funding({}, [{ [a]: 0.00001 }]), funding({}, [{ [a]: 1000 }]), funding({}, 'x'), funding({}, null)],
    ['walletcreatefundedpsbt', []],
    ['walletcreatefundedpsbt', [[]]],
    ['walletcreatefundedpsbt', [[], one, -1]],
    ['walletcreatefundedpsbt', [[], one, 0, {}, 1]],
    ['walletcreatefundedpsbt', [[], one, 0, {}, true, 2]],
    ['walletcreatefundedpsbt', [[{ txid: NOTHING, vout: 0 }], one]],
    ['walletcreatefundedpsbt', [[{ txid: NOTHING, vout: 0 }], one, 0, { add_inputs: true }]],
    ...['includeWatching', 'changeAddress', 'changePosition', 'lockUnspents', 'feeRate'].map((name) =>
      sending({ [name]: 2 }),
    ),
    ['send', []],
    ['send', ['x']],
    ['send', [[]]],
    ['send', [one, 'x']],
    ['send', [one, 0]],
    ['send', [one, 3]],
    ['send', [one, 3, 'unset']],
    ['send', [one, null, 5]],
    ['send', [one, null, null, 3]],
    ['send', [one, null, null, null, 4]],
    ['send', [one, 3, 'economical', null, { conf_target: 2 }]],
    ['send', [one, null, null, 3, { fee_rate: 2 }]],
    ['send', [one, null, null, 30, { psbt: 5 }]],
    ['send', [one, null, null, 30, { inputs: 5 }]],
    ['send', [one, null, null, 30, { inputs: [{ txid: NOTHING, vout: 0 }] }]],
    ...[
      [''],
      ['', {}],
      ['x', one[0]],
      ['', { bad: 1 }],
      ['', { [a]: -1 }],
      ['', one[0], 1, '', [5]],
      [5, {}],
      ['', []],
    ].map((params) => ['sendmany', params] as const),
    ['sendmany', ['', { [a]: 1, [b]: 2000 }]],
    ['sendmany', ['', { [a]: 1 }, 1, '', [], false, 0]],
    ...['bumpfee', 'psbtbumpfee'].flatMap((method) =>
      [
        [],
        ['11'],
        [5],
        [NOTHING],
        [NOTHING, { foo: 1 }],
        [NOTHING, 5],
        [NOTHING, { confTarget: 1, conf_target: 2 }],
        [NOTHING, { conf_target: 0 }],
        [NOTHING, { conf_target: 2, fee_rate: 30 }],
        [NOTHING, { fee_rate: 'x' }],
        [NOTHING, { replaceable: 1 }],
        [NOTHING, { outputs: [] }],
      ].map((params) => [method, params] as const),
    ),
  ];
};

describe.runIf(hasLitecoind())('payments beside Litecoin Core on this machine', () => {
  let both: Both;
  let addresses: readonly [string, string] = ['', ''];

  const askOurs = async (method: string, params: Params, wallet?: string): Promise<unknown> => {
    const body = JSON.stringify({ id: 1, method, params });
    const reply = await postTo(both.ports.ours, LOGIN, body, wallet === undefined ? '/' : `/wallet/${wallet}`);
    const { result, error } = JSON.parse(reply) as { readonly result: unknown; readonly error: unknown };
    if (error !== null) throw new Error(JSON.stringify([method, error]));
    return result;
  };
  const askNode = async (method: string, params: Params, wallet?: string): Promise<unknown> =>
    (await both.askNode(method, params, wallet)).result;

  beforeAll(async () => {
    both = await startBoth();
    await both.ask('createwallet', ['w', false, true]);
    await both.ask('sethdseed', [true, SEED], 'w');
    const a = (await both.ask('getnewaddress', ['', 'bech32'], 'w')).result as string;
    const b = (await both.ask('getnewaddress', ['', 'legacy'], 'w')).result as string;
    addresses = [a, b];
    const hashes = (await askNode('generatetoaddress', [BLOCKS, a])) as readonly string[];
    for (const hash of hashes) await askOurs('submitblock', [await askNode('getblock', [hash, 0])]);
  }, 120_000);
  afterAll(async () => {
    await both.stop();
  });

  test('wrong arguments get the same errors', async () => {
    expect((await both.ask('getbalance', [], 'w')).result).toBeGreaterThan(100);
    for (const [method, params] of wrongCalls(...addresses)) await both.ask(method, params, 'w');
    expect(both.differences).toEqual([]);
  }, 120_000);

  test('fundrawtransaction refuses the same transactions and options', async () => {
    const [a] = addresses;
    const rawOf = async (outputs: unknown): Promise<unknown> => askNode('createrawtransaction', [[], outputs]);
    const [none, one, poor, dust] = [
      await rawOf([]),
      await rawOf([{ [a]: 1 }]),
      await rawOf([{ [a]: 5000 }]),
      await rawOf([{ [a]: 0.000001 }]),
    ];
    const calls: readonly Params[] = [
      ...[
        [],
        [5],
        ['00'],
        ['zz'],
        [none],
        [none, { foo: 1 }],
        [poor],
        [dust],
        [one, []],
        [one, 'x'],
        [one, {}, 5],
        [one, {}, true],
      ],
      ...[
        [one, { foo: 1 }],
        [one, { changePosition: 2 }],
        [one, { subtractFeeFromOutputs: [1] }],
        [one, { feeRate: 1 }],
      ],
      ...[
        [one, { add_inputs: false }],
        [one, { changeAddress: 'bad' }],
        [one, { fee_rate: 1, feeRate: 1 }],
        [one, null, null],
      ],
    ];
    for (const params of calls) await both.ask('fundrawtransaction', params, 'w');
    expect(both.differences).toEqual([]);
  }, 60_000);

  test('watch-only and locked wallets refuse to pay in the same words', async () => {
    const [a] = addresses;
    await both.ask('createwallet', ['watching', true]);
    await both.ask('importaddress', [a, '', false], 'watching');
    await both.ask('createwallet', ['locked', false, true]);
    await both.ask('sethdseed', [true, SEED], 'locked');
    await both.ask('encryptwallet', ['a'], 'locked');
    const calls: readonly (readonly [method: string, params: Params])[] = [
      ...[
        [a, 1],
        ['bad', 1],
        [a, -1],
        [a, 1, '', '', false, false, 0],
      ].map((params) => ['sendtoaddress', params] as const),
      ...[
        ['', { [a]: 1 }],
        ['', { bad: 1 }],
      ].map((params) => ['sendmany', params] as const),
      ...[['11'], [NOTHING]].flatMap((params) => [['bumpfee', params] as const, ['psbtbumpfee', params] as const]),
      ['walletcreatefundedpsbt', [[], [{ [a]: 1000 }]]],
      ['walletcreatefundedpsbt', [[], [{ [a]: 1 }], 0, { fee_rate: 20, changeAddress: a, includeWatching: false }]],
      ['send', [[{ [a]: 1000 }]]],
    ];
    for (const wallet of ['watching', 'locked']) for (const call of calls) await both.ask(...call, wallet);
    expect(both.differences).toEqual([]);
  }, 60_000);

  test('the node accepts what we fund and sign', async () => {
    const [a, b] = addresses;
    const payments = [{ [a]: 1 }, { [a]: 0.00003, [b]: 20 }, { [b]: 99.5 }];
    for (const [index, outputs] of payments.entries()) {
      const options = {
        fee_rate: 12 + index,
        add_to_wallet: false,
        ...(index === 1 && { subtract_fee_from_outputs: [1] }),
      };
      const sent = (await askOurs('send', [outputs, null, null, null, options], 'w')) as { readonly hex: string };
      expect(await askNode('testmempoolaccept', [[sent.hex]])).toMatchObject([{ allowed: true }]);
      const { psbt } = (await askOurs('walletcreatefundedpsbt', [[], outputs], 'w')) as { readonly psbt: string };
      // The node knows our wallet's keys, too, and signs our PSBT.
      const signed = (await askNode('walletprocesspsbt', [psbt], 'w')) as { readonly psbt: string; complete: boolean };
      expect(signed.complete).toBe(true);
      const { hex } = (await askNode('finalizepsbt', [signed.psbt])) as { readonly hex: string };
      expect(await askNode('testmempoolaccept', [[hex]])).toMatchObject([{ allowed: true }]);
    }
  }, 60_000);
});
