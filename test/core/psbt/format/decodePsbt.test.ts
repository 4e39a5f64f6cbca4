import { describe, expect, test } from 'vitest';
import type { ErrorCode, PsbtMapKind, PsbtValueFault } from '../../../../src/core/errors.ts';
import {
  decodePsbtBytes,
  determineLocktime,
  encodePsbt,
  type Psbt,
  type PsbtGeneration,
  parseTxid,
  toPsbtV0,
  unsignedTransaction,
} from '../../../support/library.ts';
import { refusalIfAny, refusalOf } from '../../../support/refusal.ts';
import {
  bytesOf,
  essentials,
  FIELDS,
  fullPsbt,
  HASH,
  KEY,
  KEY_2,
  KEY_Y,
  type Marked,
  mapOf,
  OFF_CURVE,
  ORIGIN,
  openMap,
  outpoint,
  P2WPKH,
  PREVIOUS,
  PREVIOUS_TXID,
  placed,
  type Rec,
  repeat,
  SIGNATURE,
  sized,
  tx,
  txIn,
  txidHex,
  txOut,
  UNCOMPRESSED,
  UNSIGNED,
  u32,
  type Version,
  versionFor,
  wire,
  X_ONLY,
  XPUB,
} from '../../../support/wire.ts';

const GENERATIONS: readonly PsbtGeneration[] = ['core-0.21', 'core-32', 'bips'];

const met = new Set<ErrorCode>();
const metFaults = new Set<PsbtValueFault>();

/** Expects exactly this code and this data, and remembers the code. */
function expectRefusal(run: () => unknown, code: ErrorCode, data: object): void {
  const error = refusalOf(run);
  expect({ code: error.code, data: error.data }).toEqual({ code, data });
  met.add(error.code);
  if (error.code === 'psbt/value-invalid') metFaults.add((error.data as { reason: PsbtValueFault }).reason);
}

const withOffset = ({ offset }: Marked, data: object): object => (offset < 0 ? data : { ...data, offset });

/** Makes rows for `test.each`, with their names first. */
const byName = <R extends { readonly name: string }>(rows: readonly R[]): readonly (readonly [string, R])[] =>
  rows.map((row) => [row.name, row]);

interface Row {
  readonly name: string;
  readonly version: Version;
  readonly map: PsbtMapKind;
  readonly field: string;
  /** The records, the last of which is refused. */
  readonly records: readonly Rec[];
  readonly code: ErrorCode;
  readonly data?: object;
}

function expectRowRefused(
  { version, map, field, records, code, data }: Row,
  generation: PsbtGeneration = 'bips',
): void {
  const psbt = placed(version, map, ...records);
  const place = { map, index: psbt.index, record: psbt.record, field };
  expectRefusal(
    () => decodePsbtBytes(psbt.bytes, { generation, mweb: true }),
    code,
    withOffset(psbt, { ...place, ...data }),
  );
}

test.each(GENERATIONS)('the PSBTs on which all others here are based are valid for %s', (generation) => {
  const versions: readonly Version[] = generation === 'core-0.21' ? [0] : [0, 2];
  for (const version of versions) {
    expect(() => decodePsbtBytes(fullPsbt(version, generation), { generation })).not.toThrow();
    expect(() => decodePsbtBytes(placed(version, 'input').bytes, { generation })).not.toThrow();
  }
});

describe('duplicate keys', () => {
  const rows = FIELDS.map((known): Row => {
    const { map, field, key, value } = known;
    const records: readonly Rec[] = [
      [key, value],
      [`|${key}`, value],
    ];
    return {
      name: `${map} ${field}`,
      version: versionFor(known),
      map,
      field,
      records,
      code: 'psbt/duplicate-key',
      data: { key },
    };
  });

  test.each(byName(rows))('a second record with the key of %s is refused', (_, row) => {
    expectRowRefused(row);
  });

  test('are found at any distance and with any values', () => {
    const { bytes, offset } = placed(0, 'input', ['f1aa', '01'], ['03', u32(1)], ['f2', ''], ['|f1aa', '']);
    const place = { map: 'input', index: 1, record: 4, field: 'unknown', offset, key: 'f1aa' };
    expectRefusal(() => decodePsbtBytes(bytes), 'psbt/duplicate-key', place);
  });

  test.each(['input', 'output'] as const)('do not count as duplicates in two %s maps', (map) => {
    const [inputs, outputs] = [mapOf(['f1aa', '01']), mapOf()];
    const maps = map === 'input' ? [inputs, inputs, outputs, outputs] : [outputs, outputs, inputs, inputs];
    expect(decodePsbtBytes(wire(mapOf(['00', UNSIGNED]), ...maps).bytes)[`${map}s`]).toHaveLength(2);
  });

  test('differ if any byte of their keys does', () => {
    const { bytes } = placed(0, 'input', ['f1aa', '01'], ['f1ab', '01'], ['f1', '01'], ['f1aa00', '01']);
    expect(decodePsbtBytes(bytes).inputs[1]?.unknown).toHaveLength(5);
  });
});

describe('key sizes', () => {
  /** The fields that BIPs alone define, and that decide nothing. */
  const WITH_DATA = ['signedMessage', 'porCommitment', 'dnssecProof'];
  const rows = FIELDS.flatMap((known): Row[] => {
    const { map, field, key, value, keySizes } = known;
    if (keySizes === undefined || WITH_DATA.includes(field)) return [];
    const sizes = [key.length / 2 + 1, ...(key.length > 2 ? [key.length / 2 - 1, 1] : [40, 300])];
    return sizes.map((size) => {
      const bad = (key + repeat('00', size)).slice(0, 2 * size);
      // If the key is more than a type, the error points after the type, else after the whole key.
      const marked = key.length > 2 ? `${bad.slice(0, 2)}|${bad.slice(2)}` : `${bad}|`;
      const isShort = field === 'tapLeafScripts' && size < 34;
      const expected = field === 'tapLeafScripts' && !isShort ? String(size - ((size - 2) % 32)) : keySizes;
      return {
        name: `${map} ${field} of ${size} bytes`,
        version: versionFor(known),
        map,
        field,
        records: [[marked, value]],
        code: 'psbt/key-size',
        data: { size, expected },
      };
    });
  });

  test.each(FIELDS.filter(({ field }) => WITH_DATA.includes(field)))(
    'a key of $map $field with data is kept as unknown, as in nodes',
    ({ map, key, value }) => {
      const { bytes } = placed(0, map, [`${key}0102`, value]);
      const psbt = decodePsbtBytes(bytes);
      const { global, inputs, outputs } = psbt;
      const found = { global, input: inputs[1], output: outputs[1] }[map];
      expect(found?.unknown).toContainEqual({ key: bytesOf(`${key}0102`), value: bytesOf(value) });
      expect(decodePsbtBytes(encodePsbt(psbt))).toEqual(psbt);
    },
  );

  test.each(byName(rows))('a key of %s is refused', (_, row) => {
    expectRowRefused(row);
  });

  test.each([34, 66, 98, 34 + 32 * 128])('a control block key of %i bytes is accepted', (size) => {
    const { bytes } = placed(0, 'input', [`15${repeat('c0', size - 1)}`, '51c0']);
    expect(decodePsbtBytes(bytes).inputs[1]?.tapLeafScripts).toHaveLength(1);
  });

  test('a key of the wrong size is refused before its value is read', () => {
    const row = { version: 0, map: 'input', field: 'sighashType', code: 'psbt/key-size' } as const;
    expectRowRefused({ ...row, name: '', records: ['020300|fdff'], data: { size: 2, expected: '1' } });
  });
});

