import { describe, expect, test } from 'vitest';
import { ask, TPRV, TPUB } from '../../support/askRpc.ts';
import { SECRETS, withKeys } from '../../support/descriptorKeys.ts';
import { createNodeRpc, type DialectName, withChecksum } from '../../support/library.ts';

const G = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

describe('getdescriptorinfo', () => {
  const rows: readonly (readonly [text: string, kind: 'ranged' | 'fixed'])[] = [
    [`pk(${G})`, 'fixed'],
    ['pkh(02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5)', 'fixed'],
    ['wpkh(02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9)', 'fixed'],
    ['sh(wpkh(03fff97bd5755eeea420453a14355235d382f6472f8568a18b2f057a1460297556))', 'fixed'],
    [`combo(${G})`, 'fixed'],
    ['sh(wsh(pkh(02e493dbf1c10d80f3581e4904930b1404cc6c13900ee0758474fa94abe8c4cd13)))', 'fixed'],
    [
      'multi(1,022f8bde4d1a07209355b4a7250a5c5128e88b84bddc619ab7cba8d569b240efe4,025cbdf0646e5db4eaa398f365f2ea7a0e3d419b7e0330e39ce92bddedcac4f9bc)',
      'fixed',
    ],
    [`pk(${TPUB})`, 'fixed'],
    [`pkh(${TPUB}/1'/2)`, 'fixed'],
    [`pkh([d34db33f/44'/0'/0']${TPUB}/1/*)`, 'ranged'],
    [`wsh(multi(1,${TPUB}/1/0/*,${TPUB}/0/0/*))`, 'ranged'],
    [`tr(${TPUB}/0/*,{pk(${TPUB}/1),multi_a(1,${TPUB}/2)})`, 'ranged'],
    [`tr(musig(${TPUB}/*,${TPUB}/1))`, 'ranged'],
    [`unused(${TPUB})`, 'fixed'],
  ];
  test.each(rows)('describes %s (%s), with or without its checksum', (text, kind) => {
    const [descriptor, checksum] = [withChecksum(text), withChecksum(text).slice(-8)];
    const info = { descriptor, checksum, isrange: kind === 'ranged', issolvable: true, hasprivatekeys: false };
    for (const given of [text, descriptor]) expect(ask('getdescriptorinfo', [given])).toEqual(info);
  });

  test("orders its fields as Core's", () => {
    const info = ask('getdescriptorinfo', [`pkh(${TPUB}/<0;1>/*)`]) as object;
    expect(Object.keys(info)).toEqual([
      'descriptor',
      'multipath_expansion',
      'checksum',
      'isrange',
      'issolvable',
      'hasprivatekeys',
    ]);
  });

  test('reports private keys without printing them, with the checksum of the input', () => {
    const text = "sh(multi(2,[00000000/111'/222]$twoDeep,$three/0))";
    const info = ask('getdescriptorinfo', [withKeys(text, 'private')], { network: 'main' });
    expect(info).toEqual({
      descriptor: `${withKeys(text, 'public')}#tjg09x5t`,
      checksum: 'ggrsrxfy',
      isrange: false,
      issolvable: true,
      hasprivatekeys: true,
    });
    for (const secret of SECRETS) expect(JSON.stringify(info)).not.toContain(secret);
  });

  test.each([
    [`multi(1,${TPUB},${TPRV})`, `multi(1,${TPUB},${TPUB})`],
    [`tr(musig(${TPUB}/1,${TPRV}/2))`, `tr(musig(${TPUB}/1,${TPUB}/2))`],
  ])('reports private keys if any key of several is private: %s', (text, descriptor) => {
    expect(ask('getdescriptorinfo', [text])).toMatchObject({
      descriptor: withChecksum(descriptor),
      hasprivatekeys: true,
    });
  });

  test('expands a multipath descriptor', () => {
    const single = (path: number): string => withChecksum(`wsh(multi(1,${TPUB}/${path}/*,${TPUB}/${path + 5}))`);
    expect(ask('getdescriptorinfo', [`wsh(multi(1,${TPRV}/<0;1;2>/*,${TPUB}/<5;6;7>))`])).toMatchObject({
      descriptor: single(0),
      multipath_expansion: [single(0), single(1), single(2)],
      isrange: true,
      hasprivatekeys: true,
    });
    const quoted = (path: number): string => withChecksum(`pkh([d34db33f/44']${TPUB}/${path}/2'/*')`);
    expect(ask('getdescriptorinfo', [`pkh([d34db33f/44']${TPUB}/<0;1>/2'/*')`])).toMatchObject({
      descriptor: quoted(0),
      multipath_expansion: [quoted(0), quoted(1)],
    });
  });

  test.each([
    ['addr(mrCDrCybB6J1vRfbwM5hemdJz73FwDBC8r)', 'wdmryvnu'],
    ['raw(51)', '8lvh9jxk'],
  ])('reports %s as not solvable', (text, checksum) => {
    expect(ask('getdescriptorinfo', [text])).toEqual({
      descriptor: `${text}#${checksum}`,
      checksum,
      isrange: false,
      issolvable: false,
      hasprivatekeys: false,
    });
  });

  test.each<[readonly unknown[], string]>([
    [[''], "-5 '' is not a valid descriptor function"],
    [['raw(51)#8lvh9jxj'], "-5 Provided checksum '8lvh9jxj' does not match computed checksum '8lvh9jxk'"],
    [
      ['raw(52)#8lvh9jxk'],
      `-5 Provided checksum '8lvh9jxk' does not match computed checksum '${withChecksum('raw(52)').slice(-8)}'`,
    ],
    [['raw(51)#'], '-5 Expected 8 character checksum, not 0 characters'],
    [['sh(pk(asdf))'], "-5 pk(): key 'asdf' is not valid"],
    // Core gives no message here.
    [[`sh(pk(${G}),pk(${G}))`], '-5 '],
    [[`pk(${withKeys('$short', 'private')})`], "-5 pk(): key '...' is not valid"],
    [[withKeys('pk($one)', 'private')], "-5 pk(): key '...' is not valid"],
    [
      [1],
      '-3 Wrong type passed:\n{\n    "Position 1 (descriptor)": "JSON value of type number is not of expected type string"\n}',
    ],
  ])('refuses %j: %s', (params, refusal) => {
    expect(ask('getdescriptorinfo', params)).toBe(refusal);
  });

  test.each([
    ['00', 'wsh(0)'],
    ['0092', 'wsh(n:0)'],
    ['6300670068', 'wsh(l:0)'],
    [`21${G}ad00`, `wsh(and_v(v:pk(${G}),0))`],
    // A script that needs no signature is not sane.
    ['51', 'addr('],
    ['6300675168', 'addr('],
  ])('decodescript infers miniscript even if it cannot be satisfied: %s', (script, desc) => {
    const { segwit } = ask('decodescript', [script]) as { segwit: { desc: string } };
    expect(segwit.desc.startsWith(desc)).toBe(true);
  });

  test('the errors of 0.21 omit the hardened marker of an invalid step', () => {
    const refusalOf = (step: string, dialect: DialectName): unknown =>
      ask('getdescriptorinfo', [`pkh(${TPUB}/${step})`], { dialect });
    for (const [step, shown] of [
      ['', ''],
      ['h', ''],
      ["'", ''],
      ['xh', 'x'],
      ["1h'", '1h'],
    ] as const) {
      expect(refusalOf(step, 'core-0.21')).toBe(`-5 Key path value '${shown}' is not a valid uint32`);
      const modern = step === '' ? 'valid' : 'a valid uint32';
      expect(refusalOf(step, 'core-32')).toBe(`-5 pkh(): Key path value '${step}' is not ${modern}`);
    }
  });

  test('the errors of 0.21 show the number of a step that is out of range, not its text', () => {
    expect(ask('getdescriptorinfo', [`pkh(${TPUB}/+2147483648)`], { dialect: 'core-0.21' })).toBe(
      '-5 Key path value 2147483648 is out of range',
    );
  });

  test('the documented dialect adds our hints and reasons to the errors of Core', () => {
    const wrong = ['raw(52)#8lvh9jxk'];
    const refusal = ask('getdescriptorinfo', wrong);
    expect(ask('getdescriptorinfo', wrong, { dialect: 'documented' })).toBe(`${refusal} (character 6 looks wrong)`);
    expect(ask('getdescriptorinfo', [`sh(pk(${G}),pk(${G}))`], { dialect: 'documented' })).toBe(
      '-5 Text after the descriptor',
    );
  });
});

