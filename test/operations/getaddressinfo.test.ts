import { createNodeRpc, type NodeRpc } from 'countersign/rpc';
import { describe, expect, test } from 'vitest';

// getaddressinfo "address" -> { address, scriptPubKey, ismine, solvable, ..., labels }
//
// Says what an address is, and what the wallet knows of it. The rules and texts are those of Litecoin Core 0.21 and Bitcoin
// Core 31: `vectors/node/*.wallet-*.jsonl.gz` has recorded calls, which `test/vectors/wallet.test.ts` replays. 0.21 has
// wallets of keys, 31 of descriptors.

// The secret key 1 on regtest, its public key and the addresses of this key.
const KEY = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA';
const PUBLIC_KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const KEY_HASH = '751e76e8199196d454941c45d1b3a323f1433bd6';
const P2PKH = 'mrCDrCybB6J1vRfbwM5hemdJz73FwDBC8r';
const P2WPKH = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const P2SH_P2WPKH = '2NAUYAHhujozruyzpsFRP63mbrdaU5wnEpN';
const P2TR = 'bcrt1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5ssm803es';

// A 1-of-2 with the public key 2, and what others own.
const OTHER_PUBLIC_KEY = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';
const MULTISIG = `5121${PUBLIC_KEY}21${OTHER_PUBLIC_KEY}52ae`;
const P2WSH = 'bcrt1qd6e6c86xp56gw8pty8suuqhscpttea2c5m2fggzjkxzk5nl9faksws97ff';
const WATCHED = 'mg8Jz5776UdyiYcBb9Z873NTozEiADRW5H';
const FOREIGN = 'bcrt1q0ht9tyks4vh7p5p904t340cr9nvahy7uevmqwj';

function openNode(dialect: 'core-0.21' | 'core-32'): NodeRpc {
  const random = (size: number): Uint8Array => new Uint8Array(size);
  return createNodeRpc({ network: 'regtest', dialect, clock: () => 1_700_000_900, random });
}

// The wallet of 0.21 holds the key, and watches the 1-of-2 and an address.
const old = openNode('core-0.21');
old.call('createwallet', ['w', false, true]);
old.call('importprivkey', [KEY, 'savings'], 'w');
old.call('importaddress', [WATCHED, 'rent'], 'w');
const script = { scriptPubKey: { address: P2WSH }, witnessscript: MULTISIG, watchonly: true };
old.call('importmulti', [[{ ...script, timestamp: 1_600_000_000, label: 'shared' }]], 'w');

// The wallet of Core 31 has a descriptor for each address, but no private key, since `addr()` needs such a wallet.
const core = openNode('core-32');
core.call('createwallet', ['w', true]);
const descriptors = {
  savings: `wpkh(${PUBLIC_KEY})`,
  nested: `sh(wpkh(${PUBLIC_KEY}))`,
  taproot: `tr(${PUBLIC_KEY})`,
  shared: `wsh(multi(1,${PUBLIC_KEY},${OTHER_PUBLIC_KEY}))`,
  rent: `addr(${WATCHED})`,
};
for (const [label, text] of Object.entries(descriptors)) {
  const { descriptor } = core.call('getdescriptorinfo', [text]);
  core.call('importdescriptors', [[{ desc: descriptor, timestamp: 1_600_000_000, label }]], 'w');
}

const ofOld = (address: string) => old.call('getaddressinfo', [address], 'w');
const ofCore = (address: string) => core.call('getaddressinfo', [address], 'w');