describe('keys without a valid public key', () => {
  const OVER_P = `02${repeat('ff', 32)}`;
  const WRONG_Y = `04${X_ONLY}${KEY_Y.slice(0, -2)}b9`;
  const pubkeys: readonly (readonly [string, string])[] = [
    ['x is on no point', OFF_CURVE],
    ['x is above the field', OVER_P],
    ['the header is 04 and y is missing', `04${X_ONLY}`],
    ['the header is 00', `00${X_ONLY}`],
    ['the header is 05', `05${X_ONLY}`],
    ['y does not fit x', WRONG_Y],
    ['the header is 02 and y is there', `02${X_ONLY}${KEY_Y}`],
    ['the header is 07 and y is even', `07${X_ONLY}${KEY_Y}`],
    ['the header is 05 and y is there', `05${X_ONLY}${KEY_Y}`],
    ['all is zero', repeat('00', 33)],
  ];
  const owners = [
    { map: 'input', field: 'partialSigs', type: '02', value: SIGNATURE },
    { map: 'input', field: 'bip32Derivations', type: '06', value: ORIGIN },
    { map: 'output', field: 'bip32Derivations', type: '02', value: ORIGIN },
  ] as const;
  const rows = owners.flatMap(({ map, field, type, value }) =>
    pubkeys.map(([what, pubkey]): Row => {
      const name = `${map} ${field}, where ${what}`;
      const records: readonly Rec[] = [[`${type}${pubkey}|`, value]];
      return { name, version: 0, map, field, records, code: 'psbt/key-invalid', data: { reason: 'pubkey' } };
    }),
  );
  test.each(byName(rows))('of %s, are refused', (_, row) => {
    expectRowRefused(row);
    expectRowRefused(row, 'core-32');
    expectRowRefused(row, 'core-0.21');
  });

  test.each([UNCOMPRESSED, `06${X_ONLY}${KEY_Y}`, KEY])('but %s is accepted', (pubkey) => {
    const { bytes } = placed(0, 'input', [`02${pubkey}`, SIGNATURE]);
    for (const generation of GENERATIONS) expect(() => decodePsbtBytes(bytes, { generation })).not.toThrow();
  });

  const version = XPUB.slice(0, 8);
  const xpubTail = HASH + KEY;
  const special: readonly (readonly [string, Version, PsbtMapKind, string, string, string, string])[] = [
    ['an xpub', 0, 'global', 'xpubs', `01${XPUB.slice(0, -66)}${OFF_CURVE}|`, ORIGIN, 'pubkey'],
    [
      'an xpub of depth 0 with a parent',
      0,
      'global',
      'xpubs',
      `01${version}000000000100000000${xpubTail}|`,
      ORIGIN,
      'pubkey',
    ],
    [
      'an xpub of depth 0 with a child number',
      0,
      'global',
      'xpubs',
      `01${version}000000000000000001${xpubTail}|`,
      ORIGIN,
      'pubkey',
    ],
    ['input participants', 0, 'input', 'musig2Participants', `1a${OFF_CURVE}|`, KEY, 'aggregate-pubkey'],
    ['output participants', 0, 'output', 'musig2Participants', `08${OFF_CURVE}|`, KEY, 'aggregate-pubkey'],
    ['a nonce, aggregate key', 0, 'input', 'musig2PubNonces', `1b${KEY}${OFF_CURVE}|`, KEY + KEY, 'aggregate-pubkey'],
    ['a nonce, participant', 0, 'input', 'musig2PubNonces', `1b${OFF_CURVE}${KEY}|`, KEY + KEY, 'participant-pubkey'],
    ['a nonce, both', 0, 'input', 'musig2PubNonces', `1b${OFF_CURVE}${OFF_CURVE}|`, '', 'aggregate-pubkey'],
    ['a nonce of a leaf', 0, 'input', 'musig2PubNonces', `1b${KEY}${OFF_CURVE}|${HASH}`, '', 'aggregate-pubkey'],
    [
      'a partial signature, aggregate key',
      0,
      'input',
      'musig2PartialSigs',
      `1c${KEY}${OFF_CURVE}|`,
      HASH,
      'aggregate-pubkey',
    ],
    [
      'a partial signature, participant',
      0,
      'input',
      'musig2PartialSigs',
      `1c${OFF_CURVE}${KEY}|`,
      HASH,
      'participant-pubkey',
    ],
    ['a global ECDH share', 2, 'global', 'spEcdhShares', `07${OFF_CURVE}|`, KEY, 'pubkey'],
    ['a global proof', 2, 'global', 'spDleqProofs', `08${OFF_CURVE}|`, HASH + HASH, 'pubkey'],
    ['an input ECDH share', 2, 'input', 'spEcdhShares', `1d${OFF_CURVE}|`, KEY, 'pubkey'],
    ['an input proof', 2, 'input', 'spDleqProofs', `1e${OFF_CURVE}|`, HASH + HASH, 'pubkey'],
    ['a spend key', 2, 'input', 'spSpendBip32Derivations', `1f${OFF_CURVE}|`, ORIGIN, 'pubkey'],
  ];
  test.each(special)('of %s are refused', (name, psbtVersion, map, field, key, value, reason) => {
    const records: readonly Rec[] = [[key, value]];
    expectRowRefused({ name, version: psbtVersion, map, field, records, code: 'psbt/key-invalid', data: { reason } });
  });

  test.each([
    ['public key', `02${OFF_CURVE}`, SIGNATURE, 'partialSigs'],
    ['aggregate public key', `1b${KEY}${OFF_CURVE}`, KEY + KEY, 'musig2PubNonces'],
    ['participant public key', `1b${OFF_CURVE}${KEY}`, KEY + KEY, 'musig2PubNonces'],
  ])('are refused in words: a %s', (what, key, value, field) => {
    const { bytes, index } = placed(0, 'input', [key, value]);
    const { message, data } = refusalOf(() => decodePsbtBytes(bytes));
    const { offset } = data as { offset: number };
    expect(message).toBe(
      `The key of the record at offset ${offset} (${field} of input ${index}) does not hold a valid ${what}`,
    );
  });

  test('an xpub of depth 1 may have a parent, a child number and any version bytes', () => {
    const { bytes } = placed(0, 'global', [`01${repeat('00', 4)}01d90c6a4f00000001${xpubTail}`, ORIGIN]);
    expect(decodePsbtBytes(bytes).global.xpubs).toHaveLength(1);
  });

  test('an invalid key after a valid one is found', () => {
    const records: readonly Rec[] = [
      [`06${KEY}`, ORIGIN],
      [`02${KEY}`, SIGNATURE],
      [`02${OFF_CURVE}|`, SIGNATURE],
    ];
    const rest = { version: 0, map: 'input', field: 'partialSigs', code: 'psbt/key-invalid' } as const;
    expectRowRefused({ ...rest, name: '', records, data: { reason: 'pubkey' } });
  });
});

describe('value sizes', () => {
  const typed = FIELDS.filter(({ isTyped }) => isTyped);
  const rows = typed.flatMap((known): Row[] => {
    const { map, field, key, value } = known;
    const used = value.length / 2;
    const row = { version: versionFor(known), map, field, code: 'psbt/value-size' } as const;
    return [
      {
        ...row,
        name: `${map} ${field} with a byte more`,
        records: [[key, `|${value}00`]],
        data: { stated: used + 1, used },
      },
      {
        ...row,
        name: `${map} ${field} with a byte less`,
        records: [[key, `|${value.slice(0, -2)}`]],
        data: { stated: used - 1, used },
      },
    ];
  });
  // A shorter last key of a silent payment address would take the byte after it, and be another key.
  const sound = rows.filter(({ name }) => name !== 'output spV0Info with a byte less');
  test.each(byName(sound))('%s is refused', (_, row) => {
    expectRowRefused(row);
  });

  test('a value beyond the end of the data is refused as truncated, not for its size', () => {
    const cut = wire(mapOf(['00', UNSIGNED]), '010303|010000');
    const data = { map: 'input', index: 0, record: 0, field: 'sighashType' };
    expectRefusal(() => decodePsbtBytes(cut.bytes), 'bytes/end-of-data', withOffset(cut, data));
  });
});

