import { describe, expect, test } from 'vitest';
import { withKeys } from '../../support/descriptorKeys.ts';
import { bodyOf, expectRow, parse, scriptsAt } from '../../support/descriptorRows.ts';
import { createDeriver, formatHex, hasPrivateKeys, isRanged, isSolvable, parseHex } from '../../support/library.ts';
import { expectRefusal, refusalOf } from '../../support/refusal.ts';

/**
 * A descriptor with named keys, and its scriptPubKeys: with a wildcard those of index 0, 1 and 2; several of the same
 * index are joined by `+`.
 */
type Row = readonly [text: string, ...scripts: readonly string[]];

const SHORT_HASH = '9a1c78a507689f6f54b847ad1cef1e614ee23f1e';
const LONG_HASH = 'b5bd079c4d57cc7fc28ecf8213a6b791625b8183';
const SHORT = withKeys('$short', 'public');
const LONG = withKeys('$long', 'public');
const BARE = `5121${SHORT}41${LONG}52ae`;
const NOTHING_UP = '50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0';
/** The x-only key of `$short`; other rows derive it from the private key. */
const X = SHORT.slice(2);

// Bitcoin Core's descriptor_tests, BIP381 to BIP387 and BIP390.
const SINGLE: readonly Row[] = [
  [
    'combo($short)',
    `21${SHORT}ac+76a914${SHORT_HASH}88ac+0014${SHORT_HASH}+a91484ab21b1b2fd065d4504ff693d832434b6108d7b87`,
  ],
  ['pk($short)', `21${SHORT}ac`],
  ["pkh([deadbeef/1/2'/3/4']$short)", `76a914${SHORT_HASH}88ac`],
  ['wpkh($short)', `0014${SHORT_HASH}`],
  ['sh(wpkh($short))', 'a91484ab21b1b2fd065d4504ff693d832434b6108d7b87'],
  ['tr($short:x)', '512077aab6e066f8a7419c5ab714c12c67d25007ed55a43cadcacb4d7a970a093f11'],
  ['combo($long)', `41${LONG}ac+76a914${LONG_HASH}88ac`],
  ['pk($long)', `41${LONG}ac`],
  ['pkh($long)', `76a914${LONG_HASH}88ac`],
  ['sh(pk($short))', 'a9141857af51a5e516552b3086430fd8ce55f7c1a52487'],
  ['sh(pkh($short))', 'a9141a31ad23bf49c247dd531a623c2ef57da3c400c587'],
  ['wsh(pk($short))', '00202e271faa2325c199d25d22e1ead982e45b64eeb4f31e73dbdf41bd4b5fec23fa'],
  ['wsh(pkh($short))', '0020338e023079b91c58571b20e602d7805fb808c22473cbc391a41b1bd3a192e75b'],
  ['sh(wsh(pk($short)))', 'a91472d0c5a3bfad8c3e7bd5303a72b94240e80b6f1787'],
  ['sh(wsh(pkh($short)))', 'a914b61b92e2ca21bac1e72a3ab859a742982bea960a87'],
  [
    `tr(03${X.slice(0, 62)},{pk(03${X.slice(0, 62)}),{pk($short:x),pk(03${X.slice(0, 62)})}})`,
    '51201497ae16f30dacb88523ed9301bff17773b609e8a90518a3f96ea328a47d1500',
  ],
  [
    'combo([01234567]$twoDeep)',
    '2102d2b36900396c9282fa14628566582f206a5dd0bcc8d5e892611806cafb0301f0ac+76a91431a507b815593dfc51ffc7245ae7e5aee304246e88ac+001431a507b815593dfc51ffc7245ae7e5aee304246e+a9142aafb926eb247cb18240a7f4c07983ad1f37922687',
  ],
  ['pk($three/0)', '210379e45b3cf75f9c5f9befd8e9506fb962f6a9d185ac87001ec44a8d3df8d4a9e3ac'],
  ["pkh($two/2147483647'/0)", '76a914ebdc90806a9c4356c1c88e42216611e1cb4c1c1788ac'],
  ["pkh([01234567/10/20]$two/2147483647'/0)", '76a914ebdc90806a9c4356c1c88e42216611e1cb4c1c1788ac'],
  [
    "wpkh([ffffffff/13']$twoChild/1/2/*)",
    '0014326b2249e3a25d5dc60935f044ee835d090ba859',
    '0014af0bd98abc2f2cae66e36896a39ffe2d32984fb7',
    '00141fa798efd1cbf95cebf912c031b8a4a6e9fb9f27',
  ],
  ["wpkh([ffffffff/13']$twoChild/1/2/0)", '0014326b2249e3a25d5dc60935f044ee835d090ba859'],
  [
    "sh(wpkh($one/10/20/30/40/*'))",
    'a9149a4d9901d6af519b2a23d4a2f51650fcba87ce7b87',
    'a914bed59fc0024fae941d6e20a3b44a109ae740129287',
    'a9148483aa1116eb9c05c482a72bada4b1db24af654387',
  ],
  [
    'combo($oneDeep/*)',
    '2102df12b7035bdac8e3bab862a3a83d06ea6b17b6753d52edecba9be46f5d09e076ac+76a914f90e3178ca25f2c808dc76624032d352fdbdfaf288ac+0014f90e3178ca25f2c808dc76624032d352fdbdfaf2+a91408f3ea8c68d4a7585bf9e8bda226723f70e445f087',
    '21032869a233c9adff9a994e4966e5b821fd5bac066da6c3112488dc52383b4a98ecac+76a914a8409d1b6dfb1ed2a3e8aa5e0ef2ff26b15b75b788ac+0014a8409d1b6dfb1ed2a3e8aa5e0ef2ff26b15b75b7+a91473e39884cb71ae4e5ac9739e9225026c99763e6687',
  ],
  [
    'tr($twoDeep/0/*,pk($twoDeep/1/*))',
    '512078bc707124daa551b65af74de2ec128b7525e10f374dc67b64e00ce0ab8b3e12',
    '512001f0a02a17808c20134b78faab80ef93ffba82261ccef0a2314f5d62b6438f11',
    '512021024954fcec88237a9386fce80ef2ced5f1e91b422b26c59ccfc174c8d1ad25',
  ],
  [
    `tr(${X},{pk($oneDeep/0),{{pk($twoDeep),pk(02df12b7035bdac8e3bab862a3a83d06ea6b17b6753d52edecba9be46f5d09e076)},pk($short:x)}})`,
    '512071fff39599a7b78bc02623cbe814efebf1a404f5d8ad34ea80f213bd8943f574',
  ],
  [
    "rawtr($twoChild/86'/1'/0'/1/*)",
    '51205172af752f057d543ce8e4a6f8dcf15548ec6be44041bfa93b72e191cfc8c1ee',
    '51201b66f20b86f700c945ecb9ad9b0ad1662b73084e2bfea48bee02126350b8a5b1',
    '512063e70f66d815218abcc2306aa930aaca07c5cde73b75127eb27b5e8c16b58a25',
  ],
  ['rawtr($short:x)', `5120${X}`],
];

