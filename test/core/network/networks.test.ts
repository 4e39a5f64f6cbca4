import { describe, expect, test } from 'vitest';
import {
  createRpc,
  formatAmount,
  type Network,
  type NetworkName,
  networks,
  resolveNetwork,
} from '../../support/library.ts';
import { refusalOf } from '../../support/refusal.ts';

describe('the built-in networks', () => {
  // Parameters from section 10 of our notes on node semantics.
  test.each<[NetworkName, number, number, number[], number, number, string, bigint]>([
    ['main', 0, 5, [], 128, 0x0488b21e, 'bc', 21_000_000n],
    ['testnet3', 111, 196, [], 239, 0x043587cf, 'tb', 21_000_000n],
    ['testnet4', 111, 196, [], 239, 0x043587cf, 'tb', 21_000_000n],
    ['signet', 111, 196, [], 239, 0x043587cf, 'tb', 21_000_000n],
    ['regtest', 111, 196, [], 239, 0x043587cf, 'bcrt', 21_000_000n],
    ['litecoin', 48, 50, [5], 176, 0x0488b21e, 'ltc', 84_000_000n],
    ['litecoin-testnet', 111, 58, [196], 239, 0x043587cf, 'tltc', 84_000_000n],
    ['litecoin-regtest', 111, 58, [196], 239, 0x043587cf, 'rltc', 84_000_000n],
  ])("%s has the node's parameters", (name, pubKeyHash, scriptHash, scriptHashAccepted, wif, xpub, hrp, coins) => {
    const network = resolveNetwork(name);
    expect(network).toMatchObject({ name, pubKeyHash, scriptHash, scriptHashAccepted, wif, hrp });
    expect(network.bip32.public).toBe(xpub);
    expect(network.bip32.private).toBe(xpub === 0x0488b21e ? 0x0488ade4 : 0x04358394);
    expect(network.maxMoney).toBe(coins * 100_000_000n);
    expect(network.mweb).toBe(name.startsWith('litecoin'));
  });

  test('are the eight of the table above', () => {
    expect(Object.keys(networks)).toHaveLength(8);
    for (const [name, network] of Object.entries(networks))
      expect(resolveNetwork(network)).toBe(networks[name as NetworkName]);
  });

  test.each([
    ['mainnet', 'main'],
    ['bitcoin', 'main'],
    ['testnet', 'testnet3'],
  ] as const)('%s is an alias of %s', (alias, name) => {
    expect(resolveNetwork(alias)).toBe(networks[name]);
    expect(createRpc({ network: alias }).context.network).toBe(networks[name]);
  });

  test.each(['Mainnet', 'Main', '', ' main', 'toString', '__proto__', 'constructor'])('do not include %j', (name) => {
    const known = Object.keys(networks).join(', ');
    for (const run of [() => resolveNetwork(name as NetworkName), () => createRpc({ network: name as NetworkName })]) {
      const error = refusalOf(run);
      expect({ code: error.code, data: error.data }).toEqual({ code: 'network/unknown', data: { name, known } });
    }
  });
});

const HASH = '11'.repeat(32);