describe('values', () => {
  const long = (depth: number): string => `${depth.toString(16)}c00151`;
  const leaf = (depth: number, version = 'c0'): string => `${depth.toString(16).padStart(2, '0')}${version}0151`;
  const chain = (deepest: number): string =>
    [...Array.from({ length: deepest - 1 }, (_, i) => leaf(i + 1)), leaf(deepest), leaf(deepest)].join('');
  const tree = (...depths: readonly number[]): string => depths.map((depth) => leaf(depth)).join('');
  const sig64 = HASH + HASH;
  type Fault = readonly [string, PsbtValueFault, Version, PsbtMapKind, string, string, string];
  const partialSig = (what: string, value: string): Fault => [
    `a partial signature ${what}`,
    'signature-encoding',
    0,
    'input',
    'partialSigs',
    `02${KEY}`,
    `${value}|`,
  ];
  const origins: readonly (readonly [Version, PsbtMapKind, string, string])[] = [
    [0, 'global', 'xpubs', `01${XPUB}`],
    [0, 'input', 'bip32Derivations', `06${KEY}`],
    [0, 'output', 'bip32Derivations', `02${KEY}`],
    [2, 'input', 'spSpendBip32Derivations', `1f${KEY}`],
  ];
  const badOrigins = origins.flatMap((where) =>
    ['|', '|d9', '|d90c6a', '|d90c6a4f00', `|d90c6a4f${u32(1)}00`].map(
      (value): Fault => [
        `an origin of ${(value.length - 1) / 2} bytes in ${where[1]} ${where[2]}`,
        'key-path-length',
        ...where,
        value,
      ],
    ),
  );
  const tapOrigins = (['input', 'output'] as const).flatMap((map): Fault[] => {
    const where = [0, map, 'tapBip32Derivations', `${map === 'input' ? '16' : '07'}${X_ONLY}`] as const;
    return [
      [`an ${map} taproot origin without fingerprint`, 'key-path-length', ...where, '00|'],
      [`an ${map} taproot origin of hashes only`, 'key-path-length', ...where, `01${HASH}|`],
      [`an ${map} taproot origin of 3 bytes`, 'key-path-length', ...where, '00|d90c6a'],
      [`an ${map} taproot origin that is empty`, 'taproot-path-length', ...where, ''],
      [`an ${map} taproot origin whose hashes run past it`, 'taproot-path-length', ...where, `01${HASH.slice(2)}`],
    ];
  });
  const participants = (['input', 'output'] as const).flatMap((map): Fault[] => {
    const where = [0, map, 'musig2Participants', `${map === 'input' ? '1a' : '08'}${KEY}`] as const;
    return [
      [`an ${map} participant that is no key`, 'participant-pubkey', ...where, `${KEY}${OFF_CURVE}|`],
      [
        `an ${map} participant that is no key before one that is cut off`,
        'participant-pubkey',
        ...where,
        `${OFF_CURVE}02|`,
      ],
      [`${map} participants of 34 bytes`, 'participants-length', ...where, `${KEY}02|`],
      [`${map} participants of 32 bytes`, 'participants-length', ...where, `${HASH}|`],
    ];
  });
  const trees: readonly (readonly [string, PsbtValueFault, string])[] = [
    ['a leaf at depth 129', 'tree-depth', `${long(129)}|`],
    ['a leaf at depth 255', 'tree-depth', `${long(255)}|`],
    ['a second leaf at depth 200', 'tree-depth', `${leaf(1)}${long(200)}|`],
    ['leaf version c1', 'tree-leaf-version', `${leaf(0, 'c1')}|`],
    ['leaf version 01', 'tree-leaf-version', `${leaf(0, '01')}|`],
    ['leaf version ff in the second leaf', 'tree-leaf-version', `${leaf(1)}${leaf(1, 'ff')}|`],
    ['depth and leaf version wrong, which is its depth', 'tree-depth', '81c10151|'],
    ['one leaf at depth 1', 'tree-malformed', `${tree(1)}|`],
    ['one leaf at depth 128', 'tree-malformed', `${tree(128)}|`],
    ['two leaves at depth 0', 'tree-malformed', `${tree(0, 0)}|`],
    ['a leaf after the root', 'tree-malformed', `${tree(0, 1)}|`],
    ['a leaf after a whole tree', 'tree-malformed', `${tree(1, 1, 1)}|`],
    ['a root after a whole tree', 'tree-malformed', `${tree(1, 1, 0)}|`],
    ['leaves at depths 1 and 2', 'tree-malformed', `${tree(1, 2)}|`],
    ['leaves at depths 2 and 1', 'tree-malformed', `${tree(2, 1)}|`],
    ['leaves at depths 2, 1 and 2', 'tree-malformed', `${tree(2, 1, 2)}|`],
    ['leaves at depths 2, 2, 2', 'tree-malformed', `${tree(2, 2, 2)}|`],
    ['five leaves at depth 2', 'tree-malformed', `${tree(2, 2, 2, 2, 2)}|`],
    ['leaves at depths 3, 3 and 1', 'tree-malformed', `${tree(3, 3, 1)}|`],
    ['a chain to depth 128 without its last leaf', 'tree-malformed', `${chain(128).slice(0, -8)}|`],
  ];
  const faults: readonly Fault[] = [
    partialSig('of no bytes', ''),
    partialSig('of 8 bytes', '3005020101020001'),
    partialSig('of zeros', repeat('00', 9)),
    partialSig('without hash type', '3006020101020101'),
    partialSig('with hash type 0', '300602010102010100'),
    partialSig('with hash type 4', '300602010102010104'),
    partialSig('with hash type 80', '300602010102010180'),
    partialSig('with hash type 41', '300602010102010141'),
    partialSig('with a wrong length', '300702010102010101'),
    partialSig('with a negative r', '300602018002010101'),
    partialSig('with a negative s', '300602010102018001'),
    partialSig('with a padded r', '30070202000102010101'),
    partialSig('with an empty r', '3005020002010101'),
    partialSig('with a Schnorr signature', `${sig64}01`),
    partialSig('of 74 bytes', `3047022100${repeat('ff', 32)}022200${repeat('ff', 33)}01`),
    ['a key path signature of no bytes', 'too-short', 0, 'input', 'tapKeySig', '13', '|'],
    ['a key path signature of 63 bytes', 'too-short', 0, 'input', 'tapKeySig', '13', `${sig64.slice(2)}|`],
    ['a key path signature of 66 bytes', 'too-long', 0, 'input', 'tapKeySig', '13', `${sig64}0101|`],
    [
      'a script path signature of 63 bytes',
      'too-short',
      0,
      'input',
      'tapScriptSigs',
      `14${X_ONLY}${HASH}`,
      `${sig64.slice(2)}|`,
    ],
    [
      'a script path signature of 66 bytes',
      'too-long',
      0,
      'input',
      'tapScriptSigs',
      `14${X_ONLY}${HASH}`,
      `${sig64}0101|`,
    ],
    ['a leaf script of no bytes', 'empty', 0, 'input', 'tapLeafScripts', `15c0${X_ONLY}`, '|'],
    ['a tree of no bytes', 'empty', 0, 'output', 'tapTree', '06', '|'],
    ...badOrigins,
    ...tapOrigins,
    ...participants,
    ['a nonce of 65 bytes', 'not-66-bytes', 0, 'input', 'musig2PubNonces', `1b${KEY}${KEY_2}`, `${sig64}01|`],
    ['a nonce of 67 bytes', 'not-66-bytes', 0, 'input', 'musig2PubNonces', `1b${KEY}${KEY_2}`, `${sig64}010101|`],
    ['a nonce of no bytes', 'not-66-bytes', 0, 'input', 'musig2PubNonces', `1b${KEY}${KEY_2}`, '|'],
    ['a time locktime of 0', 'time-locktime', 2, 'input', 'requiredTimeLocktime', '11', `${u32(0)}|`],
    ['a time locktime of 499999999', 'time-locktime', 2, 'input', 'requiredTimeLocktime', '11', `${u32(499_999_999)}|`],
    [
      'a height locktime of 500000000',
      'height-locktime',
      2,
      'input',
      'requiredHeightLocktime',
      '12',
      `${u32(500_000_000)}|`,
    ],
    ['a height locktime of ffffffff', 'height-locktime', 2, 'input', 'requiredHeightLocktime', '12', 'ffffffff|'],
    ['a height locktime of 0', 'zero-height', 2, 'input', 'requiredHeightLocktime', '12', `${u32(0)}|`],
    ...trees.map(
      ([what, reason, value]): Fault => [`a tree with ${what}`, reason, 0, 'output', 'tapTree', '06', value],
    ),
    ['a global ECDH share of 32 bytes', 'too-short', 2, 'global', 'spEcdhShares', `07${KEY}`, `${HASH}|`],
    ['a global ECDH share of 34 bytes', 'too-long', 2, 'global', 'spEcdhShares', `07${KEY}`, `${KEY}00|`],
    ['an input ECDH share of 34 bytes', 'too-long', 2, 'input', 'spEcdhShares', `1d${KEY}`, `${KEY}00|`],
    ['a global proof of 63 bytes', 'too-short', 2, 'global', 'spDleqProofs', `08${KEY}`, `${sig64.slice(2)}|`],
    ['an input proof of 65 bytes', 'too-long', 2, 'input', 'spDleqProofs', `1e${KEY}`, `${sig64}00|`],
    ['a silent payment scan key', 'pubkey', 2, 'output', 'spV0Info', '09', `${OFF_CURVE}|${KEY}`],
    ['a silent payment spend key', 'pubkey', 2, 'output', 'spV0Info', '09', `${KEY}${OFF_CURVE}|`],
    ['a DNS name longer than its record', 'too-short', 0, 'output', 'dnssecProof', '35', '0261'],
  ];
  test.each(faults)('%s is refused as %s', (name, reason, version, map, field, key, value) => {
    const psbt = placed(version, map, [key, value]);
    const error = refusalOf(() => decodePsbtBytes(psbt.bytes));
    // If a value runs past its end, the offset is after the bytes read; rows without a mark do not check it.
    const data = psbt.offset < 0 ? { ...(error.data as { offset: number }) } : { offset: psbt.offset };
    const place = { map, index: psbt.index, record: psbt.record, field, offset: data.offset, reason };
    expectRefusal(() => decodePsbtBytes(psbt.bytes), 'psbt/value-invalid', place);
    expect(name).toBeTruthy();
  });

  const words: Readonly<Record<PsbtValueFault, string>> = {
    'signature-encoding': 'is not a DER signature with its sighash type',
    'too-short': 'is too short',
    'too-long': 'is too long',
    empty: 'is empty',
    'key-path-length': 'is not a fingerprint and a path',
    'taproot-path-length': 'is not a list of leaf hashes, a fingerprint and a path',
    pubkey: 'is not a public key',
    'participant-pubkey': 'holds a participant that is not a public key',
    'participants-length': 'is not a list of public keys',
    'not-66-bytes': 'does not have 66 bytes',
    'time-locktime': 'is not a time: it is below 500000000',
    'height-locktime': 'is not a height: it is not below 500000000',
    'zero-height': 'is a height of 0',
    'tree-depth': 'holds a leaf below depth 128',
    'tree-leaf-version': 'holds a leaf of an odd version',
    'tree-malformed': 'is not a complete tree',
  };
  const firsts = new Map(faults.map((fault) => [fault[1], fault]));
  test.each([...firsts.values()])('%s is called %s in words', (_, reason, version, map, field, key, value) => {
    const { bytes, index } = placed(version, map, [key, value.replace('|', '')]);
    const { message, data } = refusalOf(() => decodePsbtBytes(bytes));
    const place = `at offset ${(data as { offset: number }).offset} (${field} of ${map === 'global' ? 'the global map' : `${map} ${index}`})`;
    expect(message).toBe(`The value ${place} ${words[reason]}`);
  });

  test('a DNS name may fill its record: the proof is empty', () => {
    const { bytes } = placed(0, 'output', ['35', '0161']);
    expect(decodePsbtBytes(bytes).outputs[1]?.dnssecProof).toEqual({
      name: Uint8Array.of(0x61),
      proof: new Uint8Array(0),
    });
  });

  test.each(faults.filter(([, reason]) => reason === 'signature-encoding'))('%s is accepted by 0.21', (...fault) => {
    const { bytes } = placed(0, 'input', [fault[5], fault[6].replace('|', '')]);
    expect(decodePsbtBytes(bytes, { generation: 'core-0.21' }).inputs[1]?.partialSigs).toHaveLength(1);
  });

  test.each([
    ['one leaf', leaf(0)],
    ['two leaves', tree(1, 1)],
    ['four leaves', tree(2, 2, 2, 2)],
    ['a chain to the right', tree(1, 2, 3, 3)],
    ['a chain to the left', tree(3, 3, 2, 1)],
    ['a chain to depth 128', chain(128)],
    ['even leaf versions', leaf(1, '00') + leaf(1, 'fe')],
  ])('a tree of %s is accepted', (_, value) => {
    expect(decodePsbtBytes(placed(0, 'output', ['06', value]).bytes).outputs[1]?.tapTree).toBeDefined();
  });

  test.each([
    ['a tree that ends after a depth', '00', '|'],
    ['a tree that ends after a leaf version', '00c0', '|'],
    ['a tree whose script runs past it', '00c002|51', ''],
    ['a tree whose last leaf is cut off', `${leaf(1)}01`, '|'],
  ])('%s is refused where it ends', (name, value, end) => {
    const data = { version: 0, map: 'output', field: 'tapTree', code: 'bytes/end-of-data' } as const;
    expectRowRefused({ ...data, data: { isPart: true }, name, records: [['06', value + end]] });
  });

  test.each([
    ['proprietary record of no identifier', 'fc|'],
    ['proprietary record whose identifier runs past its key', 'fc05|abcd'],
    ['proprietary record without subtype', 'fc02abcd|'],
    ['proprietary record whose subtype is cut off', 'fc00fd|01'],
  ])('a %s is refused', (name, key) => {
    for (const map of ['global', 'input', 'output'] as const) {
      const row = { name, version: 0, map, field: 'proprietary', code: 'bytes/end-of-data' } as const;
      expectRowRefused({ ...row, data: { isPart: true }, records: [[key, '']] });
    }
  });
});