const MULTISIG: readonly Row[] = [
  ['multi(1,$short,$long)', BARE],
  ['sortedmulti(1,$short,$long)', BARE],
  ['sortedmulti(1,$long,$short)', BARE],
  ['wsh(multi(1,$oneDeep/0,$short))', '0020cb155486048b23a6da976d4c6fe071a2dbc8a7b57aaf225b8955f2e2a27b5f00'],
  [
    'multi(1,$oneDeep/*,$short)',
    `512102df12b7035bdac8e3bab862a3a83d06ea6b17b6753d52edecba9be46f5d09e07621${SHORT}52ae`,
    `5121032869a233c9adff9a994e4966e5b821fd5bac066da6c3112488dc52383b4a98ec21${SHORT}52ae`,
    `5121035d30b6c66dc1e036c45369da8287518cf7e0d6ed1e2b905171c605708f14ca0321${SHORT}52ae`,
  ],
  ["sh(multi(2,[00000000/111'/222]$twoDeep,$three/0))", 'a91445a9a622a8b0a1269944be477640eedc447bbd8487'],
  [
    'sortedmulti(2,$twoDeep/*,$three/0/0/*)',
    '5221025d5fc65ebb8d44a5274b53bac21ff8307fec2334a32df05553459f8b1f7fe1b62102fbd47cc8034098f0e6a94c6aeee8528abf0a2153a5d8e46d325b7284c046784652ae',
    '52210264fd4d1f5dea8ded94c61e9641309349b62f27fbffe807291f664e286bfbe6472103f4ece6dfccfa37b211eb3d0af4d0c61dba9ef698622dc17eecdf764beeb005a652ae',
    '5221022ccabda84c30bad578b13c89eb3b9544ce149787e5b538175b1d1ba259cbb83321024d902e1a2fc7a8755ab5b694c575fce742c48d9ff192e63df5193e4c7afe1f9c52ae',
  ],
  [
    "wsh(multi(2,$two/2147483647'/0,$twoChild/1/2/*,$one/10/20/30/40/*'))",
    '0020b92623201f3bb7c3771d45b2ad1d0351ea8fbf8cfe0a0e570264e1075fa1948f',
    '002036a08bbe4923af41cf4316817c93b8d37e2f635dd25cfff06bd50df6ae7ea203',
    '0020a96e7ab4607ca6b261bfe3245ffda9c746b28d3f59e83d34820ec0e2b36c139c',
  ],
  ['sh(wsh(multi(16,$first16)))', 'a9147fc63e13dc25e8a95a3cee3d9a714ac3afd96f1e87'],
  ['wsh(multi(20,$first20))', '0020376bd8344b8b6ebe504ff85ef743eaa1aa9272178223bcb6887e9378efb341ac'],
  ['sh(wsh(multi(20,$first20)))', 'a914c2c9c510e9d7f92fd6131e94803a8d34a8ef675e87'],
  ['tr($short:x,pk($first1:x))', '512017cf18db381d836d8923b1bdb246cfcd818da1a9f0e6e7907f187f0b2f937754'],
  ['tr($short:x,multi_a(1,$first1:x))', '5120eb5bd3894327d75093891cc3a62506df7d58ec137fcd104cdd285d67816074f3'],
  [
    `tr(${NOTHING_UP},multi_a(2,[00000000/111'/222]$twoDeep,$three/0))`,
    '51202eea93581594a43c0c8423b70dc112e5651df63984d108d4fc8ccd3b63b4eafa',
  ],
  [
    `tr(${NOTHING_UP},sortedmulti_a(2,[00000000/111'/222]$twoDeep,$three/0))`,
    '512016fa6a6ba7e98c54b5bf43b3144912b78a61b60b02f6a74172b8dcb35b12bc30',
  ],
  [
    `tr(${NOTHING_UP},sortedmulti_a(2,$twoDeep/*,$three/0/0/*))`,
    '5120abd47468515223f58a1a18edfde709a7a2aab2b696d59ecf8c34f0ba274ef772',
    '5120fe62e7ed20705bd1d3678e072bc999acb014f07795fa02cb8f25a7aa787e8cbd',
    '51201311093750f459039adaa2a5ed23b0f7a8ae2c2ffb07c5390ea37e2fb1050b41',
  ],
  [
    `tr(${NOTHING_UP},multi_a(2,$two/2147483647'/0,$twoChild/1/2/*,$one/10/20/30/40/*'))`,
    '5120e4c8f2b0a7d3a688ac131cb03248c0d4b0a59bbd4f37211c848cfbd22a981192',
    '5120827faedaa21e52fca2ac83b53afd1ab7d4d1e6ce67ff42b19f2723d48b5a19ab',
    '5120647495ed09de61a3a324704f9203c130d655bf3141f9b748df8f7be7e9af55a4',
  ],
];

