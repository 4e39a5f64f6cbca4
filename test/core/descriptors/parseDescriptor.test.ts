import { describe, expect, test } from 'vitest';
import { SECRETS, withKeys } from '../../support/descriptorKeys.ts';
import { type BtcError, networks, parseDescriptor, withChecksum } from '../../support/library.ts';
import { refusalOf } from '../../support/refusal.ts';

const refuse = (text: string): BtcError => refusalOf(() => parseDescriptor(text, networks.main));
const reasonOf = (text: string): unknown => (refuse(text).data as { readonly reason?: string }).reason;
/** Returns every text of an error that a log could contain. */
const logged = (error: BtcError): string =>
  [error.message, error.stack, JSON.stringify(error), String(error.cause)].join('\n');

/** A descriptor with named keys, and the error of Core 31, where `KEY` is a key that is shown only if it is public. */
type Row = readonly [text: string, reason: string];

const X = withKeys('$short:x', 'public');
const B = '03dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659';
const C = '023590a94e768f8e1815c2f24b4d80a8e3149316c3518ce7b7ad338368d038ca66';
const HYBRID = withKeys('$long', 'public').replace(/^04/, '07');

// Bitcoin Core's descriptor_tests, BIP380 to BIP383 and BIP386; errors that those lack, from descriptor.cpp.
const KEYS: readonly Row[] = [
  // Unlike Core, we do not show digits that might be a private key.
  [`sh(wpkh(${withKeys('$short', 'public').slice(0, -2)}))`, "wpkh(): Pubkey '...' is invalid"],
  [`pk(${withKeys('$short', 'public')}00)`, "pk(): Pubkey 'KEY00' is invalid"],
  ["pkh(deadbeef/1/2'/3/4']$short)", "pkh(): Key origin start '[ character expected but not found, got 'd' instead"],
  ["pkh([deadbeef]/1/2'/3/4']$short)", "pkh(): Multiple ']' characters found for a single pubkey"],
  ['wsh(multi(2,[aaaaaaaa][aaaaaaaa]$two/0,$short))', "Multi: Multiple ']' characters found for a single pubkey"],
  ['pk(]$short)', "pk(): Key origin start '[ character expected but not found, got ']' instead"],
  ['wpkh($long)', 'wpkh(): Uncompressed keys are not allowed'],
  ['wsh(pk($long))', 'pk(): Uncompressed keys are not allowed'],
  ['sh(wpkh($long))', 'wpkh(): Uncompressed keys are not allowed'],
  ['tr($long)', 'tr(): Uncompressed keys are not allowed'],
  ['rawtr($long)', 'rawtr(): Uncompressed keys are not allowed'],
  [`tr(${X},pk($long))`, 'pk(): Uncompressed keys are not allowed'],
  [`combo(${HYBRID})`, 'combo(): Hybrid public keys are not allowed'],
  [
    'pk(0623542d61708e3fc48ba78fbe8fcc983ba94a520bc33f82b8e45e51dbc47af2726bcf181925eee1bdd868b109314f3ea92a6fc23d6b66057d3acfba04d6b08b58)',
    'pk(): Hybrid public keys are not allowed',
  ],
  [`pkh(${HYBRID})`, 'pkh(): Hybrid public keys are not allowed'],
  ['combo([012345678]$twoDeep)', 'combo(): Fingerprint is not 4 bytes (9 characters instead of 8 characters)'],
  ['wsh(multi(2,[aaaaaaa]$two/0,$short))', 'Multi: Fingerprint is not 4 bytes (7 characters instead of 8 characters)'],
  ['pk([]$short)', 'pk(): Fingerprint is not 4 bytes (0 characters instead of 8 characters)'],
  ['wsh(multi(2,[aaagaaaa]$two/0,$short))', "Multi: Fingerprint 'aaagaaaa' is not hex"],
  ['wsh(multi(2,[aaaaaaaa],$short))', 'Multi: No key provided'],
  ['pk()', 'pk(): No key provided'],
  ['pk([deadbeef])', 'pk(): No key provided'],
  ['pkh($two/2147483648)', 'pkh(): Key path value 2147483648 is out of range'],
  ['pkh($two/2147483648h)', 'pkh(): Key path value 2147483648 is out of range'],
  ['pkh($two/0002147483648)', 'pkh(): Key path value 2147483648 is out of range'],
  ['pkh($two/4294967295)', 'pkh(): Key path value 4294967295 is out of range'],
  ['pkh($two/4294967296)', "pkh(): Key path value '4294967296' is not a valid uint32"],
  ['pkh($two/1aa)', "pkh(): Key path value '1aa' is not a valid uint32"],
  ['pkh($two/+1)', "pkh(): Key path value '+1' is not a valid uint32"],
  ['pkh($two/-1)', "pkh(): Key path value '-1' is not a valid uint32"],
  ['pkh($two/ 1)', "pkh(): Key path value ' 1' is not a valid uint32"],
  ['pkh($two/)', "pkh(): Key path value '' is not valid"],
  ['pkh($two//1)', "pkh(): Key path value '' is not valid"],
  ['pkh($two/h)', "pkh(): Key path value 'h' is not a valid uint32"],
  ["pkh($two/1h')", "pkh(): Key path value '1h'' is not a valid uint32"],
  ['pkh($two/0x1)', "pkh(): Key path value '0x1' is not a valid uint32"],
  ['pkh($two/*/1)', "pkh(): Key path value '*' is not a valid uint32"],
  ['pkh($two/**)', "pkh(): Key path value '**' is not a valid uint32"],
  // BIP380 lists H both as a hardened marker and as invalid; Core does not accept it.
  ['pkh($two/1H)', "pkh(): Key path value '1H' is not a valid uint32"],
  ['pkh($two/*H)', "pkh(): Key path value '*H' is not a valid uint32"],
  ['pk([deadbeef/0h/0h/0h/*]$short)', "pk(): Key path value '*' is not a valid uint32"],
  ['pk([deadbeef/0h/0h/0h/]$short)', "pk(): Key path value '' is not valid"],
  ['pk([deadbeef/0f/0f/0f]$short)', "pk(): Key path value '0f' is not a valid uint32"],
  ['pk([deadbeef/0H/0H/0H]$short)', "pk(): Key path value '0H' is not a valid uint32"],
  ['pk([deadbeef/-0/-0/-0]$short)', "pk(): Key path value '-0' is not a valid uint32"],
  ['pk([deadbef/0h/0h/0h]$short)', 'pk(): Fingerprint is not 4 bytes (7 characters instead of 8 characters)'],
  ['pk([deadbeeef/0h/0h/0h]$short)', 'pk(): Fingerprint is not 4 bytes (9 characters instead of 8 characters)'],
  ["pk([gaaaaaaa]$two/2147483647'/0)", "pk(): Fingerprint 'gaaaaaaa' is not hex"],
  ["pk(aaaaaaaa]$two/2147483647'/0)", "pk(): Key origin start '[ character expected but not found, got 'a' instead"],
  ['pk(asdf)', "pk(): key 'asdf' is not valid"],
  ['pk(02)', "pk(): Pubkey '02' is invalid"],
  // So many digits may be those of a SeedQR.
  [`pk(${'02'.padEnd(66, '0')})`, "pk(): Pubkey '...' is invalid"],
];