describe('an address of the wallet', () => {
  test('of 0.21 has these members, in this order', () => {
    expect(Object.entries(ofOld(P2WPKH))).toEqual([
      ['address', P2WPKH],
      ['scriptPubKey', `0014${KEY_HASH}`],
      ['ismine', true],
      ['solvable', true],
      ['desc', `wpkh([751e76e8]${PUBLIC_KEY})#p7evpe7t`],
      ['iswatchonly', false],
      ['isscript', false],
      ['iswitness', true],
      ['witness_version', 0],
      ['witness_program', KEY_HASH],
      ['pubkey', PUBLIC_KEY],
      ['ischange', false],
      // importprivkey says nothing about the age of a key: as old as can be.
      ['timestamp', 1],
      ['labels', ['savings']],
    ]);
  });

  test('of Core 31 names its descriptor and the path of its key', () => {
    expect(Object.entries(ofCore(P2WPKH))).toEqual([
      ['address', P2WPKH],
      ['scriptPubKey', `0014${KEY_HASH}`],
      ['ismine', true],
      ['solvable', true],
      ['desc', `wpkh([751e76e8]${PUBLIC_KEY})#p7evpe7t`],
      ['parent_desc', `wpkh(${PUBLIC_KEY})#ucxz0gak`],
      ['iswatchonly', false],
      ['isscript', false],
      ['iswitness', true],
      ['witness_version', 0],
      ['witness_program', KEY_HASH],
      ['pubkey', PUBLIC_KEY],
      ['ischange', false],
      ['timestamp', 1_600_000_000],
      ['hdkeypath', 'm'],
      ['hdseedid', '00'.repeat(20)],
      ['hdmasterfingerprint', '751e76e8'],
      ['labels', ['savings']],
    ]);
  });

  test('of a legacy key shows the key, and whether it is compressed', () => {
    expect(ofOld(P2PKH)).toMatchObject({
      scriptPubKey: `76a914${KEY_HASH}88ac`,
      isscript: false,
      iswitness: false,
      pubkey: PUBLIC_KEY,
      iscompressed: true,
    });
  });

  test('shows the address that it wraps, and its key in both places', () => {
    for (const info of [ofOld(P2SH_P2WPKH), ofCore(P2SH_P2WPKH)]) {
      expect(info).toMatchObject({
        desc: `sh(wpkh([751e76e8]${PUBLIC_KEY}))#ehygyxlc`,
        isscript: true,
        iswitness: false,
        script: 'witness_v0_keyhash',
        hex: `0014${KEY_HASH}`,
        pubkey: PUBLIC_KEY,
      });
      expect(info.embedded).toEqual({
        isscript: false,
        iswitness: true,
        witness_version: 0,
        witness_program: KEY_HASH,
        pubkey: PUBLIC_KEY,
        address: P2WPKH,
        scriptPubKey: `0014${KEY_HASH}`,
      });
    }
  });

  test('of a multisig script shows the script, its keys, and how many must sign', () => {
    for (const info of [ofOld(P2WSH), ofCore(P2WSH)]) {
      expect(info).toMatchObject({
        solvable: true,
        isscript: true,
        iswitness: true,
        script: 'multisig',
        hex: MULTISIG,
        sigsrequired: 1,
        pubkeys: [PUBLIC_KEY, OTHER_PUBLIC_KEY],
        labels: ['shared'],
      });
      expect(info).not.toHaveProperty('embedded');
      expect(info).not.toHaveProperty('hdkeypath');
    }
  });

  test('is watch-only in 0.21 if the wallet has no key for it; Core 31 calls all its addresses its own', () => {
    expect(ofOld(P2WSH)).toMatchObject({ ismine: false, iswatchonly: true });
    expect(ofCore(P2WSH)).toMatchObject({ ismine: true, iswatchonly: false });
    expect(ofOld(WATCHED)).toMatchObject({ ismine: false, iswatchonly: true, solvable: false, labels: ['rent'] });
    expect(ofCore(WATCHED)).toMatchObject({ ismine: true, iswatchonly: false, solvable: false, labels: ['rent'] });
    for (const info of [ofOld(WATCHED), ofCore(WATCHED)]) expect(info).not.toHaveProperty('desc');
  });

  test('of taproot can be solved in Core 31', () => {
    expect(ofCore(P2TR)).toMatchObject({
      ismine: true,
      solvable: true,
      desc: `tr([751e76e8]${PUBLIC_KEY.slice(2)})#9c0rklxf`,
      isscript: true,
      iswitness: true,
      witness_version: 1,
      witness_program: 'da4710964f7852695de2da025290e24af6d8c281de5a0b902b7135fd9fd74d21',
    });
  });
});