const RIPEMD = 'ff9aa1829c90d26e73301383f549e1497b7d6325';
const SHA = '7426ba0604c3f8682c7016b44673f85c5bd9da2fa6c1080810cf53ae320c9863';
const HASH256 = 'ae253ca2a54debcac7ecf414f6734f48c56421a08bb59182ff9f39a6fffdb588';
const MINISCRIPT: readonly Row[] = [
  [
    'wsh(and_v(v:ripemd160(095ff41131e5946f3c85f79e44adbcf8e27e080e),multi(1,$twoDeep,$three/0)))',
    '0020acf425291b98a1d7e0d4690139442abc289175be32ef1f75945e339924246d73',
  ],
  [
    'sh(wsh(thresh(1,pkh($a),a:and_n(multi(1,$twoDeep,$three/0),n:older(2)))))',
    'a914767e9119ff3b3ac0cb6dcfe21de1842ccf85f1c487',
  ],
  [
    'wsh(thresh(1,pk($twoDeep),a:pkh($three/0)))',
    '00204a4528fbc0947e02e921b54bd476fc8cc2ebb5c6ae2ccf10ed29fe2937fb6892',
  ],
  [
    'sh(wsh(thresh(2,ndv:after(1000),a:and_n(multi(1,$twoDeep,$three/0),n:older(2)))))',
    'a914099f400961f930d4c16c3b33c0e2a58ef53ac38f87',
  ],
  [
    `wsh(and_v(v:ripemd160(${RIPEMD}),pk($twoDeep)))`,
    '002001549deda34cbc4a5982263191380f522695a2ddc2f99fc3a65c736264bd6cab',
  ],
  [`wsh(and_v(v:sha256(${SHA}),pk($twoDeep)))`, '002071f7283dbbb9a55ed43a54cda16ba0efd0f16dc48fe200f299e57bb5d7be8dd4'],
  [
    'wsh(and_v(v:hash160(292e2df59e3a22109200beed0cdc84b12e66793e),pk($twoDeep)))',
    '00209b9d5b45735d0e15df5b41d6594602d3de472262f7b75edc6cf5f3e3fa4e3ae4',
  ],
  [
    `wsh(and_v(v:hash256(${HASH256}),pk($twoDeep)))`,
    '0020cf62bf97baf977aec69cbc290c372899f913337a9093e8f066ab59b8657a365c',
  ],
  [
    `tr(${X},thresh(2,pk($d:x),s:pk($e:x),adv:older(42)))`,
    '512033982eebe204dc66508e4b19cfc31b5ffc6e1bfcbf6e5597dfc2521a52270795',
  ],
  [`tr(${X},pkh($d:x))`, '51201e9875f690f5847404e4c5951e2f029887df0525691ee11a682afd37b608aad4'],
  [
    `tr(${X},{{pkh($f:x),pk($g:x)},thresh(1,pk($d:x),s:pk($e:x))})`,
    '5120d8ea39b29de2b550b68bd2ada8b075c888c2b2df3290c7a35856482747848934',
  ],
  [
    `tr(${X},{and_v(and_v(v:hash256(${HASH256}),v:pk($f:x)),older(42)),multi_a(2,adf586a32ad4b0674a86022b000348b681b4c97a811f67eefe4a6e066e55080c,$h:x)})`,
    '51209a3d79db56fbe3ba4d905d827b62e1ed31cd6df1198b8c759d589c0f4efc27bd',
  ],
];