const MULTIPATH: readonly Row[] = [
  ['pkh($two/<0;1>/<2;3>)', 'pkh(): Multiple multipath key path specifiers found'],
  ['pkh($two/<0;1>/<2>/x)', 'pkh(): Multiple multipath key path specifiers found'],
  ['pkh($two/x/<0;1>/<2;3>)', "pkh(): Key path value 'x' is not a valid uint32"],
  ['pkh($two/<0>/<2;3>)', 'pkh(): Multipath key path specifiers must have at least two items'],
  [
    'pkh([deadbeef/<0;1>]$two/0)',
    "pkh(): Key path value '<0;1>' specifies multipath in a section where multipath is not allowed",
  ],
  [
    'tr($another/6/*,{pk($twoDeep/<1;2;3>/0/*),pk($other/0/0/<3;4>/*)})',
    'tr(): Multipath subscripts have mismatched lengths',
  ],
  [
    'tr($another/<6;7;8;9>/*,{pk($twoDeep/<1;2;3>/0/*),pk($other/0/0/<3;4;5>/*)})',
    'tr(): Multipath subscripts have mismatched lengths',
  ],
  [
    'tr($another/<6;7>/*,{pk($twoDeep/<1;2;3>/0/*),pk($other/0/0/<3;4;5>/*)})',
    'tr(): Multipath internal key mismatches multipath subscripts lengths',
  ],
  [
    'sh(multi(2,$twoDeep/<1;2;3>/0/*,$three/0/*,$other/0/0/<3;4>/*))',
    'multi(): Multipath derivation paths have mismatched lengths',
  ],
  [
    "wsh(andor(pk($cosignerA/0'/<0;1;2;3>/*),older(10000),pk($cosignerB/8/<0;1;2>/*)))",
    'Miniscript: Multipath derivation paths have mismatched lengths',
  ],
  ['multi(1,$two/<0;1>,$three/<0;1;2>),x', 'multi(): Multipath derivation paths have mismatched lengths'],
  [`tr(${X},{multi_a(1,$two/<0;1>,$three/<0;1;2>),x})`, 'multi(): Multipath derivation paths have mismatched lengths'],
  [
    `tr(${X},{and_v(v:pk($two/<0;1>),pk($three/<0;1;2>)),x})`,
    'Miniscript: Multipath derivation paths have mismatched lengths',
  ],
  ['wpkh($two/<0>/*)', 'wpkh(): Multipath key path specifiers must have at least two items'],
  ['wpkh($two/<>/*)', 'wpkh(): Multipath key path specifiers must have at least two items'],
  ['wpkh($two/<0/*)', "wpkh(): Key path value '<0' is not a valid uint32"],
  ['wpkh($two/0>/*)', "wpkh(): Key path value '0>' is not a valid uint32"],
  ['wpkh($two/<0;>/*)', "wpkh(): Key path value '' is not valid"],
  ['wpkh($two/<;1>/*)', "wpkh(): Key path value '' is not valid"],
  ['wpkh($two/<0;1;>/*)', "wpkh(): Key path value '' is not valid"],
  ['wpkh($two/<1;1>/*)', 'wpkh(): Duplicated key path value 1 in multipath specifier'],
  ["wpkh($two/<1h;2;1'>/*)", 'wpkh(): Duplicated key path value 2147483649 in multipath specifier'],
  ['wpkh($two/<0;*>)', "wpkh(): Key path value '*' is not a valid uint32"],
  ['wpkh($two/<0;2147483648>)', 'wpkh(): Key path value 2147483648 is out of range'],
];