/** Extended keys that contradict themselves; Litecoin Core 0.21.2.1 gave the answers. */
describe('Core 0.21 does not check extended keys', () => {
  const PUBLIC =
    'tpubD7BBSGjrtHBk3RHnQimM3XcZKjDbfMNnJMr3hxZQRGZ7y7zXccr5PegX5emyADvWSEHWPJAmSehAPBGZszkCyZhwa1joQ5EVy96Nxwg8mxf';
  const ROOT_WITH_PARENT =
    'tprv8aV9HrhcjuW59xFzX56ke7xSkhhfW2Bsj4FGRSX6zzkj8djkzE2VDA4euYEMx9Ew7EDb4UiJa2jx4WnCPsQQmgQwWt6i8Nqyz85e9REn3yw';
  const BYTE_9_BEFORE_THE_KEY =
    'tprv8aV9HrhcjuW59xFzX56ke7xSkhhfW2Bsj4FGRSX6zzkj8djkzE2VDA4euqj4YEHDn4JdGrwejFKweQBAdtwsd1zpbdjgKj33w298b4AHUzG';
  const DEEPEST =
    'tprvGrJhAygwqbxSyAarGhmaNFuUyUUAZAYUsEo3XiH8BzfEfQia2o2V4AnSUpsejLQPazna2tehgjn8cNEkoA9QneVhyBonTDUxqFbBQgy5dtp';
  const DEEPEST_PUBLIC =
    'tpubMNzjKPjByye7rdceAMSAmfZbYVz6iVjPSYPppEKRcGTdVtyLfBr5EfQJewRFwR5xuzrVMi7AZMjLw2j8HHVCzXni2KSsiusUpGbvEEBEMkw';
  const NO_POINT =
    'tpubD7BBSGjrtHBk3RHnQimM3XcZKjDbfMNnJMr3hxZQRGZ7y7zXccr5PegX5ejvwL8q457otqqYUxMm8BJo7gR5AzvbdJ3T3gtXcqZtvJDss6V';
  const OLD = { dialect: 'core-0.21' } as const;

  const accepted: readonly (readonly [name: string, key: string, shown: string])[] = [
    ['a parent at depth 0', ROOT_WITH_PARENT, PUBLIC],
    ['a byte other than 0 before a private key', BYTE_9_BEFORE_THE_KEY, PUBLIC],
    ['children of depth 255', DEEPEST, DEEPEST_PUBLIC],
  ];
  test.each(accepted)('%s', (_, key, shown) => {
    const paths: readonly (readonly [path: string, address: string])[] = [
      ['', 'mxW4yfj8ucNJXULrGiUoTJg4Q2TE1h4ZJY'],
      ['/1', 'mu8ZPcUkDpBAFavrYTzE8x8UNFvSxSmZAJ'],
      ["/1'", 'mh5hEVSm6qesFNGcxcCbENwXXhZLaYBLGi'],
    ];
    for (const [path, address] of paths) {
      const text = withChecksum(`pkh(${key}${path})`);
      const info = ask('getdescriptorinfo', [text], OLD);
      expect(info).toMatchObject({ descriptor: withChecksum(`pkh(${shown}${path})`), hasprivatekeys: true });
      expect(ask('deriveaddresses', [text], OLD)).toEqual([address]);
    }
    const ranged = withChecksum(`pkh(${key}/*)`);
    expect(ask('deriveaddresses', [ranged, [1, 1]], OLD)).toEqual(['mu8ZPcUkDpBAFavrYTzE8x8UNFvSxSmZAJ']);
  });

  test('but Core 31 does', () => {
    const invalid = "-5 pkh(): key '...' is not valid";
    for (const key of [ROOT_WITH_PARENT, BYTE_9_BEFORE_THE_KEY]) {
      expect(ask('getdescriptorinfo', [`pkh(${key})`])).toBe(invalid);
    }
    expect(ask('getdescriptorinfo', [`pkh(${PUBLIC})`])).toBe(`-5 pkh(): key '${PUBLIC}' is not valid`);
    const text = withChecksum(`pkh(${DEEPEST}/1)`);
    expect(ask('deriveaddresses', [text])).toBe('-5 Cannot derive script without private keys');
  });

  test('a key that is not a point is refused in both', () => {
    expect(ask('getdescriptorinfo', [`pkh(${NO_POINT})`], OLD)).toBe(`-5 key '${NO_POINT}' is not valid`);
  });

  test('legacy wallets import such keys', () => {
    let time = 0;
    const clock = (): number => ++time;
    const rpc = createNodeRpc({ ...OLD, network: 'regtest', clock, random: (size) => new Uint8Array(size).fill(1) });
    for (const [wallet, key] of accepted) {
      rpc.call('createwallet', [wallet, false, true]);
      const request = { desc: withChecksum(`pkh(${key}/1)`), timestamp: 'now' };
      expect(rpc.call('importmulti' as string, [[request]], wallet)).toEqual([{ success: true }]);
      const info = rpc.call('getaddressinfo', ['mu8ZPcUkDpBAFavrYTzE8x8UNFvSxSmZAJ'], wallet);
      expect(info).toMatchObject({ ismine: true, solvable: true });
    }
  });
});