describe('transactions in records', () => {
  const input = txIn(outpoint(HASH, 0));
  const output = txOut(1, '51');
  const inside: readonly (readonly [string, ErrorCode, string, object])[] = [
    ['whose witnesses are all empty', 'tx/superfluous-witness', `${u32(2)}000101${input}01${output}00|${u32(0)}`, {}],
    ['with flag 02', 'tx/unknown-optional-data', `${u32(2)}000201${input}01${output}|${u32(0)}`, { flags: 2 }],
    ['with flags 03', 'tx/unknown-optional-data', `${u32(2)}000301${input}01${output}0100|${u32(0)}`, { flags: 3 }],
    ['with flags ff', 'tx/unknown-optional-data', `${u32(2)}00ff01${input}01${output}010000|${u32(0)}`, { flags: 255 }],
    ['that is a HogEx without output', 'tx/hogex-without-output', `${u32(2)}000801${input}0000|${u32(0)}`, {}],
    ['with an extension block body', 'tx/mweb-body', `${u32(2)}000801${input}01${output}01|${u32(0)}`, {}],
  ];
  test.each(inside)('a previous transaction %s is refused', (name, code, value, data) => {
    expectRowRefused({ name, version: 0, map: 'input', field: 'nonWitnessUtxo', records: [['00', value]], code, data });
  });

  test('the MWEB flag is unknown on chains without MWEB', () => {
    const { bytes, offset } = placed(0, 'input', ['00', `${u32(2)}000801${input}01${output}|00${u32(0)}`]);
    const place = { map: 'input', index: 1, record: 1, field: 'nonWitnessUtxo', offset, flags: 8 };
    expectRefusal(() => decodePsbtBytes(bytes), 'tx/unknown-optional-data', place);
  });

  test.each([
    ['first', 0, tx([txIn(outpoint(HASH, 0), '51'), input], [])],
    ['second', 1, tx([input, txIn(outpoint(HASH, 0), '00')], [])],
  ])('an unsigned transaction with a scriptSig in its %s input is refused', (_, inputIndex, signed) => {
    for (const generation of GENERATIONS) {
      const run = (): Psbt => decodePsbtBytes(wire(mapOf(['00', signed]), mapOf(), mapOf()).bytes, { generation });
      expectRefusal(run, 'psbt/unsigned-tx-signed', { inputIndex });
    }
  });

  test('an unsigned transaction in the BIP144 format is refused', () => {
    const extended = `${u32(2)}000101${input}01${output}0101aa${u32(0)}`;
    const error = refusalOf(() => decodePsbtBytes(wire(mapOf(['00', extended]), mapOf(), mapOf()).bytes));
    expect(error.code).toBe('bytes/end-of-data');
  });

  test('a previous transaction with another txid is refused', () => {
    const other = tx([txIn(outpoint(HASH, 1))], [txOut(5000, P2WPKH), txOut(6000, P2WPKH)]);
    for (const version of [0, 2] as const) {
      const run = (): Psbt => decodePsbtBytes(placed(version, 'input', ['00', other]).bytes);
      expectRefusal(run, 'psbt/utxo-txid-mismatch', { inputIndex: 1 });
    }
  });

  test('a previous transaction is identified by its txid, not its wtxid', () => {
    const stripped = tx([txIn(outpoint(HASH, 1))], [txOut(1, '51')]);
    const witnessed = `${u32(2)}0001${stripped.slice(8, -8)}0101aa${u32(0)}`;
    const unsigned = tx([txIn(outpoint(txidHex(stripped), 0))], []);
    const good = wire(mapOf(['00', unsigned]), mapOf(['00', witnessed]));
    expect(decodePsbtBytes(good.bytes).inputs).toHaveLength(1);
    const wrong = wire(mapOf(['00', tx([txIn(outpoint(txidHex(witnessed), 0))], [])]), mapOf(['00', witnessed]));
    expectRefusal(() => decodePsbtBytes(wrong.bytes), 'psbt/utxo-txid-mismatch', { inputIndex: 0 });
  });

  test.each([2, 3, 0xffffffff])('output %i of a previous transaction with two is refused', (vout) => {
    const data = { inputIndex: 0, vout, outputs: 2 };
    const v0 = wire(mapOf(['00', tx([txIn(outpoint(PREVIOUS_TXID, vout))], [])]), mapOf(['00', PREVIOUS]));
    for (const generation of GENERATIONS) {
      expectRefusal(() => decodePsbtBytes(v0.bytes, { generation }), 'psbt/utxo-index', data);
    }
    const v2 = placed(2, 'input', ['00', PREVIOUS], ['0e', PREVIOUS_TXID], ['0f', u32(vout)]);
    expectRefusal(() => decodePsbtBytes(v2.bytes), 'psbt/utxo-index', { ...data, inputIndex: 1 });
  });

  test('without a previous transaction, txid and output are not checked', () => {
    const unsigned = tx([txIn(outpoint(HASH, 0xffffffff))], []);
    const { bytes } = wire(mapOf(['00', unsigned]), mapOf(['01', txOut(1, '51')]));
    expect(decodePsbtBytes(bytes).inputs[0]?.witnessUtxo?.value).toBe(1n);
  });
});