describe('a custom network', () => {
  const good: Network = {
    name: 'own',
    ticker: 'OWN',
    pubKeyHash: 0,
    scriptHash: 255,
    scriptHashAccepted: [0, 255],
    wif: 1,
    bip32: { public: 0, private: 0xffff_ffff },
    hrp: 'own',
    maxMoney: 1n,
    mweb: true,
  };

  test('is returned as it is', () => {
    expect(resolveNetwork(good)).toBe(good);
    expect(createRpc({ network: good }).context.network).toBe(good);
  });

  test('may have additional fields', () => {
    const more = { ...good, note: 'x' };
    expect(resolveNetwork(more)).toBe(more);
  });

  const notBytes = [-1, 256, 0.5, Number.NaN, '5', null, undefined, 5n, [5], true];
  const notU32 = [-1, 2 ** 32, 0.5, '1', null, undefined];
  const bad: readonly (readonly [member: keyof Network, value: unknown])[] = [
    ...[1, null, undefined, ['x']].map((value) => ['name', value] as const),
    ...[1, null, undefined].map((value) => ['ticker', value] as const),
    ...notBytes.map((value) => ['pubKeyHash', value] as const),
    ...notBytes.map((value) => ['scriptHash', value] as const),
    ...notBytes.map((value) => ['wif', value] as const),
    ...[undefined, null, 5, '5', {}, [256], [5, -1], ['5'], [undefined], Uint8Array.of(5)].map(
      (value) => ['scriptHashAccepted', value] as const,
    ),
    ...[undefined, null, 5, {}, [], { public: 1 }, { private: 1 }].map((value) => ['bip32', value] as const),
    ...notU32.flatMap((value) => [
      ['bip32', { public: value, private: 1 }] as const,
      ['bip32', { public: 1, private: value }] as const,
    ]),
    ...['', 'BC', 'bC', 'b c', 'b\u007fc', 'bé', 'b\n', 'a'.repeat(19), 5, null, undefined].map(
      (value) => ['hrp', value] as const,
    ),
    ...[0n, -1n, 21, '21', null, undefined].map((value) => ['maxMoney', value] as const),
    ...[0, 'true', null, undefined].map((value) => ['mweb', value] as const),
    ...[null, 5, {}, { hash: '00', time: 1 }, { hash: HASH }, { hash: HASH, time: -1 }].map(
      (value) => ['genesis', value] as const,
    ),
    ...[null, {}, { merkleRoot: HASH, bits: 1 }, { merkleRoot: 'x', bits: 1, nonce: 1 }].map(
      (value) => ['genesis', { hash: HASH, time: 1, header: value }] as const,
    ),
    ...[null, {}, { text: '€', pubkey: '' }, { text: 'x'.repeat(91), pubkey: '' }, { text: '', pubkey: 'f' }].map(
      (value) => ['genesis', { hash: HASH, time: 1, coinbase: value }] as const,
    ),
    ...[null, 5, {}].map((value) => ['consensus', value] as const),
    ...(
      [
        ['powHash', 'sha1'],
        ['powLimit', 1],
        ['minimumWork', 1n << 256n],
        ['targetSpacing', 0],
        ['targetTimespan', 1],
        ['versionHeights', [1, 2]],
        ['laterForks', [1, -1]],
        ['enforcesBip94', undefined],
        ['knownBlock', { height: 1, hash: 'x' }],
      ] as const
    ).map(([member, value]) => ['consensus', { ...networks.main.consensus, [member]: value }] as const),
    ...['title', 'nodeName', 'coldcardName', 'uriScheme', 'isMain', 'rpcPort', 'magic', 'signetChallenge'].map(
      (member) => [member as keyof Network, null] as const,
    ),
    ...[['x', 1], 'x'].map((value) => ['fileNames', value] as const),
  ];
  test.each(bad)('is refused with %s set to %o', (member, value) => {
    const error = refusalOf(() => resolveNetwork({ ...good, [member]: value }));
    expect(error.code).toBe('network/invalid');
    expect(error.data).toEqual({ member, reason: expect.stringMatching(/^must be /) });
    expect(refusalOf(() => createRpc({ network: { ...good, [member]: value } })).data).toEqual(error.data);
  });

  test.each(Object.keys(good))('is refused without %s', (member) => {
    const network = Object.fromEntries(Object.entries(good).filter(([name]) => name !== member));
    expect(refusalOf(() => resolveNetwork(network as unknown as Network)).data).toMatchObject({ member });
  });

  test.each(['x', '~!@', 'a1', '1', 'a'.repeat(18), '[\\]^_`{|}'])('may have the prefix %j', (hrp) => {
    expect(resolveNetwork({ ...good, hrp }).hrp).toBe(hrp);
  });

  test('is refused naming its first invalid field in the order of the rules', () => {
    const error = refusalOf(() => resolveNetwork({ ...good, mweb: 1 as never, wif: 999, hrp: '' }));
    expect(error.data).toMatchObject({ member: 'wif' });
    expect(refusalOf(() => resolveNetwork({} as Network)).data).toMatchObject({ member: 'name' });
    expect(refusalOf(() => resolveNetwork([] as unknown as Network)).data).toMatchObject({ member: 'name' });
  });
});

describe('dialects', () => {
  test.each(['core-28', 'Core-31', '', 'toString', '__proto__'])('do not include %j', (name) => {
    const error = refusalOf(() => createRpc({ dialect: name as never }));
    const known = 'documented, core-0.21, litecoin-0.21, core-29, core-30, core-31, core-32';
    expect({ code: error.code, data: error.data }).toEqual({ code: 'dialect/unknown', data: { name, known } });
  });
});

describe('amounts', () => {
  test.each([
    [0n, '0.00000000'],
    [1n, '0.00000001'],
    [-1n, '-0.00000001'],
    [-4480n, '-0.00004480'],
    [99_999_999n, '0.99999999'],
    [100_000_000n, '1.00000000'],
    [-100_000_001n, '-1.00000001'],
    [2_100_000_000_000_000n, '21000000.00000000'],
    [2n ** 63n - 1n, '92233720368.54775807'],
    [-(2n ** 63n), '-92233720368.54775808'],
  ])('of %s satoshi are shown as %s', (sats, text) => {
    expect(formatAmount(sats)).toBe(text);
  });
});