const B = '03dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659';
const C = '023590a94e768f8e1815c2f24b4d80a8e3149316c3518ce7b7ad338368d038ca66';
const MUSIG: readonly Row[] = [
  [`rawtr(musig($threefold,${B},${C}))`, '5120789d937bade6673538f3e28d8368dda4d0512f94da44cf477a505716d26a1575'],
  [`tr(musig($threefold,${B},${C}))`, '512079e6c3e628c9bfbce91de6b7fb28e2aec7713d377cf260ab599dcbc40e542312'],
  [
    'rawtr(musig($twoDeep/0/*,$three/0/*))',
    '5120754ccfd18ed4051de3b1144b6145cad4b2999387338dfb85ec392f2963ceaa3a',
    '5120be80016576d2691ccc4077bc91d7ece4db34667d6e84829d5e08480cd4bc0b78',
    '5120b7139e2f8b92570ad96c40c3b5e6557a5194e288a96df6f29980523365239d58',
  ],
  [
    'rawtr(musig($twoDeep,$three)/0/*)',
    '51209508c08832f3bb9d5e8baf8cb5cfa3669902e2f2da19acea63ff47b93faa9bfc',
    '51205ca1102663025a83dd9b5dbc214762c5a6309af00d48167d2d6483808525a298',
    '51207dbed1b89c338df6a1ae137f133a19cae6e03d481196ee6f1a5c7d1aeb56b166',
  ],
  ['rawtr(musig($twoDeep/0,$three)/1)', '51200e355f2bc9e754268e12bbd337499c2f7ffafc3101c41792709007b25a862532'],
  [
    'tr(musig($twoDeep,$three)/0/*,pk($threefold:x))',
    '51201d377b637b5c73f670f5c8a96a2c0bb0d1a682a1fca6aba91fe673501a189782',
    '51208950c83b117a6c208d5205ffefcf75b187b32512eb7f0d8577db8d9102833036',
    '5120a49a477c61df73691b77fcd563a80a15ea67bb9c75470310ce5c0f25918db60d',
  ],
  [
    'tr($threefold:x,pk(musig($twoDeep,$three)/0/*))',
    '512068983d461174afc90c26f3b2821d8a9ced9534586a756763b68371a404635cc8',
    '5120368e2d864115181bdc8bb5dc8684be8d0760d5c33315570d71a21afce4afd43e',
    '512097a1e6270b33ad85744677418bae5f59ea9136027223bc6e282c47c167b471d5',
  ],
  ['tr(musig($twoDeep/1,$twoDeep/1)/2)', '5120a17ceacd6422bd5ffd9f165807b254b7d68ad39f179cc4f11545a6835227e97c'],
];

