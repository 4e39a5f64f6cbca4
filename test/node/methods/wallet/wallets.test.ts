import { describe, expect, test } from 'vitest';
import { concat } from '../../../live/scripts/bytes.ts';
import { blockAfter, genesisOf } from '../../../support/blocks.ts';
import { openWithWallet, rpcFault } from '../../../support/feeding.ts';
import { createNodeRpc, type DialectName, formatHex, hash160, type NodeRpc, sha256 } from '../../../support/library.ts';
import { addressOf, keyOf } from '../../../support/walletKeys.ts';

test.each([
  ['litecoin-0.21', 'litecoin-regtest'],
  ['core-32', 'regtest'],
] as const)('createwallet of %s refuses a name that exists', (dialect, network) => {
  const { code, message } = rpcFault(() => openWithWallet(dialect, network).call('createwallet', ['w']));
  expect(code).toBe(-4);
  expect(message).toBe("Wallet file verification failed. Failed to create database path 'w'. Database already exists.");
});

describe('createwallet', () => {
  const exists = "Wallet file verification failed. Failed to create database path 'w'. Database already exists.";
  const useless = expect.stringMatching(/^Passphrase provided but private keys are disabled\. /) as string;

  test.each([
    ['the name after the types of options', { disable_private_keys: 1 }, -1, 'JSON value is not a boolean as expected'],
    [
      'the type of load_on_startup',
      ['w', false, true, '', false, false, 1],
      -1,
      'JSON value is not a boolean as expected',
    ],
    ['that the wallet does not exist before the passphrase', ['w', true, true, 'x'], -4, exists],
    ['the passphrase of a new wallet', ['new', true, true, 'x'], -4, useless],
  ])('of 0.21 checks %s', (_, params, code, message) => {
    expect(rpcFault(() => openWithWallet().call('createwallet' as string, params))).toMatchObject({ code, message });
  });

  test('of Core 31 checks the passphrase before it checks that the wallet does not exist', () => {
    const rpc = openWithWallet('core-32', 'regtest');
    const create = () => rpc.call('createwallet', ['w', true, true, 'x']);
    expect(rpcFault(create)).toMatchObject({ code: -4, message: useless });
  });

  test('of Core 31 requires a name', () => {
    const create = (rpc: NodeRpc) => rpc.call('createwallet', ['', true, true, 'x']);
    expect(rpcFault(() => create(openWithWallet('core-32', 'regtest')))).toMatchObject({
      code: -8,
      message: 'Wallet name cannot be empty',
    });
    expect(openWithWallet().call('createwallet', [''])).toEqual({ name: '', warning: '' });
  });
});

describe('loadwallet of 0.21', () => {
  const failure = 'Wallet file verification failed.';
  test.each([
    [
      'a second argument of a wrong type before a missing wallet',
      ['nope', 1],
      -1,
      'JSON value is not a boolean as expected',
    ],
    ['a missing wallet', ['nope'], -18, `${failure} Failed to load database path 'nope'. Path does not exist.`],
    [
      'a missing wallet with an empty name',
      [''],
      -18,
      `${failure} Failed to load database path ''. Data is not in recognized format.`,
    ],
    [
      'a wallet that is loaded already',
      ['w'],
      -4,
      `${failure} Refusing to load database. Data file 'w/wallet.dat' is already loaded.`,
    ],
  ])('reports %s', (_, params, code, message) => {
    expect(rpcFault(() => openWithWallet().call('loadwallet' as string, params))).toMatchObject({ code, message });
  });
});

describe('unloadwallet of 0.21', () => {
  const both = 'Both the RPC endpoint wallet and wallet_name parameter were provided (only one allowed)';
  test.each([
    ['requires a name', [], undefined, -1, 'JSON value is not a string as expected'],
    ['takes one name only, even if both are the same', ['w'], 'w', -8, both],
    ['takes one name only, before it checks its type', [1], 'w', -8, both],
    ['checks the type of its second argument', ['w', 1], undefined, -1, 'JSON value is not a boolean as expected'],
    [
      'checks the type of its second argument after the wallet',
      ['nope', 1],
      undefined,
      -18,
      'Requested wallet does not exist or is not loaded',
    ],
  ])('%s', (_, params, wallet, code, message) => {
    const rpc = openWithWallet();
    expect(rpcFault(() => rpc.call('unloadwallet' as string, params, wallet))).toMatchObject({ code, message });
    expect(rpc.call('unloadwallet', [null, true], 'w')).toEqual({ warning: '' });
  });
});