describe('the framing', () => {
  const GLOBAL = mapOf(['00', UNSIGNED]);
  const place = { map: 'global', index: 0, record: 0, field: 'unknown' };
  const short: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['one byte', '70'],
    ['four bytes of the magic', '70736274'],
    ['four other bytes', '00000000'],
  ];
  test.each(short)('%s is refused as too short', (_, hex) => {
    expectRefusal(() => decodePsbtBytes(bytesOf(hex)), 'bytes/end-of-data', { ...place, offset: 0 });
  });

  test.each(['70736274fe', '0070736274ff', '50534254ff', '02000000000000'])('magic %s is refused', (hex) => {
    expectRefusal(() => decodePsbtBytes(bytesOf(hex)), 'psbt/magic', { offset: 0 });
  });

  const separators: readonly (readonly [string, PsbtMapKind, number, Marked])[] = [
    ['the global map, empty', 'global', 0, wire('|')],
    ['the global map', 'global', 0, wire(openMap(['00', UNSIGNED]), '|')],
    ['the first input map', 'input', 0, wire(GLOBAL, openMap(['f1', '']), '|')],
    ['the second input map', 'input', 1, wire(GLOBAL, mapOf(), openMap(['f1', '']), '|')],
    ['the first output map', 'output', 0, wire(GLOBAL, mapOf(), mapOf(), openMap(['f1', '']), '|')],
    ['the second output map', 'output', 1, wire(GLOBAL, mapOf(), mapOf(), mapOf(), openMap(['f1', '']), '|')],
  ];
  test.each(separators)('a missing separator of %s is refused', (_, map, index, psbt) => {
    for (const generation of GENERATIONS) {
      const run = (): Psbt => decodePsbtBytes(psbt.bytes, { generation });
      expectRefusal(run, 'psbt/separator-missing', withOffset(psbt, { map, index }));
    }
  });

  const counts: readonly (readonly [string, 'input' | 'output', number, Marked])[] = [
    ['no input map', 'input', 0, wire(GLOBAL, '|')],
    ['one input map of two', 'input', 1, wire(GLOBAL, mapOf(), '|')],
    ['no output map', 'output', 0, wire(GLOBAL, mapOf(), mapOf(), '|')],
    ['one output map of two', 'output', 1, wire(GLOBAL, mapOf(), mapOf(), mapOf(), '|')],
  ];
  test.each(counts)('%s is refused', (_, map, found, psbt) => {
    for (const generation of GENERATIONS) {
      const run = (): Psbt => decodePsbtBytes(psbt.bytes, { generation });
      expectRefusal(run, 'psbt/map-count', withOffset(psbt, { map, expected: 2, found }));
    }
  });

  const v2Global = (inputs: string, outputs: string): string =>
    mapOf(['02', u32(2)], ['04', inputs], ['05', outputs], ['fb', u32(2)]);
  const v2Input = mapOf(...essentials(2, 'input'));
  const v2Counts: readonly (readonly [string, 'input' | 'output', number, number, Marked])[] = [
    ['32 MiB of inputs', 'input', 0x02000000, 0, wire(v2Global('fe00000002', '00'), '|')],
    ['32 MiB of outputs', 'output', 0x02000000, 0, wire(v2Global('00', 'fe00000002'), '|')],
    ['two inputs', 'input', 2, 1, wire(v2Global('02', '00'), v2Input, '|')],
    ['one output', 'output', 1, 0, wire(v2Global('01', '01'), v2Input, '|')],
  ];
  test.each(v2Counts)('version 2 that counts %s and has fewer is refused', (_, map, expected, found, psbt) => {
    expectRefusal(() => decodePsbtBytes(psbt.bytes), 'psbt/map-count', withOffset(psbt, { map, expected, found }));
  });

  test.each(['00', '70', '70736274ff', repeat('00', 400)])('%s after the last map is refused', (extra) => {
    for (const version of [0, 2] as const) {
      const full = fullPsbt(version);
      const bytes = Uint8Array.from([...full, ...bytesOf(extra)]);
      const data = { offset: full.length, extra: extra.length / 2 };
      expectRefusal(() => decodePsbtBytes(bytes), 'psbt/trailing', data);
    }
  });

  test('a transaction without inputs and outputs needs no maps', () => {
    const { bytes } = wire(mapOf(['00', tx([], [])]));
    for (const generation of GENERATIONS) expect(decodePsbtBytes(bytes, { generation }).inputs).toEqual([]);
    expect(decodePsbtBytes(wire(v2Global('00', '00')).bytes).outputs).toEqual([]);
  });

  test('a view into a larger buffer is read at its own offset', () => {
    const inner = fullPsbt(0);
    const outer = new Uint8Array(inner.length + 20).fill(0xff);
    outer.set(inner, 7);
    expect(decodePsbtBytes(outer.subarray(7, 7 + inner.length))).toEqual(decodePsbtBytes(inner));
  });
});