const MULTISIG: readonly Row[] = [
  ['sh(multi(16,$first16))', 'P2SH script is too large, 547 bytes is larger than 520 bytes'],
  ['sh(multi(16,$first16,$short))', 'P2SH script is too large, 581 bytes is larger than 520 bytes'],
  [
    'sh(sortedmulti(1,$long,$long,$long,$long,$long,$long,$long,$long))',
    'P2SH script is too large, 531 bytes is larger than 520 bytes',
  ],
  ['multi(a,$short,$long)', "Multi threshold 'a' is not valid"],
  ['multi(+1,$short,$long)', "Multi threshold '+1' is not valid"],
  ['multi(-1,$short)', "Multi threshold '-1' is not valid"],
  ['multi(,$short)', "Multi threshold '' is not valid"],
  ['multi(4294967296,$short)', "Multi threshold '4294967296' is not valid"],
  [
    'multi(4294967295,$short)',
    'Multisig threshold cannot be larger than the number of keys; threshold is 4294967295 but only 1 keys specified',
  ],
  [
    'multi(00000000002,$short)',
    'Multisig threshold cannot be larger than the number of keys; threshold is 2 but only 1 keys specified',
  ],
  ['multi(0,$short,$long)', 'Multisig threshold cannot be 0, must be at least 1'],
  [
    'multi(3,$short,$long)',
    'Multisig threshold cannot be larger than the number of keys; threshold is 3 but only 2 keys specified',
  ],
  ['multi(0)()', "Multi: expected ',', got ')'"],
  ['multi(123)', 'Cannot have 0 keys in multisig; must have between 1 and 20 keys, inclusive'],
  ['wsh(multi(2,$first20,$short))', 'Cannot have 21 keys in multisig; must have between 1 and 20 keys, inclusive'],
  [`tr(${X},multi_a(1))`, 'Cannot have 0 keys in multi_a; must have between 1 and 999 keys, inclusive'],
  ['multi(3,$first4)', 'Cannot have 4 pubkeys in bare multisig; only at most 3 pubkeys'],
  ['multi(1,$short,)', 'Multi: No key provided'],
  ['multi_a(1,$first1)', 'Can only have multi_a/sortedmulti_a inside tr()'],
  ['sh(multi_a(1,$first1))', 'Can only have multi_a/sortedmulti_a inside tr()'],
  ['wsh(sortedmulti_a(1,$first1))', 'Can only have multi_a/sortedmulti_a inside tr()'],
  [`tr(${X},multi_a(a,$short))`, "Multi threshold 'a' is not valid"],
  [`tr(${X},multi_a(0,$short))`, 'Multisig threshold cannot be 0, must be at least 1'],
  [`tr(${X},multi_a(1,$long))`, 'Multi: Uncompressed keys are not allowed'],
  [
    `tr(${X},multi_a(3,$short,$first1))`,
    'Multisig threshold cannot be larger than the number of keys; threshold is 3 but only 2 keys specified',
  ],
  [`tr(${X},multi(1,$short))`, 'Can only have multi/sortedmulti at top level, in sh(), or in wsh()'],
];