test('unloadwallet of Core 31 takes two names if they are the same', () => {
  const rpc = openWithWallet('core-32', 'regtest');
  const [either, different] = [[], ['v']].map((params, i) =>
    rpcFault(() => rpc.call('unloadwallet' as string, params, i === 0 ? undefined : 'w')),
  );
  expect(either).toMatchObject({
    code: -8,
    message: 'Either the RPC endpoint wallet or the wallet name parameter must be provided',
  });
  expect(different).toMatchObject({
    code: -8,
    message: 'The RPC endpoint wallet and the wallet name parameter specify different wallets',
  });
  expect(rpc.call('unloadwallet', ['w'], 'w')).toEqual({});
});

interface Info {
  readonly solvable: boolean;
  readonly desc?: string;
  readonly timestamp?: number;
}

describe('a 0.21 wallet that is loaded again', () => {
  test('rescans the chain since its creation, for keys imported without a rescan', () => {
    const rpc = openWithWallet();
    const { hex } = blockAfter(genesisOf('litecoin-regtest'), { script: formatHex(keyOf(1).program) });
    rpc.call('submitblock', [hex]);
    rpc.call('importprivkey', [keyOf(1).wif, '', false], 'w');
    const count = (): number =>
      (rpc.call('listsinceblock', [], 'w') as { transactions: readonly unknown[] }).transactions.length;
    expect(count()).toBe(0);
    rpc.call('unloadwallet', ['w']);
    rpc.call('loadwallet', ['w']);
    expect(count()).toBe(1);
  });

  test('has lost the timestamps of scripts that it does not watch', () => {
    const rpc = openWithWallet();
    const { publicKey, wif } = keyOf(1);
    const script = concat([33], publicKey, [0xac]);
    const program = concat([0, 32], sha256(script));
    const output = concat([0xa9, 20], hash160(program), [0x87]);
    const scripts = { redeemscript: formatHex(program), witnessscript: formatHex(script) };
    const request = { scriptPubKey: formatHex(output), ...scripts, keys: [wif], timestamp: 5 };
    expect(rpc.call('importmulti', [[request]], 'w')).toMatchObject([{ success: true }]);
    const info = (): Info => rpc.call('getaddressinfo', [addressOf(program)], 'w') as Info;
    expect(info().timestamp).toBe(5);
    rpc.call('unloadwallet', ['w']);
    rpc.call('loadwallet', ['w']);
    expect(info()).not.toHaveProperty('timestamp');
    expect(info()).toMatchObject({ solvable: true });
  });
});

describe('database errors', () => {
  const open = (dialect: 'litecoin-0.21' | 'core-32', walletDir?: string): NodeRpc => {
    const network = dialect === 'core-32' ? 'regtest' : 'litecoin-regtest';
    const kept = walletDir === undefined ? {} : { walletDir };
    const rpc = createNodeRpc({
      network,
      dialect,
      clock: () => 0,
      random: (size) => new Uint8Array(size).fill(7),
      ...kept,
    });
    rpc.call('createwallet', ['w']);
    rpc.call('createwallet', ['in/side']);
    return rpc;
  };
  const shown = (rpc: NodeRpc, method: string, name: string): string =>
    rpcFault(() => rpc.call(method, [name])).message.replace('Wallet file verification failed. ', '');

  test.each(['litecoin-0.21', 'core-32'] as const)('show the path in the wallet directory, as %s', (dialect) => {
    const rpc = open(dialect, '/node/wallets');
    const missing = (path: string, why = 'Path does not exist.'): string =>
      `Failed to load database path '${path}'. ${why}`;
    const folder = 'Data is not in recognized format.';
    expect(shown(rpc, 'createwallet', 'w')).toBe(
      "Failed to create database path '/node/wallets/w'. Database already exists.",
    );
    expect(shown(rpc, 'loadwallet', 'nope')).toBe(missing('/node/wallets/nope'));
    if (dialect === 'litecoin-0.21') {
      expect(shown(rpc, 'loadwallet', '../nope')).toBe(missing('/node/wallets/../nope'));
    }
    expect(shown(rpc, 'loadwallet', '/nope')).toBe(missing('/nope'));
    expect(shown(rpc, 'loadwallet', '')).toBe(missing('/node/wallets', folder));
    expect(shown(rpc, 'loadwallet', 'in')).toBe(missing('/node/wallets/in', folder));
    expect(shown(open(dialect), 'loadwallet', 'nope')).toBe(missing('nope'));
    expect(shown(rpc, 'loadwallet', 'w')).toBe(
      dialect === 'core-32'
        ? 'Wallet "w" is already loaded.'
        : "Refusing to load database. Data file '/node/wallets/w/wallet.dat' is already loaded.",
    );
  });
});

