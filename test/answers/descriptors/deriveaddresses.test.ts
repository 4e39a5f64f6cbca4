import { describe, expect, test } from 'vitest';
import { ask, callText, TPRV, TPUB } from '../../support/askRpc.ts';
import { withChecksum } from '../../support/library.ts';

describe('deriveaddresses', () => {
  const [FIRST, SECOND, THIRD] = [
    'bcrt1qjqmxmkpmxt80xz4y3746zgt0q3u3ferr34acd5',
    'bcrt1qhku5rq7jz8ulufe2y6fkcpnlvpsta7rq4442dy',
    'bcrt1qpgptk2gvshyl0s9lqshsmx932l9ccsv265tvaq',
  ];
  const PAY_TO_KEY_HASH = 'mtfUoUax9L4tzXARpw1oTGxWyoogp52KhJ';
  const RANGED = `wpkh(${TPRV}/1/1/*)#kft60nuy`;
  const FIXED = `wpkh(${TPRV}/1/1/0)#t6wfjs64`;

  test.each<[string, readonly unknown[], unknown]>([
    ['a private key', [FIXED], [FIRST]],
    ['a public key', [`wpkh(${TPUB}/1/1/0)#s9ga3alw`], [FIRST]],
    ['a range with begin and end', [RANGED, [1, 2]], [SECOND, THIRD]],
    ['a range with only an end', [RANGED, 2], [FIRST, SECOND, THIRD]],
    ['a range that ends at 0', [RANGED, 0], [FIRST]],
    ['a range of null', [FIXED, null], [FIRST]],
    [
      'combo()',
      [withChecksum(`combo(${TPRV}/1/1/0)`)],
      [PAY_TO_KEY_HASH, FIRST, '2NDvEwGfpEqJWfybzpKPHF2XH3jwoQV3D7x'],
    ],
    ['addr()', [withChecksum(`addr(${FIRST})`)], [FIRST]],
    ['a multipath descriptor', [withChecksum(`wpkh(${TPUB}/1/1/<2;0>)`)], [[THIRD], [FIRST]]],
    [
      'a ranged multipath descriptor',
      [withChecksum(`wpkh(${TPUB}/1/<1;2>/*)`), [0, 0]],
      [[FIRST], [expect.any(String)]],
    ],
  ])('derives the addresses of %s', (_, params, addresses) => {
    expect(ask('deriveaddresses', params)).toEqual(addresses);
  });

  test('0.21 derives the P2PKH address for a P2PK script', () => {
    const combo = [withChecksum(`combo(${TPRV}/1/1/0)`)];
    expect(ask('deriveaddresses', combo, { dialect: 'core-0.21' })).toEqual([
      PAY_TO_KEY_HASH,
      PAY_TO_KEY_HASH,
      FIRST,
      '2NDvEwGfpEqJWfybzpKPHF2XH3jwoQV3D7x',
    ]);
  });

  const NO_ADDRESS = '-5 Descriptor does not have a corresponding address';
  test.each<[string, readonly unknown[], string]>([
    ['a text without checksum', ['a'], '-5 Missing checksum'],
    ['a descriptor without checksum', [FIXED.slice(0, -9)], '-5 Missing checksum'],
    [
      'a range for a descriptor that is not ranged',
      [FIXED, [0, 2]],
      '-8 Range should not be specified for an un-ranged descriptor',
    ],
    ['a missing range', [RANGED], '-8 Range must be specified for a ranged descriptor'],
    ['null as the range of a ranged descriptor', [RANGED, null], '-8 Range must be specified for a ranged descriptor'],
    ['a high end', [RANGED, 10_000_000_000], '-8 End of range is too high'],
    ['an end below 0', [RANGED, -1], '-8 End of range is too high'],
    ['the lowest end that is too high', [RANGED, [0x8000_0000, 0x8000_0000]], '-8 End of range is too high'],
    ['a large range', [RANGED, [1_000_000_000, 2_000_000_000]], '-8 Range is too large'],
    ['a range of a million and one indexes', [RANGED, 1_000_000], '-8 Range is too large'],
    ['a range of all indexes', [RANGED, 0x7fff_ffff], '-8 Range is too large'],
    ['a reversed range', [RANGED, [2, 0]], '-8 Range specified as [begin,end] must not have begin after end'],
    ['a range that begins below 0', [RANGED, [-1, 0]], '-8 Range should be greater or equal than 0'],
    ['a range of one number', [RANGED, [1]], '-8 Range must be specified as end or as [begin,end]'],
    ['a range of three numbers', [RANGED, [1, 2, 3]], '-8 Range must be specified as end or as [begin,end]'],
    ['a string as range', [RANGED, 'all'], '-8 Range must be specified as end or as [begin,end]'],
    ['a range of strings', [RANGED, ['0', '1']], '-8 Range must be specified as end or as [begin,end]'],
    [
      'a bad range before a bad descriptor',
      ['a', [2, 0]],
      '-8 Range specified as [begin,end] must not have begin after end',
    ],
    ['a hardened step', [withChecksum(`wpkh(${TPUB}/1'/1/0)`)], '-5 Cannot derive script without private keys'],
    ['hardened children', [withChecksum(`wpkh(${TPUB}/1/*h)`), 3], '-5 Cannot derive script without private keys'],
    [
      'a path that is too long',
      [withChecksum(`wpkh(${TPRV}${'/0'.repeat(256)})`)],
      '-5 Cannot derive script without private keys',
    ],
    ['a bare multisig', [withChecksum(`multi(1,${TPUB}/1/1/0,${TPUB}/1/1/1)`)], NO_ADDRESS],
    ['a bare key', [withChecksum(`pk(${TPUB}/1/1/0)`)], NO_ADDRESS],
    ['a script', ['raw(51)#8lvh9jxk'], NO_ADDRESS],
    ['unused()', [withChecksum(`unused(${TPUB})`)], '-1 Unexpected empty result'],
  ])('refuses %s', (_, params, refusal) => {
    expect(ask('deriveaddresses', params)).toBe(refusal);
  });

  test('derives at the highest index', () => {
    const last = ask('deriveaddresses', [RANGED, [0x7fff_ffff, 0x7fff_ffff]]);
    expect(last).toEqual(ask('deriveaddresses', [withChecksum(`wpkh(${TPUB}/1/1/2147483647)`)]));
  });

  test('derives hardened children of a private key', () => {
    const [address] = ask('deriveaddresses', [withChecksum(`wpkh(${TPRV}/1/*h)`), [5, 5]]) as readonly string[];
    expect([address]).toEqual(ask('deriveaddresses', [withChecksum(`wpkh(${TPRV}/1/5')`)]));
  });
});

describe('deriveaddresses takes null', () => {
  const key = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
  const xpub =
    'tpubD6NzVbkrYhZ4WaWSyoBvQwbpLkojyoTZPRsgXELWz3Popb3qkjcJyJUGLnL4qHHoQvao8ESaAstxYSnhyswJ76uZPStJRJCTKvosUCJZL5B';
  const [fixed, ranged] = [withChecksum(`wpkh(${key})`), withChecksum(`wpkh(${xpub}/*)`)];

  test.each(['core-32'] as const)('for an absent range, in %s', (dialect) => {
    expect(callText(dialect, 'deriveaddresses', [fixed, null])).toEqual(callText(dialect, 'deriveaddresses', [fixed]));
    expect(callText(dialect, 'deriveaddresses', [ranged, null])).toBe(
      '-8 Range must be specified for a ranged descriptor',
    );
  });

  test('for a range of the first index, in 0.21', () => {
    const [refused, first] = [fixed, ranged].map((text) => callText('core-0.21', 'deriveaddresses', [text, null]));
    expect(refused).toBe('-8 Range should not be specified for an un-ranged descriptor');
    expect(first).toEqual(callText('core-0.21', 'deriveaddresses', [ranged, 0]));
  });
});