const NESTING: readonly Row[] = [
  ['sh($short)', 'A function is needed within P2SH'],
  ['wsh($short)', 'A function is needed within P2WSH'],
  ['sh(combo($short))', 'Can only have combo() at top level'],
  ['wsh(wpkh($short))', 'Can only have wpkh() at top level or inside sh()'],
  ['sh(wsh(wpkh($short)))', 'Can only have wpkh() at top level or inside sh()'],
  ['wsh(sh(pk($short)))', 'Can only have sh() at top level'],
  ['sh(sh(pk($short)))', 'Can only have sh() at top level'],
  ['wsh(wsh(pk($short)))', 'Can only have wsh() at top level or inside sh()'],
  ['sh(wsh(wsh(pkh($short))))', 'Can only have wsh() at top level or inside sh()'],
  ['sh(raw(deadbeef))', 'Can only have raw() at top level'],
  ['wsh(raw(deadbeef))', 'Can only have raw() at top level'],
  ['sh(addr(3PUNyaW7M55oKWJ3kDukwk9bsKvryra15j))', 'Can only have addr() at top level'],
  ['wsh(addr(3PUNyaW7M55oKWJ3kDukwk9bsKvryra15j))', 'Can only have addr() at top level'],
  [`sh(tr(${X}))`, 'Can only have tr at top level'],
  [`wsh(tr(${X}))`, 'Can only have tr at top level'],
  [`tr(${X},tr(${X}))`, 'Can only have tr at top level'],
  [`wsh(rawtr(${X}))`, 'Can only have rawtr at top level'],
  [`tr(${X},wpkh($short))`, 'Can only have wpkh() at top level or inside sh()'],
  [`tr(${X},sh(pk($short)))`, 'Can only have sh() at top level'],
  ['pk(pk($short))', "pk(): key 'pk(KEY)' is not valid"],
  ['pkh(pk($short))', "pkh(): key 'pk(KEY)' is not valid"],
  ['wpkh(wsh(pkh($short)))', "wpkh(): key 'wsh(pkh(KEY))' is not valid"],
  ['addr(asdf)', 'Address is not valid'],
  ['addr()', 'Address is not valid'],
  ['addr(mrCDrCybB6J1vRfbwM5hemdJz73FwDBC8r)', 'Address is not valid'],
  ['raw(asdf)', 'Raw script is not hex'],
  ['raw()', 'Raw script is not hex'],
  ['raw(000)', 'Raw script is not hex'],
  [`rawtr($twoDeep/*, $three/*)`, 'rawtr(): only one key expected.'],
  ['', "'' is not a valid descriptor function"],
  ['()', "'()' is not a valid descriptor function"],
  ['foo(bar)', "'foo(bar)' is not a valid descriptor function"],
  [' pk(02)', "' pk(02)' is not a valid descriptor function"],
  ['PK(02)', "'PK(02)' is not a valid descriptor function"],
  ['pk', "'pk' is not a valid descriptor function"],
];