describe('a name of a wallet', () => {
  const failure = 'Wallet file verification failed. Wallet name';
  const faults = {
    unnormalized: `${failure} given as a path must be normalized`,
    outside: `${failure} given as a relative path cannot begin with ./ or ../, for wallets not in the walletdir, please use an absolute path.`,
    root: `${failure} cannot be the root path`,
  };

  test.each([
    ['./a', 'unnormalized'],
    ['a/.', 'unnormalized'],
    ['a/./b', 'unnormalized'],
    ['a/../b', 'unnormalized'],
    ['a/..', 'unnormalized'],
    ['/../a', 'unnormalized'],
    ['../', 'unnormalized'],
    ['../a/..', 'unnormalized'],
    ['.', 'outside'],
    ['..', 'outside'],
    ['../a', 'outside'],
    ['..//../a/', 'outside'],
    ['/', 'root'],
    ['//', 'root'],
  ] as const)('like %s is refused by Core 32', (name, fault) => {
    const rpc = openWithWallet('core-32', 'regtest');
    for (const method of ['createwallet', 'loadwallet']) {
      const refusal = rpcFault(() => rpc.call(method as string, [name]));
      expect(refusal).toMatchObject({ code: -4, message: faults[fault] });
    }
    expect(openWithWallet().call('createwallet', [name])).toMatchObject({ name });
  });

  test.each(['a.b', '.a', '..a', 'a..', 'a/b', 'a//b', '/a', 'a/', '...'])('may be %s', (name) => {
    expect(openWithWallet('core-32', 'regtest').call('createwallet', [name])).toEqual({ name });
  });
});

/** As litecoind 0.21.2.1 answers, and as libstdc++ words what Core's calls of the file system throw. */
describe('a path of a wallet that is too long for a file system', () => {
  const open = (dialect: DialectName): NodeRpc =>
    createNodeRpc({
      network: dialect === 'litecoin-0.21' ? 'litecoin-regtest' : 'regtest',
      dialect,
      clock: () => 0,
      random: (size) => new Uint8Array(size).fill(7),
      walletDir: '/node/wallets',
      backupFiles: { read: () => new Uint8Array(8), write: () => undefined },
    });
  const fault = (rpc: NodeRpc, ...[method, ...params]: readonly [string, ...string[]]): unknown =>
    rpcFault(() => rpc.call(method, params));
  const boost = 'boost::filesystem::status: File name too long: "/node/wallets/..."';
  const gcc = (call: string, path = '...'): string =>
    `filesystem error: ${call}: File name too long [/node/wallets/${path}]`;
  const long = 'x'.repeat(256);

  test.each([
    ['core-0.21', boost],
    ['litecoin-0.21', boost],
    ['core-29', gcc('symlink_status')],
    ['core-30', gcc('symlink_status')],
    ['core-31', gcc('symlink_status')],
    ['core-32', gcc('symlink_status')],
    ['documented', gcc('symlink_status')],
  ] as const)('is refused by createwallet and loadwallet of %s', (dialect, message) => {
    const rpc = open(dialect);
    for (const name of [long, 'ü'.repeat(128), 'z'.repeat(5_000)]) {
      expect(fault(rpc, 'createwallet', name)).toMatchObject({ code: -1, message });
      expect(fault(rpc, 'loadwallet', name)).toMatchObject({ code: -4, message });
    }
    expect(rpc.call('listwallets')).toEqual([]);
    expect(rpc.call('createwallet', ['x'.repeat(255)])).toMatchObject({ name: 'x'.repeat(255) });
  });

  test('counts all of the path', () => {
    const rpc = open('core-0.21');
    const [most, more] = [4_081, 4_082].map((size) => 'abcdefg/'.repeat(511).slice(0, size));
    expect(rpc.call('createwallet', [most ?? ''])).toMatchObject({ name: most });
    expect(fault(rpc, 'createwallet', more ?? '')).toMatchObject({ code: -1 });
  });

  // SQLite's MAX_PATHNAME is 512: its journal's path has 8 bytes more than that of the file.
  test('is refused by SQLite', () => {
    const rpc = open('core-31');
    const [most, more] = [479, 480].map((size) => 'abcdefg/'.repeat(63).slice(0, size));
    expect(rpc.call('createwallet', [most ?? ''])).toMatchObject({ name: most });
    const message =
      'Wallet file verification failed. SQLiteDatabase: Failed to open database: unable to open database file\n';
    expect(fault(rpc, 'createwallet', more ?? '')).toMatchObject({ code: -4, message });
    expect(fault(rpc, 'restorewallet', more ?? '', 'backup')).toMatchObject({ code: -4, message });
    expect(fault(rpc, 'loadwallet', more ?? '')).toMatchObject({ code: -18 });
  });

  test.each([
    ['core-0.21', -1, boost.replace('...', 'a/...')],
    ['core-29', -4, `Wallet file verification failed. ${gcc('status', 'a/...')}`],
    ['core-31', -4, `Wallet file verification failed. ${gcc('status', 'a/...')}`],
  ] as const)('is not met below a missing directory: %s', (dialect, code, message) => {
    const rpc = open(dialect);
    expect(fault(rpc, 'createwallet', `a/${long}`)).toMatchObject({ code, message });
    expect(fault(rpc, 'loadwallet', `a/${long}`)).toMatchObject({ code: -18 });
    rpc.call('createwallet', ['a/b']);
    expect(fault(rpc, 'createwallet', `a/${long}`)).toMatchObject({ code: -1 });
    expect(fault(rpc, 'loadwallet', `a/${long}`)).toMatchObject({ code: -4 });
    for (const name of [`/tmp/${long}`, ...(dialect === 'core-0.21' ? [`../${long}`] : [])]) {
      expect(fault(rpc, 'createwallet', name)).toMatchObject({ code: -1 });
    }
  });

  test.each([
    ['core-29', -1, gcc('cannot remove all')],
    ['core-30', -1, gcc('cannot remove all')],
    ['core-31', -4, `Unexpected exception: ${gcc('status')}`],
    ['core-32', -4, `Unexpected exception: ${gcc('status')}`],
  ] as const)('is refused by restorewallet of %s', (dialect, code, message) => {
    expect(fault(open(dialect), 'restorewallet', long, 'backup')).toMatchObject({ code, message });
  });
});