describe('a valid PSBT truncated after any byte', () => {
  const wholes: readonly (readonly [string, Uint8Array, PsbtGeneration])[] = [
    ['of version 0 by all BIPs', fullPsbt(0), 'bips'],
    ['of version 2 by all BIPs', fullPsbt(2), 'bips'],
    ['of version 0 by Core 31', fullPsbt(0, 'core-32'), 'core-32'],
    ['of version 2 by Core 31', fullPsbt(2, 'core-32'), 'core-32'],
    ['of version 0 by Core 0.21', fullPsbt(0, 'core-0.21'), 'core-0.21'],
  ];
  test.each(wholes)('%s is refused', (_, whole, generation) => {
    const codes = new Set<string>();
    for (let end = 0; end < whole.length; end += 1) {
      const error = refusalOf(() => decodePsbtBytes(whole.subarray(0, end), { generation }));
      codes.add(error.code);
      const { offset } = error.data as { offset?: number };
      if (offset !== undefined && offset > end) expect.fail(`offset ${offset} lies behind the end ${end}`);
    }
    expect([...codes].sort()).toEqual(['bytes/end-of-data', 'psbt/map-count', 'psbt/separator-missing']);
  });
});

describe('versions', () => {
  const withVersion = (bytes: string): Marked => placed(0, 'global', ['fb', bytes]);

  test.each([1, 2, 3])('%i is refused with the versions that the generation knows', (version) => {
    const { bytes } = withVersion(`${u32(version)}|`);
    const text = (generation: PsbtGeneration) => refusalOf(() => decodePsbtBytes(bytes, { generation })).message;
    const known = 'the generation knows only version 0';
    for (const old of ['core-29', 'core-30', 'core-31'] as const) {
      expect(text(old)).toBe(`PSBT version ${version} is not supported, ${known}`);
    }
    if (version === 3) expect(text('core-32')).toBe('PSBT version 3 is not supported, only 0 and 2 are');
  });

  test.each([3, 4, 0x80000000, 0xffffffff])('%i is refused', (version) => {
    const psbt = withVersion(`${u32(version)}|`);
    for (const generation of ['core-32', 'bips'] as const) {
      const place = { map: 'global', index: 0, record: 1, field: 'version', version };
      expectRefusal(
        () => decodePsbtBytes(psbt.bytes, { generation }),
        'psbt/version-unsupported',
        withOffset(psbt, place),
      );
    }
    expect(() => decodePsbtBytes(psbt.bytes, { generation: 'core-0.21' })).not.toThrow();
  });

  test('1 is refused, whatever else the global map holds', () => {
    const v1 = ['fb', u32(1)] as const;
    const psbts = [
      withVersion(u32(1)),
      wire(mapOf(v1)),
      placed(2, 'global', v1),
      placed(0, 'global', v1, ['02', u32(2)]),
    ];
    for (const { bytes } of psbts)
      expectRefusal(() => decodePsbtBytes(bytes), 'psbt/version-undefined', { version: 1 });
  });

  test('0 may be written', () => {
    expect(decodePsbtBytes(withVersion(u32(0)).bytes).global.version).toBe(0);
  });

  const forbidden = FIELDS.filter(({ versions }) => versions === 'v2');
  test.each(forbidden.map((known) => [known.map, known.field, known] as const))(
    'version 0 may not have %s %s',
    (map, field, { key, value }) => {
      const psbt = placed(0, map, [key, value]);
      const data = { map, index: psbt.index, field, version: 0 };
      expectRefusal(() => decodePsbtBytes(psbt.bytes), 'psbt/field-not-allowed', data);
    },
  );

  test('version 2 may not have an unsigned transaction', () => {
    const data = { map: 'global', index: 0, field: 'unsignedTx', version: 2 };
    expectRefusal(() => decodePsbtBytes(placed(2, 'global', ['00', UNSIGNED]).bytes), 'psbt/field-not-allowed', data);
  });

  test('version 0 must have an unsigned transaction', () => {
    const data = { map: 'global', index: 0, field: 'unsignedTx', version: 0 };
    for (const generation of GENERATIONS) {
      expectRefusal(() => decodePsbtBytes(wire(mapOf()).bytes, { generation }), 'psbt/field-required', data);
      const other = wire(mapOf(['f1', '']));
      expectRefusal(() => decodePsbtBytes(other.bytes, { generation }), 'psbt/field-required', data);
    }
  });

  const required: readonly (readonly [PsbtMapKind, string, string])[] = [
    ['global', 'txVersion', '02'],
    ['global', 'inputCount', '04'],
    ['global', 'outputCount', '05'],
    ['input', 'previousTxid', '0e'],
    ['input', 'outputIndex', '0f'],
    ['output', 'amount', '03'],
    ['output', 'script', '04'],
  ];
  test.each(required)('version 2 must have %s %s', (map, field, type) => {
    const without = (kind: PsbtMapKind): string =>
      mapOf(...essentials(2, kind).filter(([key]) => kind !== map || key !== type));
    const plain = (kind: PsbtMapKind): string => mapOf(...essentials(2, kind));
    const psbt = wire(without('global'), plain('input'), without('input'), plain('output'), without('output'));
    const data = { map, index: map === 'global' ? 0 : 1, field, version: 2 };
    for (const generation of ['core-32', 'bips'] as const) {
      expectRefusal(() => decodePsbtBytes(psbt.bytes, { generation }), 'psbt/field-required', data);
    }
  });

  test('the first fault in the global map is reported in the order of Core', () => {
    const at = { map: 'global', index: 0 };
    const run =
      (...records: readonly Rec[]) =>
      () =>
        decodePsbtBytes(wire(mapOf(...records)).bytes);
    expectRefusal(run(['fb', u32(2)], ['00', UNSIGNED]), 'psbt/field-required', {
      ...at,
      field: 'txVersion',
      version: 2,
    });
    expectRefusal(run(['fb', u32(2)], ['02', u32(2)]), 'psbt/field-required', {
      ...at,
      field: 'inputCount',
      version: 2,
    });
    expectRefusal(run(['02', u32(2)], ['04', '00']), 'psbt/field-required', { ...at, field: 'unsignedTx', version: 0 });
    const all: readonly Rec[] = [
      ['00', UNSIGNED],
      ['06', '00'],
      ['05', '00'],
      ['04', '00'],
      ['03', u32(0)],
    ];
    expectRefusal(run(...all), 'psbt/field-not-allowed', { ...at, field: 'fallbackLocktime', version: 0 });
  });

  test('a silent payment output needs no script, but only where BIP375 is known', () => {
    const output = mapOf(['03', repeat('00', 8)], ['09', KEY + KEY_2]);
    const global = mapOf(['02', u32(2)], ['04', '00'], ['05', '01'], ['fb', u32(2)]);
    const { bytes } = wire(global, output);
    expect(decodePsbtBytes(bytes).outputs[0]?.script).toBeUndefined();
    const data = { map: 'output', index: 0, field: 'script', version: 2 };
    expectRefusal(() => decodePsbtBytes(bytes, { generation: 'core-32' }), 'psbt/field-required', data);
    const { bytes: withoutAmount } = wire(global, mapOf(['09', KEY + KEY_2]));
    const amount = { ...data, field: 'amount' };
    expectRefusal(() => decodePsbtBytes(withoutAmount), 'psbt/field-required', amount);
  });

  test('a record of another version is refused before its value is read', () => {
    const { bytes } = placed(0, 'input', '0110feffffffff');
    const data = { map: 'input', index: 1, field: 'sequence', version: 0 };
    expectRefusal(() => decodePsbtBytes(bytes), 'psbt/field-not-allowed', data);
  });
});