const TREES: readonly Row[] = [
  [`tr(${X}}`, "'tr(...}' is not a valid descriptor function"],
  [`tr(${X})pk(${X})`, "tr: expected ',', got ')'"],
  [`tr(${X}),pk(${X})`, 'Text after the descriptor'],
  [`tr(${X},)`, "'' is not a valid descriptor function"],
  [`tr(${X},{pk(${X}),pk(${X})}})`, "'tr(...,{pk(...),pk(...)}}' is not a valid descriptor function"],
  [`tr(${X},{pk(${X}),pk(${X}),pk(${X})})`, "tr(): expected '}' after script expression"],
  [`tr(${X},{pk(${X})})`, "tr(): expected ',' after script expression"],
  [`tr(${X},pk(${X}),pk(${X}))`, "tr(): expected ')' after script expression"],
  [`tr(${X},{,pk(${X})})`, "'' is not a valid descriptor function"],
  [`tr(${X},${'{'.repeat(128)}x)`, "'x' is not a valid descriptor function"],
  [`tr(${X},${'{'.repeat(129)}x)`, 'tr() supports at most 128 nesting levels'],
];

const miniscript = (text: string): string => text.replaceAll('A', '$a').replaceAll('B', '$b').replaceAll('C', '$c');
const PUBLIC = (text: string): string => withKeys(miniscript(text), 'public');
const MALLEABLE = 'or_b(sha256(cdabb7f2dce7bfbd8a0b9570c6fd1e712e5d64045e9d6b517b3d5072251dc204),s:pk(A))';
const INSANE = 'and_b(vc:andor(pk(A),pk_k(B),and_v(v:older(1),pk_k(C))),after(10))';
const TWICE = 'and_b(or_b(pkh(A),s:pk(B)),s:pk(A))';
const MINISCRIPT: readonly Row[] = [
  [`sh(${INSANE.replace('and_b', 'and_v')})`, 'Miniscript expressions can only be used in wsh or tr.'],
  ['and_v(v:pk(A),pk(B))', 'Miniscript expressions can only be used in wsh or tr.'],
  [
    'wsh(and_v(v:pk(A),pk_k(049228de6902abb4f541791f6d7f925b10e2078ccb1298856e5ea5cc5fd667f930eac37a00cc07f9a91ef3c2d17bf7a17db04552ff90ac312a5b8b4caca6c97aa4)))',
    'Uncompressed keys are not allowed',
  ],
  [
    'wsh(and_v(v:pk(A),pk_k(069228de6902abb4f541791f6d7f925b10e2078ccb1298856e5ea5cc5fd667f930eac37a00cc07f9a91ef3c2d17bf7a17db04552ff90ac312a5b8b4caca6c97aa4)))',
    'Hybrid public keys are not allowed',
  ],
  [`wsh(${INSANE})`, `${PUBLIC(INSANE)} is invalid`],
  ['wsh(and_v(vc:andor(v:pk_k(A),pk_k(B),and_v(v:older(1),pk_k(C))),after(10)))', PUBLIC('v:pk_k(A) is invalid')],
  ['wsh(or_i(older(1),pk(A)))', PUBLIC('or_i(older(1),pk(A)) is not sane: witnesses without signature exist')],
  [`wsh(${MALLEABLE})`, `${PUBLIC(MALLEABLE)} is not sane: malleable witnesses exist`],
  [
    'wsh(and_b(and_b(older(1),a:older(100000000)),s:pk(A)))',
    'and_b(older(1),a:older(100000000)) is not sane: contains mixes of timelocks expressed in blocks and seconds',
  ],
  [`wsh(${TWICE})`, `${PUBLIC(TWICE)} is not sane: contains duplicate public keys`],
  ['wsh(and_v(v:pk(A),0))', PUBLIC('and_v(v:pk(A),0) is not satisfiable')],
  ['wsh(pk(A)', 'A function is needed within P2WSH'],
  ['wsh(and_v(v:pk(A),older(0)))', 'A function is needed within P2WSH'],
];