test('an odd x-only key of Core 31 has the fingerprint of the even one once its wallet is loaded again', () => {
  const key = [1, 2, 3, 4, 5, 6, 7, 8].map((byte) => keyOf(byte)).find(({ publicKey }) => publicKey[0] === 3);
  if (!key) throw new Error('no odd key');
  const rpc = openWithWallet('core-32', 'regtest');
  const bare = `tr(${key.wif})`;
  const { checksum } = rpc.call('getdescriptorinfo', [bare]);
  const request = { desc: `${bare}#${checksum}`, timestamp: 'now' } as const;
  expect(rpc.call('importdescriptors', [[request]], 'w')).toMatchObject([{ success: true }]);
  const [address = ''] = rpc.call('deriveaddresses', [request.desc]) as readonly string[];
  const even = Uint8Array.of(2, ...key.publicKey.slice(1));
  const shown = (): unknown => (rpc.call('getaddressinfo', [address], 'w') as Info).desc?.slice(4, 12);
  const coin = { txid: '11'.repeat(32), vout: 0 };
  const unsigned = rpc.call('createpsbt', [[coin], { [address]: 1 }]);
  const written = (): unknown => {
    const { psbt } = rpc.call('walletprocesspsbt', [unsigned], 'w');
    return rpc.call('decodepsbt', [psbt]).outputs[0]?.taproot_bip32_derivs;
  };
  const fingerprint = (publicKey: Uint8Array): string => formatHex(hash160(publicKey).slice(0, 4));
  expect(shown()).toBe(fingerprint(key.publicKey));
  expect(written()).toMatchObject([{ master_fingerprint: fingerprint(key.publicKey) }]);
  rpc.call('unloadwallet', ['w']);
  rpc.call('loadwallet', ['w']);
  expect(shown()).toBe(fingerprint(even));
  expect(written()).toMatchObject([{ master_fingerprint: fingerprint(even) }]);
  expect(rpc.call('listdescriptors', [true], 'w')).toMatchObject({ descriptors: [{ desc: request.desc }] });
});

test('createwallet refuses a random source that gives no key', () => {
  const rpc = createNodeRpc({
    network: 'regtest',
    dialect: 'core-32',
    clock: () => 0,
    random: (size) => new Uint8Array(size),
  });
  expect(() => rpc.call('createwallet', ['w'])).toThrow('No key can be made from random: its bytes are not random');
  expect(rpc.call('listwallets')).toEqual([]);
});

test('createwallet refuses an external signer after all other checks', () => {
  const rpc = openWithWallet('core-32', 'regtest');
  const refusal = (name: string, ...options: readonly unknown[]): unknown => {
    const [disables, passphrase] = options;
    const params = [name, disables, false, passphrase, false, true, false, true];
    return rpcFault(() => rpc.call('createwallet' as string, params));
  };
  const keysEnabled = { code: -4, message: 'Private keys must be disabled when using an external signer' };
  expect(refusal('', false)).toMatchObject({ code: -8, message: 'Wallet name cannot be empty' });
  expect(refusal('w', false)).toMatchObject(keysEnabled);
  expect(refusal('w', true, 'p')).toMatchObject({ code: -4, message: expect.stringMatching(/^Passphrase provided/) });
  expect(refusal('w', true)).toMatchObject({ code: -4, message: expect.stringContaining('already exists') });
  expect(refusal('v', true)).toMatchObject({ code: -1, message: 'restart bitcoind with -signer=<cmd>' });
  expect(rpc.call('listwallets')).toEqual(['w']);
});