describe('sizes and counts', () => {
  const input = txIn(outpoint(HASH, 0));
  const output = txOut(1, '51');
  const inValue = (version: Version, map: PsbtMapKind, field: string, key: string, before: string) =>
    ({ version, map, field, at: (written: string): Rec => [key, `${before}${written}|`] }) as const;
  const raw = (map: PsbtMapKind, field: string, before: string) =>
    ({ version: 0, map, field, at: (written: string): Rec => `${before}${written}|` }) as const;
  const inKey = (map: PsbtMapKind, field: string, before: string) =>
    ({ version: 0, map, field, at: (written: string): Rec => [`${before}${written}|`, ''] }) as const;
  const maps = ['global', 'input', 'output'] as const;

  const places = [
    ...maps.map((map) => ({ name: `${map} key length`, ...raw(map, 'unknown', '') })),
    ...maps.map((map) => ({ name: `${map} key type`, ...inKey(map, 'unknown', '') })),
    ...maps.map((map) => ({ name: `${map} unknown value length`, ...raw(map, 'unknown', '01f1') })),
    ...maps.map((map) => ({ name: `${map} proprietary identifier length`, ...inKey(map, 'proprietary', 'fc') })),
    ...maps.map((map) => ({ name: `${map} proprietary subtype`, ...inKey(map, 'proprietary', 'fc01aa') })),
    { name: 'xpub value length', ...raw('global', 'xpubs', sized(`01${XPUB}`)) },
    { name: 'signature value length', ...raw('input', 'partialSigs', sized(`02${KEY}`)) },
    { name: 'hash type value length', ...raw('input', 'sighashType', '0103') },
    { name: 'script value length', ...raw('output', 'redeemScript', '0100') },
    { name: 'tree value length', ...raw('output', 'tapTree', '0106') },
    { name: 'unsigned input count', ...inValue(0, 'global', 'unsignedTx', '00', u32(2)) },
    {
      name: 'unsigned scriptSig length',
      ...inValue(0, 'global', 'unsignedTx', '00', `${u32(2)}01${outpoint(HASH, 0)}`),
    },
    { name: 'unsigned output count', ...inValue(0, 'global', 'unsignedTx', '00', `${u32(2)}01${input}`) },
    {
      name: 'unsigned script length',
      ...inValue(0, 'global', 'unsignedTx', '00', `${u32(2)}01${input}01${repeat('00', 8)}`),
    },
    { name: 'input count', ...inValue(2, 'global', 'inputCount', '04', '') },
    { name: 'output count', ...inValue(2, 'global', 'outputCount', '05', '') },
    { name: 'previous input count', ...inValue(0, 'input', 'nonWitnessUtxo', '00', u32(2)) },
    { name: 'previous input count behind the marker', ...inValue(0, 'input', 'nonWitnessUtxo', '00', `${u32(2)}0001`) },
    { name: 'previous output count', ...inValue(0, 'input', 'nonWitnessUtxo', '00', `${u32(2)}01${input}`) },
    {
      name: 'previous witness count',
      ...inValue(0, 'input', 'nonWitnessUtxo', '00', `${u32(2)}000101${input}01${output}`),
    },
    {
      name: 'previous witness item',
      ...inValue(0, 'input', 'nonWitnessUtxo', '00', `${u32(2)}000101${input}01${output}01`),
    },
    { name: 'witness UTXO script length', ...inValue(0, 'input', 'witnessUtxo', '01', repeat('00', 8)) },
    { name: 'final witness count', ...inValue(0, 'input', 'finalScriptWitness', '08', '') },
    { name: 'final witness item', ...inValue(0, 'input', 'finalScriptWitness', '08', '0201aa') },
    { name: 'input leaf hash count', ...inValue(0, 'input', 'tapBip32Derivations', `16${X_ONLY}`, '') },
    { name: 'output leaf hash count', ...inValue(0, 'output', 'tapBip32Derivations', `07${X_ONLY}`, '') },
    { name: 'tree script length', ...inValue(0, 'output', 'tapTree', '06', '00c0') },
  ];

  const notMinimal = [
    'fd0000',
    'fd0100',
    'fdfc00',
    'fe00000000',
    'fefd000000',
    'feffff0000',
    'ff0000000000000000',
    'ff0000010000000000',
    'ffffffffff00000000',
  ];
  const tooLarge = ['fe01000002', 'feffffffff', 'ff0000000001000000', 'ff0000000000000080', 'ffffffffffffffffff'];
  const rows = places.flatMap(({ name, version, map, field, at }) => [
    ...notMinimal.map((written): Row => {
      return {
        name: `${name} ${written}`,
        version,
        map,
        field,
        records: [at(written)],
        code: 'bytes/size-not-minimal',
      };
    }),
    ...tooLarge.map((written): Row => {
      return { name: `${name} ${written}`, version, map, field, records: [at(written)], code: 'bytes/size-too-large' };
    }),
  ]);
  test.each(byName(rows))('%s is refused', (_, row) => {
    expectRowRefused(row);
  });

  test.each(byName(places))('the largest %s is refused at the end of the data', (_, { version, map, at }) => {
    const { bytes } = placed(version, map, at('fe00000002'));
    // A key type and a subtype may be as large, so that those records are valid; the other places claim 32 MiB.
    const kept = refusalIfAny(() => decodePsbtBytes(bytes));
    if (kept) expect(kept.code).toMatch(/^bytes\/end-of-data$|^psbt\/(map-count|value-size|field-required)$/);
  });

  test('a key type of several bytes is unknown to newer nodes, and its first byte is the type to 0.21', () => {
    const { bytes } = placed(0, 'input', ['fdff00', 'aa'], ['fd0300', 'bb']);
    const data = { map: 'input', index: 1, record: 2, field: 'unknown', offset: expect.any(Number) };
    expectRefusal(() => decodePsbtBytes(bytes), 'bytes/size-not-minimal', data);
    expect(decodePsbtBytes(bytes, { generation: 'core-0.21' }).inputs[1]?.unknown).toHaveLength(3);
  });
});