const SIGNERS = `$threefold,${B},${C}`;
const MUSIG: readonly Row[] = [
  [`pk(musig(${SIGNERS}))`, 'pk(): musig() is only allowed in tr() and rawtr()'],
  [`pkh(musig(${SIGNERS}))`, 'pkh(): musig() is only allowed in tr() and rawtr()'],
  [`wpkh(musig(${SIGNERS}))`, 'wpkh(): musig() is only allowed in tr() and rawtr()'],
  [`combo(musig(${SIGNERS}))`, 'combo(): musig() is only allowed in tr() and rawtr()'],
  [`sh(wpkh(musig(${SIGNERS})))`, 'wpkh(): musig() is only allowed in tr() and rawtr()'],
  [`sh(wsh(pk(musig(${SIGNERS}))))`, 'pk(): musig() is only allowed in tr() and rawtr()'],
  [`wsh(multi(1,musig(${SIGNERS})))`, 'Multi: musig() is only allowed in tr() and rawtr()'],
  [`wsh(musig(${SIGNERS}))`, 'A function is needed within P2WSH'],
  [`sh(musig(${SIGNERS}))`, 'A function is needed within P2SH'],
  [`tr(musig(musig(${SIGNERS})))`, "tr(): Too many ')' in musig() expression"],
  [`tr(musig(${SIGNERS})/0/0)`, 'tr(): musig(): derivation requires all participants to be xpubs or xprvs'],
  ['tr(musig($threefold,$twoDeep)/0/0)', 'tr(): musig(): derivation requires all participants to be xpubs or xprvs'],
  [
    'tr(musig($twoDeep/*,$three)/0/*)',
    'tr(): musig(): Cannot have ranged participant keys if musig() also has derivation',
  ],
  [
    'tr(musig($twoDeep/*,$three/*)/0)',
    'tr(): musig(): Cannot have ranged participant keys if musig() also has derivation',
  ],
  ['tr(musig($twoDeep,$three)/0h/*)', 'tr(): musig(): cannot have hardened derivation steps'],
  ['tr(musig($twoDeep,$three)/<0;1h>/*)', 'tr(): musig(): cannot have hardened derivation steps'],
  ['tr(musig($twoDeep,$three)/0/*h)', 'tr(): musig(): Cannot have hardened child derivation'],
  ["rawtr(musig($twoDeep,$three)/0/*')", 'rawtr(): musig(): Cannot have hardened child derivation'],
  ['tr(musig($twoDeep,$three)/1x)', "tr(): musig(): Key path value '1x' is not a valid uint32"],
  [
    'tr(musig($twoDeep/<0;1>,$three/<2;3>)/<3;4>)',
    'tr(): musig(): Cannot have multipath participant keys if musig() is also multipath',
  ],
  ['tr(musig($twoDeep/<0;1>,$three/<2;3;4>))', 'tr(): musig(): Multipath derivation paths have mismatched lengths'],
  ['tr(musig()/0)', 'tr(): musig(): Must contain key expressions'],
  ['tr(musig($threefold,))', 'tr(): musig(): No key provided'],
  ['tr(musig(asdf))', "tr(): musig(): key 'asdf' is not valid"],
  [`tr(musig(${X}))`, `tr(): musig(): Pubkey '...' is invalid`],
  ['tr(musig(asdf', "'tr(musig(asdf' is not a valid descriptor function"],
  // Found by Core's fuzzers.
  ['pk(musig(dd}uue/00/)k(', "'pk(musig(dd}uue/00/)k(' is not a valid descriptor function"],
  ['tr(musig(tuus(oldepk(gg)ggggfgg)<,z(((((((((((((((((((((st)', "tr(): Too many ')' in musig() expression"],
];