describe('an address of a wallet with a seed', () => {
  test("of 0.21 shows seed and path, with ' for hardened steps", () => {
    old.call('createwallet', ['seeded', false, true]);
    old.call('sethdseed', [true, KEY], 'seeded');
    const address = old.call('getnewaddress', ['donations', 'bech32'], 'seeded');
    expect(old.call('getaddressinfo', [address], 'seeded')).toMatchObject({
      address: 'bcrt1qvl6xr6th5v7qafuclkkvv67w803hw5zku8c32x',
      desc: "wpkh([4b75fab0/0'/0'/0']036cbb857d43fd3ed58ee833c99365d21413acf85576766d87cca8f4e3c0a37a3a)#360gs699",
      timestamp: 1_700_000_900,
      hdkeypath: "m/0'/0'/0'",
      hdseedid: 'd63b43f123a3b3d1451c9454d4969119e8761e75',
      hdmasterfingerprint: '4b75fab0',
      labels: ['donations'],
    });
  });

  test('of Core 31 shows the path of the descriptor, with h for hardened steps', () => {
    // The master key of BIP32's first test vector.
    const master =
      'tprv8ZgxMBicQKsPeDgjzdC36fs6bMjGApWDNLR9erAXMs5skhMv36j9MV5ecvfavji5khqjWaWSFhN3YcCUUdiKH6isR4Pwy3U5y5egddBr16m';
    const text = `wpkh(${master}/84h/1h/0h/0/*)`;
    const { checksum } = core.call('getdescriptorinfo', [text]);
    core.call('createwallet', ['seeded', false, true]);
    const descriptor = { desc: `${text}#${checksum}`, timestamp: 1_600_000_000, range: [0, 9], active: true };
    core.call('importdescriptors', [[descriptor as { desc: string; timestamp: number }]], 'seeded');
    const address = core.call('getnewaddress', ['donations', 'bech32'], 'seeded');
    const info = core.call('getaddressinfo', [address], 'seeded');
    expect(info).toMatchObject({
      address: 'bcrt1q7f0pjwhc3jzzv0w4uurm589506glv2dggfan4s',
      desc: 'wpkh([3442193e/84h/1h/0h/0/0]020c7f4de1cc760fc068775b1513d67d0a7802f0b4b1c61aa85784ebf722905b27)#ma5zmjx9',
      timestamp: 1_600_000_000,
      hdkeypath: 'm/84h/1h/0h/0/0',
      hdmasterfingerprint: '3442193e',
      labels: ['donations'],
    });
    expect(info.parent_desc).toMatch(/^wpkh\(\[3442193e\/84h\/1h\/0h\]tpub/);
  });
});

describe('an address of others', () => {
  test('has the members that follow from the address alone', () => {
    const info = {
      address: FOREIGN,
      scriptPubKey: '00147dd65592d0ab2fe0d0257d571abf032cd9db93dc',
      ismine: false,
      solvable: false,
      iswatchonly: false,
      isscript: false,
      iswitness: true,
      witness_version: 0,
      witness_program: '7dd65592d0ab2fe0d0257d571abf032cd9db93dc',
      ischange: false,
      labels: [],
    };
    expect(ofOld(FOREIGN)).toEqual(info);
    expect(ofCore(FOREIGN)).toEqual(info);
  });

  test('may have a label', () => {
    const node = openNode('core-32');
    node.call('createwallet', ['w', true]);
    node.call('setlabel', [FOREIGN, 'grocer'], 'w');
    expect(node.call('getaddressinfo', [FOREIGN], 'w')).toMatchObject({ ismine: false, labels: ['grocer'] });
  });

  test('of taproot and the anchor is a script in Core 31 only', () => {
    expect(ofCore(P2TR)).toHaveProperty('isscript', true);
    expect(ofOld(P2TR)).not.toHaveProperty('isscript');
    const anchor = 'bcrt1pfeesnyr2tx';
    expect(ofOld(anchor)).toMatchObject({ iswitness: true, witness_version: 1, witness_program: '4e73' });
    expect(ofCore(anchor)).toMatchObject({ isscript: true, iswitness: true });
    expect(ofCore(anchor)).not.toHaveProperty('witness_program');
  });

  test('is shown in small letters', () => {
    expect(ofCore(FOREIGN.toUpperCase())).toEqual(ofCore(FOREIGN));
  });
});

describe('an address for change', () => {
  test('is one that belongs to the wallet and has no label', () => {
    const node = openNode('core-32');
    node.call('createwallet', ['w', true]);
    const { descriptor } = node.call('getdescriptorinfo', [descriptors.savings]);
    node.call('importdescriptors', [[{ desc: descriptor, timestamp: 'now', internal: true }]], 'w');
    const info = () => node.call('getaddressinfo', [P2WPKH], 'w');
    expect(info()).toMatchObject({ ismine: true, ischange: true, labels: [] });
    // Any label makes it an address for others, even an empty one.
    node.call('setlabel', [P2WPKH, ''], 'w');
    expect(info()).toMatchObject({ ismine: true, ischange: false, labels: [''] });
  });
});

describe('getaddressinfo refuses', () => {
  const wrongType = (got: string) =>
    `Wrong type passed:\n{\n    "Position 1 (address)": "JSON value of type ${got} is not of expected type string"\n}`;
  const base58 = 'Invalid checksum or length of Base58 address (P2PKH or P2SH)';

  // 0.21 says only that an address is invalid, Core 31 why.
  test.each<[string, unknown, string]>([
    ['an empty text', '', base58],
    ['a mistyped legacy address', 'mrCDrCybB6J1vRfbwM5hemdJz73FwDBC8s', base58],
    [
      'a legacy address of the main chain',
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      'Invalid or unsupported Base58-encoded address.',
    ],
    [
      'a segwit address of the main chain',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      'Invalid or unsupported Segwit (Bech32) or Base58 encoding.',
    ],
    ['a mistyped segwit address', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt08q', 'Invalid Bech32 checksum'],
    ['capital and small letters', 'bcrt1Qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 'Invalid character or mixed case'],
  ])('%s', (_, address, message) => {
    const method: string = 'getaddressinfo';
    expect(() => core.call(method, [address], 'w')).toThrow(expect.objectContaining({ code: -5, message }));
    expect(() => old.call(method, [address], 'w')).toThrow(
      expect.objectContaining({ code: -5, message: 'Invalid address' }),
    );
  });

  test.each<[unknown, string]>([
    [1, 'number'],
    [null, 'null'],
    [[], 'array'],
  ])('%j instead of an address', (address, got) => {
    const method: string = 'getaddressinfo';
    expect(() => core.call(method, [address], 'w')).toThrow(
      expect.objectContaining({ code: -3, message: wrongType(got) }),
    );
    const message = 'JSON value is not a string as expected';
    expect(() => old.call(method, [address], 'w')).toThrow(expect.objectContaining({ code: -1, message }));
  });

  test('a call without address with its help', () => {
    const method: string = 'getaddressinfo';
    const message = expect.stringMatching(/^getaddressinfo "address"\n/);
    expect(() => core.call(method, [], 'w')).toThrow(expect.objectContaining({ code: -1, message }));
  });

  test('a wallet that is not loaded', () => {
    const refusal = { code: -18, message: 'Requested wallet does not exist or is not loaded' };
    expect(() => core.call('getaddressinfo', [P2WPKH], 'v')).toThrow(expect.objectContaining(refusal));
  });
});