describe('encoding', () => {
  const unsignedTx = { version: 2, inputs: [], outputs: [], locktime: 0 };
  const txid = parseTxid(HASH);
  const v2 = (inputs: Psbt['inputs'], outputs: Psbt['outputs'] = []): Psbt => ({
    global: { txVersion: 2, version: 2 },
    inputs,
    outputs,
  });
  const spent = { previousTxid: txid, outputIndex: 0 };
  const at = (map: PsbtMapKind, index: number, field: string, version: number) => ({ map, index, field, version });
  const rows: readonly (readonly [string, Psbt, ErrorCode, object])[] = [
    ['nothing', { global: {}, inputs: [], outputs: [] }, 'psbt/field-required', at('global', 0, 'unsignedTx', 0)],
    [
      'version 2 and nothing',
      { global: { version: 2 }, inputs: [], outputs: [] },
      'psbt/field-required',
      at('global', 0, 'txVersion', 2),
    ],
    [
      'version 1',
      { global: { unsignedTx, version: 1 }, inputs: [], outputs: [] },
      'psbt/version-undefined',
      { version: 1 },
    ],
    [
      'version 3',
      { global: { txVersion: 2, version: 3 }, inputs: [], outputs: [] },
      'psbt/version-unsupported',
      expect.objectContaining({ version: 3 }),
    ],
    [
      'both formats',
      { global: { unsignedTx, txVersion: 2, version: 2 }, inputs: [], outputs: [] },
      'psbt/field-not-allowed',
      at('global', 0, 'unsignedTx', 2),
    ],
    [
      'a transaction version in version 0',
      { global: { unsignedTx, txVersion: 2 }, inputs: [], outputs: [] },
      'psbt/field-not-allowed',
      at('global', 0, 'txVersion', 0),
    ],
    [
      'an input too many',
      { global: { unsignedTx }, inputs: [{}], outputs: [] },
      'psbt/map-count',
      { offset: 0, map: 'input', expected: 0, found: 1 },
    ],
    [
      'an output too many',
      { global: { unsignedTx }, inputs: [], outputs: [{}] },
      'psbt/map-count',
      { offset: 0, map: 'output', expected: 0, found: 1 },
    ],
    [
      'an input without txid',
      v2([spent, { outputIndex: 0 }]),
      'psbt/field-required',
      at('input', 1, 'previousTxid', 2),
    ],
    ['an input without index', v2([{ previousTxid: txid }]), 'psbt/field-required', at('input', 0, 'outputIndex', 2)],
    ['an output without amount', v2([], [{ script: txid }]), 'psbt/field-required', at('output', 0, 'amount', 2)],
    ['an output without script', v2([], [{ amount: 1n }]), 'psbt/field-required', at('output', 0, 'script', 2)],
    [
      'an index above 32 bits',
      v2([{ ...spent, outputIndex: 2 ** 32 }]),
      'bytes/out-of-range',
      { what: 'u32', value: '4294967296' },
    ],
    ['an index below zero', v2([{ ...spent, outputIndex: -1 }]), 'bytes/out-of-range', { what: 'u32', value: '-1' }],
    ['an index and a half', v2([{ ...spent, outputIndex: 1.5 }]), 'bytes/out-of-range', { what: 'u32', value: '1.5' }],
    [
      'an index that is no number',
      v2([{ ...spent, outputIndex: Number.NaN }]),
      'bytes/out-of-range',
      { what: 'u32', value: 'NaN' },
    ],
    [
      'flags above a byte',
      { global: { txVersion: 2, version: 2, txModifiable: 256 }, inputs: [], outputs: [] },
      'bytes/out-of-range',
      { what: 'u8', value: '256' },
    ],
    [
      'an amount of 2^63',
      v2([], [{ amount: 2n ** 63n, script: txid }]),
      'bytes/out-of-range',
      { what: 'i64', value: '9223372036854775808' },
    ],
    [
      'a short root',
      v2([{ ...spent, tapMerkleRoot: new Uint8Array(31) }]),
      'bytes/out-of-range',
      { what: '32 bytes', value: '31 bytes' },
    ],
    [
      'a long fingerprint',
      v2([{ ...spent, bip32Derivations: [{ pubkey: bytesOf(KEY), fingerprint: new Uint8Array(5), path: [] }] }]),
      'bytes/out-of-range',
      { what: '4 bytes', value: '5 bytes' },
    ],
    [
      'a DNS name of 256 bytes',
      v2([], [{ amount: 1n, script: txid, dnssecProof: { name: new Uint8Array(256), proof: txid } }]),
      'bytes/out-of-range',
      { what: 'u8', value: '256' },
    ],
  ];
  test.each(rows)('%s is refused', (_, psbt, code, data) => {
    expectRefusal(() => encodePsbt(psbt), code, data);
  });

  // An empty key would be written as the end of the map.
  test.each(['global', 'inputs', 'outputs'] as const)('an unknown record without a key in %s is refused', (where) => {
    const unknown = [{ key: new Uint8Array(0), value: bytesOf('aa') }];
    const good = v2([spent], [{ amount: 1n, script: txid }]);
    const psbt: Psbt = {
      global: { ...good.global, ...(where === 'global' && { unknown }) },
      inputs: [{ ...spent, ...(where === 'inputs' && { unknown }) }],
      outputs: [{ amount: 1n, script: txid, ...(where === 'outputs' && { unknown }) }],
    };
    expect(() => encodePsbt(good)).not.toThrow();
    refusalOf(() => encodePsbt(psbt));
  });

  const height = { ...spent, requiredHeightLocktime: 5 };
  const time = { ...spent, requiredTimeLocktime: 500_000_005 };
  const both = { ...height, ...time };
  test('locktimes that exclude each other are refused, naming the first input that requires a time only', () => {
    const psbt = v2([spent, height, both, time, time]);
    for (const run of [determineLocktime, unsignedTransaction, toPsbtV0]) {
      expectRefusal(() => run(psbt), 'psbt/locktime-conflict', { inputIndex: 3 });
    }
  });

  test.each([
    ['none is the fallback', [spent], 7],
    ['heights are the highest', [height, { ...spent, requiredHeightLocktime: 9 }, spent], 9],
    ['times are the latest', [time, spent], 500_000_005],
    ['both is a height', [both, spent], 5],
    ['both beside a time is the time', [both, time], 500_000_005],
    ['both beside a height is the height', [height, both], 5],
  ])('of required locktimes, %s', (_, inputs, locktime) => {
    const { global } = v2([]);
    expect(determineLocktime({ global: { ...global, fallbackLocktime: 7 }, inputs, outputs: [] })).toBe(locktime);
  });

  test.each([
    ['txVersion', { ...v2([]), global: { version: 2 } }, 'global'],
    ['previousTxid', v2([{ outputIndex: 0 }]), 'input'],
    ['outputIndex', v2([{ previousTxid: txid }]), 'input'],
    ['amount', v2([], [{ script: txid }]), 'output'],
    ['script', v2([], [{ amount: 1n }]), 'output'],
  ] as const)('no transaction can be made without %s', (field, psbt, map) => {
    expectRefusal(() => unsignedTransaction(psbt), 'psbt/field-required', at(map, 0, field, 2));
  });
});

/** The refusals of roles, which the tests of those roles check. */
type OfRoles =
  | 'psbt/unrecognized'
  | 'psbt/no-coin'
  | 'psbt/not-modifiable'
  | 'psbt/empty'
  | 'psbt/different'
  | 'psbt/not-final'
  | 'psbt/duplicate-input'
  | 'psbt/silent-payment'
  | 'psbt/not-v0';

test('the rows above cover every error code of a PSBT and every fault of a value', () => {
  const codes: Record<Exclude<Extract<ErrorCode, `psbt/${string}`>, OfRoles>, true> = {
    'psbt/magic': true,
    'psbt/trailing': true,
    'psbt/separator-missing': true,
    'psbt/map-count': true,
    'psbt/duplicate-key': true,
    'psbt/key-size': true,
    'psbt/key-invalid': true,
    'psbt/value-size': true,
    'psbt/value-invalid': true,
    'psbt/version-unsupported': true,
    'psbt/version-undefined': true,
    'psbt/unsigned-tx-signed': true,
    'psbt/field-not-allowed': true,
    'psbt/field-required': true,
    'psbt/utxo-txid-mismatch': true,
    'psbt/utxo-index': true,
    'psbt/locktime-conflict': true,
  };
  // No code throws `text`.
  const faults: Record<Exclude<PsbtValueFault, 'text'>, true> = {
    'signature-encoding': true,
    'too-short': true,
    'too-long': true,
    empty: true,
    'key-path-length': true,
    'taproot-path-length': true,
    pubkey: true,
    'participant-pubkey': true,
    'participants-length': true,
    'not-66-bytes': true,
    'time-locktime': true,
    'height-locktime': true,
    'zero-height': true,
    'tree-depth': true,
    'tree-leaf-version': true,
    'tree-malformed': true,
  };
  const others = [
    'bytes/end-of-data',
    'bytes/size-not-minimal',
    'bytes/size-too-large',
    'bytes/out-of-range',
    'tx/superfluous-witness',
    'tx/unknown-optional-data',
    'tx/hogex-without-output',
    'tx/mweb-body',
  ];
  expect([...met].sort()).toEqual([...Object.keys(codes), ...others].sort());
  expect([...metFaults].sort()).toEqual(Object.keys(faults).sort());
});