describe.each([
  ['single-key', SINGLE, 28],
  ['multisig', MULTISIG, 17],
  ['miniscript', MINISCRIPT, 12],
  ['MuSig2', MUSIG, 8],
] as const)("Core's and the BIPs' %s descriptors", (_, rows, count) => {
  test('the table is complete', () => expect(rows).toHaveLength(count));
  test.each(rows)('%s derives the expected scripts', (text, ...scripts) => {
    expectRow(text, scripts);
    if (text.includes("'")) expectRow(text.replaceAll("'", 'h'), scripts);
  });
});

test('a descriptor can hold both private and public keys', () => {
  const pub =
    'xpub6AGbgdKcAGeUWaGNKH2o3sRvjtvJCGZ1NwrHqMJDwD4bN1QuwPQSsdeAYkPZGPt2FTAyu6nWGsC3fN2nsBELrLPcRNuwwr5k1X7yW5WV4aX';
  const [secret, shown] = [
    'xprv9wCN7tTqN5ATsmBGEijuNeUgQjma9tv3GmdWLmbYiuArPsAMj6tD1uASiBfm47kdoi7bDBAVxUZNLM2MkeouPK5menDTyCNZtExQrKhVu7C',
    'xpub6ABiXPzjCSim6FFjLkGujnRQxmc4ZMdtdzZ79A1AHEhqGfVWGeCTZhUvZTSf1mNnGUtyNqgfE9eWaYdYReDKbPYqgqi9LLVZSmWnLQRx477',
  ];
  const text = (key: string): string =>
    `tr(${X},{and_v(v:pk(${pub}/*),pk(02daf6e3477fc3906a1997820ed2940c8f5fa0942946d0368f981b001fdd85afcb)),and_v(v:pk(${key}/*),pk(03272c0c1ae2c07528283b91ca57b45d2cc84e7960e1f17f58815372285f35e99a))})`;
  const parsed = parse(text(secret));
  expect([bodyOf(parsed), bodyOf(parsed, true)]).toEqual([text(shown), text(secret)]);
  const script = '5120793185cd1a9a0bb710fa57df3845ac4ddf7df63b74beadce2573cbb0b508b3a4';
  for (const descriptor of [parsed, parse(text(shown))]) {
    expect(scriptsAt(createDeriver(descriptor)(0))).toBe(script);
  }
});