describe.each([
  ['keys', KEYS, 52],
  ['multipath specifiers', MULTIPATH, 24],
  ['multisigs', MULTISIG, 26],
  ['nested functions', NESTING, 35],
  ['script trees', TREES, 11],
  ['miniscripts', MINISCRIPT.map(([text, reason]): Row => [miniscript(text), reason]), 13],
  ['musig() expressions', MUSIG, 28],
] as const)('invalid %s', (_, rows, count) => {
  test('the table is complete', () => expect(rows).toHaveLength(count));
  test.each(rows)('%s is refused: %s', (text, reason) => {
    const [secret, shown] = [withKeys(text, 'private'), withKeys(text, 'public')];
    expect(reasonOf(shown)).toBe(reason.replace('KEY', withKeys('$short', 'public')));
    // The error is the same with a checksum.
    expect(reasonOf(withChecksum(shown))).toBe(reasonOf(shown));
    const refusal = refuse(secret);
    if (secret !== shown) expect(refusal.data).toEqual({ reason: reason.replace('KEY', '...') });
    for (const secretKey of SECRETS) expect(logged(refusal)).not.toContain(secretKey);
  });
});

const DUPLICATES = 'is not sane: contains duplicate public keys';
const inScripts = (text: string): readonly string[] => [`wsh(${text})`, `tr(${X},${text})`];

// Core compares keys as derived without private keys, so it takes all keys behind hardened steps for the same key.
describe('miniscript keys that need a private key to be derived', () => {
  const BOTH = (key: string, other: string): string => `or_d(pk(${key}),pkh(${other}))`;

  test.each([
    ['$two/0h/1', '$two/0h/2'],
    ['$two/0h/*', '$other/5h/1h/*'],
    ['$two/*h', "[aaaaaaaa]$another/1/*'"],
    ['$two/<0h;1>/*', '$other/<2;3h>/*h'],
  ])('%s and %s are duplicates', (key, other) => {
    for (const [first, second] of [
      [key, other],
      [other, key],
    ] as const) {
      const text = BOTH(first, second);
      for (const form of ['private', 'public'] as const) {
        for (const whole of inScripts(withKeys(text, form))) expect(reasonOf(whole)).toMatch(DUPLICATES);
      }
    }
  });

  test.each([
    ['$two/0h/1', '$other/0/1'],
    ['$two/*h', '$two/*'],
    ['$two/<0;1h>/*', '$other/<0h;1>/*'],
  ])('%s and %s are not duplicates', (key, other) => {
    for (const whole of inScripts(withKeys(BOTH(key, other), 'private'))) {
      expect(parseDescriptor(whole, networks.main).kind).toMatch(/wsh|tr/);
    }
  });

  test('musig() with such a participant counts as such a key, too', () => {
    const text = withKeys(`and_v(v:pk(musig($two/0h,$other)),pk($another/1h))`, 'private');
    expect(reasonOf(`tr(${X},${text})`)).toMatch(DUPLICATES);
  });

  test('with wasAccepted, they are compared by their text', () => {
    const text = withKeys(BOTH('$two/0h', '$other/0h'), 'private');
    for (const whole of inScripts(text)) {
      expect(parseDescriptor(whole, networks.main, { wasAccepted: true }).kind).toMatch(/wsh|tr/);
    }
    const [twice = ''] = inScripts(withKeys(BOTH('$two/0h', '$two/0h'), 'private'));
    expect(refusalOf(() => parseDescriptor(twice, networks.main, { wasAccepted: true })).data).toMatchObject({
      reason: expect.stringContaining(DUPLICATES),
    });
  });

  test('the error has a hint', () => {
    const hintOf = (text: string): unknown =>
      (refuse(`wsh(${withKeys(text, 'public')})`).data as { hint?: string }).hint;
    expect(hintOf(BOTH('$two/0h', '$other/0h'))).toContain('write [fingerprint/path]xpub');
    expect(hintOf(BOTH('$two/0', '$two/0'))).toBeUndefined();
  });
});