// BIP385.
test.each([
  ['raw(deadbeef)', 'deadbeef'],
  [`raw(${BARE})`, BARE],
  ['raw(a9149a4d9901d6af519b2a23d4a2f51650fcba87ce7b87)', 'a9149a4d9901d6af519b2a23d4a2f51650fcba87ce7b87'],
  ['addr(3PUNyaW7M55oKWJ3kDukwk9bsKvryra15j)', 'a914eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee87'],
])('%s pays to the script it names', (text, script) => {
  const descriptor = parse(text);
  expect(bodyOf(descriptor)).toBe(text);
  expect([isRanged(descriptor), isSolvable(descriptor), hasPrivateKeys(descriptor)]).toEqual([false, false, false]);
  expect(scriptsAt(createDeriver(descriptor)(7))).toBe(script);
});

test('an index is a whole number below 2^31', () => {
  const derive = createDeriver(parse(withKeys('wpkh($twoDeep/*)', 'public')));
  for (const index of [-1, 0.5, 2 ** 31, Number.NaN]) {
    const { message } = refusalOf(() => derive(index));
    expect(message).toBe(`Index ${index} is not a whole number from 0 to 2147483647`);
  }
  expect(derive(2 ** 31 - 1).keys[0]?.origin.path).toEqual([2 ** 31 - 1]);
});

test('a multipath descriptor cannot be derived before it is split', () => {
  const reason = 'Cannot derive from a multipath descriptor; split it into single-path descriptors first';
  const descriptor = parse(withKeys('wpkh($twoDeep/<0;1>/*)', 'public'));
  expectRefusal(() => createDeriver(descriptor), 'descriptor/invalid', { reason });
});

test('a private key serves other expressions of its public key', () => {
  const [secret, shown] = ['private', 'public'].map((of) => withKeys('$twoDeep', of as 'private' | 'public'));
  const { keys } = createDeriver(parse(`wsh(multi(2,${secret}/0/*,${shown}/1/*))`))(0);
  expect(keys.map(({ secretKey }) => secretKey?.length)).toEqual([32, 32]);
  const without = createDeriver(parse(`wsh(multi(2,${shown}/0/*,${shown}/1/*))`))(0);
  expect(without.keys.map(({ secretKey }) => secretKey)).toEqual([undefined, undefined]);
});

test('derivation returns scripts, and keys with their key origins', () => {
  const derived = createDeriver(parse(withKeys("sh(wsh(multi(2,[00000000/111'/222]$twoDeep/7/*,$short)))", 'private')))(
    5,
  );
  expect(derived.keys.map(({ origin }) => [formatHex(origin.fingerprint), origin.path])).toEqual([
    ['00000000', [0x8000_006f, 222, 7, 5]],
    ['9a1c78a5', []],
  ]);
  expect(derived.keys.map(({ secretKey }) => secretKey?.length)).toEqual([32, 32]);
  expect(derived.scripts).toHaveLength(2);
  expect(derived.scripts.map((script) => script[0])).toEqual([0x52, 0x00]);
  expect(parseHex(scriptsAt(derived))).toEqual(derived.scriptPubKeys[0]);
});