test('errors show the first single-path miniscript of a multipath descriptor', () => {
  for (const body of ['v:pk($two/<4;5>/*)', 'or_d(pk($two/<4;5>),pkh([aaaaaaaa/1]$two/<4;6>))', 's:pk($two/<4h;5>)']) {
    for (const whole of inScripts(withKeys(body, 'public'))) {
      const first = withKeys(body.replace(/<([^;]*);[^>]*>/g, '$1'), 'public');
      expect(reasonOf(whole)).toMatch(new RegExp(`^${first.replace(/[()[\]*]/g, '\\$&')} is `));
    }
  }
});

test.each([62, 63, 64, 65])('errors never show %i hex digits, which may be a mistyped private key', (length) => {
  const digits = '1f'.repeat(40).slice(0, length);
  for (const text of [`pk(${digits})`, `wsh(multi(1,${digits}))`, `tr(musig(${digits}))`, digits, `sh(${digits}`]) {
    const error = refuse(text);
    expect(error.code).toBe('descriptor/invalid');
    expect(logged(error)).not.toContain(digits);
  }
});

test('errors never show the hex digits of a private key with the suffix for compressed keys', () => {
  const digits = `${'1f'.repeat(32)}01`;
  for (const text of [`pk(${digits})`, `wsh(multi(1,${digits}))`]) expect(logged(refuse(text))).not.toContain(digits);
});

describe('descriptor checksums', () => {
  const BODY = "sh(multi(2,[00000000/111'/222]$twoDeep,$three/0))";
  test("match Core's for the private and the public form", () => {
    expect(withChecksum(withKeys(BODY, 'private')).slice(-8)).toBe('ggrsrxfy');
    expect(withChecksum(withKeys(BODY, 'public')).slice(-8)).toBe('tjg09x5t');
    expect(withChecksum(withKeys(BODY.replace("'", 'h'), 'public')).slice(-8)).toBe('hgmsckna');
  });
  const rows: readonly Row[] = [
    [`${BODY}#äöü`, 'Expected 8 character checksum, not 6 characters'],
    [`${BODY}#`, 'Expected 8 character checksum, not 0 characters'],
    [`${BODY}#tjg09x5tq`, 'Expected 8 character checksum, not 9 characters'],
    [`${BODY}#tjg09x5`, 'Expected 8 character checksum, not 7 characters'],
    [`${BODY.replace('2', '3')}#tjg09x5t`, "Provided checksum 'tjg09x5t' does not match computed checksum 'd4x0uxyv'"],
    [`${BODY}#tjq09x4t`, "Provided checksum 'tjq09x4t' does not match computed checksum 'tjg09x5t'"],
    [`${BODY}##tjq09x4t`, "Multiple '#' symbols"],
    ['raw(Ü)#00000000', 'Invalid characters in payload'],
    ['raw(\u0000)', 'Invalid characters in payload'],
    ['raw(deadbeef)#', 'Expected 8 character checksum, not 0 characters'],
    ['raw(deadbeef)#89f8spxmx', 'Expected 8 character checksum, not 9 characters'],
    ['raw(deadbeef)#89f8spx', 'Expected 8 character checksum, not 7 characters'],
    ['raw(deedbeef)##9f8spxm', "Multiple '#' symbols"],
  ];
  test.each(rows)('%s is refused: %s', (text, reason) => {
    const refusal = refuse(withKeys(text, 'public'));
    expect(refusal.code).toBe('descriptor/checksum');
    expect(refusal.data).toMatchObject({ reason });
  });

  test('may be absent unless requireChecksum is set', () => {
    const require = { requireChecksum: true };
    for (const text of ['raw(deadbeef)', '', 'a']) {
      const refusal = refusalOf(() => parseDescriptor(text, networks.main, require));
      expect([refusal.code, refusal.data]).toEqual(['descriptor/checksum', { reason: 'Missing checksum' }]);
    }
    expect(parseDescriptor('raw(deadbeef)#89f8spxm', networks.main, require).kind).toBe('raw');
    expect(parseDescriptor('raw(deadbeef)', networks.main).kind).toBe('raw');
  });
});
