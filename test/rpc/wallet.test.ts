import { describe, expect, test } from 'vitest';
import { concat } from '../node/scripts/bytes.ts';
import { blockAfter, coinbaseOf, genesisOf, type TestNetwork } from '../support/blocks.ts';
import { openWithWallet, rpcFault } from '../support/feeding.ts';
import {
  createNodeRpc,
  descriptorChecksum,
  formatAddress,
  formatHex,
  formatTxid,
  formatWif,
  hash160,
  type NodeRpc,
  networks,
  nobleEcc,
  sha256,
  txid,
} from '../support/library.ts';

/** Differences found by running the scenarios of test/node/wallet.live.test.ts on a node; all seen on Litecoin Core. */

const keyOf = (number: number, isCompressed = true) => {
  const secretKey = new Uint8Array(32).fill(number);
  const publicKey = nobleEcc.publicKey(secretKey, isCompressed);
  const program = concat([0, 20], hash160(publicKey));
  return { publicKey, program, wif: formatWif({ secretKey, isCompressed }, networks['litecoin-regtest']) };
};
const addressOf = (script: Uint8Array): string => formatAddress(script, networks['litecoin-regtest']) ?? '';

test.each([
  ['litecoin-0.21', 'litecoin-regtest'],
  ['core-31', 'regtest'],
] as const)('createwallet of %s refuses a name that exists', (dialect, network) => {
  const { code, message } = rpcFault(() => openWithWallet(dialect, network).call('createwallet', ['w']));
  expect(code).toBe(-4);
  expect(message).toBe("Wallet file verification failed. Failed to create database path 'w'. Database already exists.");
});

test.each([1.5, [0, 1e20]])(
  'importmulti of 0.21 reports a missing field for a range that is no integer: %j',
  (range) => {
    const rpc = openWithWallet();
    const xpub =
      'tpubD6NzVbkrYhZ4XgV8LDYyR2G6Upu5zhaD4wxxmgjrzyhDE9googsaehCaoobGYJ9hvjpKZ9fef8QzPi18FRnp5G2T3vxb4AVDGa1i9gDpNdF';
    const { descriptor } = rpc.call('getdescriptorinfo', [`pkh(${xpub}/*)`]) as { descriptor: string };
    const error = { code: -1, message: 'Missing required fields' };
    expect(rpc.call('importmulti', [[{ desc: descriptor, range, timestamp: 1 }]], 'w')).toEqual([
      { success: false, error },
    ]);
  },
);

test('importmulti of 0.21 names the shortest of the scripts that the wallet has already', () => {
  const rpc = openWithWallet();
  const { publicKey, wif } = keyOf(1, false);
  rpc.call('importprivkey', [wif], 'w');
  const { descriptor } = rpc.call('getdescriptorinfo', [`combo(${formatHex(publicKey)})`]) as { descriptor: string };
  const script = formatHex(concat([0x76, 0xa9, 20], hash160(publicKey), [0x88, 0xac]));
  const message = `The wallet already contains the private key for this address or script ("${script}")`;
  expect(rpc.call('importmulti', [[{ desc: descriptor, timestamp: 1, watchonly: true }]], 'w')).toEqual([
    { success: false, error: { code: -4, message } },
  ]);
});

describe('importdescriptors of Core 31', () => {
  const xpub =
    'tpubD6NzVbkrYhZ4XgV8LDYyR2G6Upu5zhaD4wxxmgjrzyhDE9googsaehCaoobGYJ9hvjpKZ9fef8QzPi18FRnp5G2T3vxb4AVDGa1i9gDpNdF';
  function ask(request: Readonly<Record<string, unknown>>): unknown {
    const rpc = openWithWallet('core-31', 'regtest');
    rpc.call('createwallet', ['watching', true]);
    const { body, ...rest } = request;
    const desc = typeof body === 'string' ? { desc: `${body}#${descriptorChecksum(body) ?? ''}` } : {};
    return rpc.call('importdescriptors', [[{ timestamp: 1, ...desc, ...rest }]], 'watching');
  }
  const ranged = `wpkh(${xpub}/*)`;
  const single = `wpkh(${xpub}/1)`;

  test.each([
    ['for a missing descriptor before other members', { active: 'x' }, -8, 'Descriptor not found.'],
    ['the descriptor before the type of internal', { desc: 'wpkh(02)', internal: 'x' }, -5, 'Missing checksum'],
    [
      'for a multipath descriptor before the type of internal',
      { body: `wpkh(${xpub}/<0;1>/*)`, internal: 'x' },
      -5,
      "Cannot have multipath descriptor while also specifying 'internal'",
    ],
    [
      'the range before the type of next_index',
      { body: ranged, range: -1, next_index: 'x' },
      -8,
      'End of range is too high',
    ],
  ])('checks %s', (_, request, code, message) => {
    expect(ask(request)).toEqual([{ success: false, error: { code, message } }]);
  });

  test('checks next_index of ranged descriptors only', () => {
    expect(ask({ body: single, next_index: 'x' })).toEqual([{ success: true }]);
    const wrong = 'JSON value of type string is not of expected type number';
    expect(rpcFault(() => ask({ body: ranged, range: 1, next_index: 'x' }))).toMatchObject({
      code: -3,
      message: wrong,
    });
  });

  test.each([
    ['65535', []],
    ['65536', ['height-based relative locktime: older(65536) > 65535 blocks is unsafe']],
    ['4259839', []],
    ['4259840', ['time-based relative locktime: older(4259840) > (65535 * 512) seconds is unsafe']],
  ])('warns of relative locktimes that are shorter than they look: older(%s)', (lock, warnings) => {
    const leaf = `and_v(v:pk(${xpub}/1),older(${lock}))`;
    const answer = warnings.length === 0 ? [{ success: true }] : [{ success: true, warnings }];
    expect(ask({ body: `wsh(${leaf})` })).toEqual(answer);
    expect(ask({ body: `tr(${xpub}/2,${leaf})` })).toEqual(answer);
  });

  test('fails as a whole for a range that is no integer', () => {
    const message = 'JSON integer out of range';
    expect(rpcFault(() => ask({ body: ranged, range: 1.5 }))).toMatchObject({ code: -1, message });
  });
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
    expect(rpcFault(() => openWithWallet().call('createwallet', params))).toMatchObject({ code, message });
  });

  test('of Core 31 checks the passphrase before it checks that the wallet does not exist', () => {
    const rpc = openWithWallet('core-31', 'regtest');
    const create = () => rpc.call('createwallet', ['w', true, true, 'x']);
    expect(rpcFault(create)).toMatchObject({ code: -4, message: useless });
  });

  test('of Core 31 requires a name', () => {
    const create = (rpc: NodeRpc) => rpc.call('createwallet', ['', true, true, 'x']);
    expect(rpcFault(() => create(openWithWallet('core-31', 'regtest')))).toMatchObject({
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
    expect(rpcFault(() => openWithWallet().call('loadwallet', params))).toMatchObject({ code, message });
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
    expect(rpcFault(() => rpc.call('unloadwallet', params, wallet))).toMatchObject({ code, message });
    expect(rpc.call('unloadwallet', [null, true], 'w')).toEqual({ warning: '' });
  });
});

test('unloadwallet of Core 31 takes two names if they are the same', () => {
  const rpc = openWithWallet('core-31', 'regtest');
  const [either, different] = [[], ['v']].map((params, i) =>
    rpcFault(() => rpc.call('unloadwallet', params, i === 0 ? undefined : 'w')),
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

describe('getaddressinfo of 0.21', () => {
  const info = (rpc: NodeRpc, script: Uint8Array): Info => rpc.call('getaddressinfo', [addressOf(script)], 'w') as Info;

  test('does not call a P2WPKH of an uncompressed key solvable', () => {
    const rpc = openWithWallet();
    const { publicKey, program } = keyOf(1, false);
    rpc.call('importpubkey', [formatHex(publicKey)], 'w');
    rpc.call('importaddress', [formatHex(program), '', false], 'w');
    expect(info(rpc, program)).toMatchObject({ solvable: false });
    expect(info(rpc, program)).not.toHaveProperty('desc');
  });

  test('shows a descriptor with an uncompressed key that the spend does not need', () => {
    const rpc = openWithWallet();
    const keys = [keyOf(2, false).publicKey, keyOf(1).publicKey];
    const script = concat([0x51], ...keys.flatMap((key) => [[key.length], key]), [0x52, 0xae]);
    const output = concat([0, 32], sha256(script));
    const pubkeys = keys.map((key) => formatHex(key));
    const request = { scriptPubKey: formatHex(output), witnessscript: formatHex(script), pubkeys, timestamp: 1 };
    rpc.call('importmulti', [[request]], 'w');
    const { solvable, desc } = info(rpc, output);
    expect(solvable).toBe(true);
    expect(desc).toMatch(/^wsh\(multi\(1,\[[0-9a-f]{8}\]04[0-9a-f]{128},\[[0-9a-f]{8}\]0[23][0-9a-f]{64}\)\)#/);
  });

  test('shows no timestamp for an address that it knows only as a script', () => {
    const rpc = openWithWallet();
    const { publicKey } = keyOf(1);
    const inner = concat([0x76, 0xa9, 20], hash160(publicKey), [0x88, 0xac]);
    const output = concat([0, 32], sha256(inner));
    const known = { witnessscript: formatHex(inner), pubkeys: [formatHex(publicKey)] };
    rpc.call('importmulti', [[{ scriptPubKey: formatHex(output), ...known, timestamp: 5 }]], 'w');
    expect(info(rpc, output)).toMatchObject({ solvable: true, timestamp: 5 });
    expect(info(rpc, concat([0xa9, 20], hash160(inner), [0x87]))).not.toHaveProperty('timestamp');
  });
});

test('importmulti of 0.21 imports the private keys of a descriptor that cannot be derived', () => {
  const rpc = openWithWallet();
  const xpub =
    'tpubD6NzVbkrYhZ4XgV8LDYyR2G6Upu5zhaD4wxxmgjrzyhDE9googsaehCaoobGYJ9hvjpKZ9fef8QzPi18FRnp5G2T3vxb4AVDGa1i9gDpNdF';
  const body = `sh(multi(1,${xpub}/*',${keyOf(3).wif}))`;
  const { descriptor, checksum } = rpc.call('getdescriptorinfo', [body]) as { descriptor: string; checksum: string };
  expect(descriptor).toContain('multi');
  const request = { desc: `${body}#${checksum}`, range: 1, timestamp: 1, watchonly: true };
  expect(rpc.call('importmulti', [[request]], 'w')).toMatchObject([{ success: true }]);
  expect(rpc.call('getaddressinfo', [addressOf(keyOf(3).program)], 'w')).toMatchObject({ ismine: true });
});

test.each([
  [0xffff_ffff, 0xffff_ffff],
  [2 ** 32 + 5, 5],
])('a transaction received at %i is listed with time %i: wallets store times in 32 bits', (now, timereceived) => {
  const rpc = openWithWallet();
  rpc.call('importprivkey', [keyOf(1).wif], 'w');
  rpc.call('setmocktime', [now]);
  const { hex } = blockAfter(genesisOf('litecoin-regtest'), { script: formatHex(keyOf(1).program) });
  rpc.call('submitblock', [hex]);
  const time = Math.min(timereceived, 1_700_000_600);
  expect(rpc.call('listsinceblock', [], 'w')).toMatchObject({ transactions: [{ time, timereceived }] });
});

describe('lockunspent', () => {
  function withCoins(rpc: NodeRpc, network: TestNetwork): readonly { readonly txid: string; readonly vout: number }[] {
    const script = formatHex(keyOf(1).program);
    const first = blockAfter(genesisOf(network), { script });
    const blocks = [first, blockAfter(first, { script })];
    for (const { hex } of blocks) rpc.call('submitblock', [hex]);
    return blocks.map((block) => ({ txid: formatTxid(txid(coinbaseOf(block))), vout: 0 }));
  }

  test('of 0.21 lasts until the wallet is unloaded, and is listed by txid', () => {
    const rpc = openWithWallet();
    rpc.call('importprivkey', [keyOf(1).wif], 'w');
    const coins = withCoins(rpc, 'litecoin-regtest');
    for (const order of [coins, [...coins].reverse()]) {
      rpc.call('lockunspent', [false, order], 'w');
      const reversed = (id: string): string => Buffer.from(id, 'hex').reverse().toString('hex');
      const sorted = [...coins].sort((a, b) => (reversed(a.txid) < reversed(b.txid) ? -1 : 1));
      expect(rpc.call('listlockunspent', [], 'w')).toEqual(sorted);
      rpc.call('unloadwallet', ['w']);
      rpc.call('loadwallet', ['w']);
      expect(rpc.call('listlockunspent', [], 'w')).toEqual([]);
    }
    expect(rpcFault(() => rpc.call('lockunspent', [null], 'w'))).toMatchObject({
      code: -3,
      message: 'Expected type bool, got null',
    });
  });

  test('of Core 31 survives unloading the wallet if it is persistent', () => {
    const rpc = openWithWallet('core-31', 'regtest');
    const body = `wpkh(${formatWif({ secretKey: new Uint8Array(32).fill(1), isCompressed: true }, networks.regtest)})`;
    const { checksum } = rpc.call('getdescriptorinfo', [body]) as { checksum: string };
    rpc.call('importdescriptors', [[{ desc: `${body}#${checksum}`, timestamp: 1 }]], 'w');
    const [kept, gone] = withCoins(rpc, 'regtest');
    rpc.call('lockunspent', [false, [gone]], 'w');
    rpc.call('lockunspent', [false, [kept], true], 'w');
    rpc.call('unloadwallet', ['w']);
    rpc.call('loadwallet', ['w']);
    expect(rpc.call('listlockunspent', [], 'w')).toEqual([kept]);
  });
});

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

describe('a private key in the place of another value', () => {
  const { wif } = keyOf(1);
  const output = `0014${'11'.repeat(20)}`;
  test.each([
    [{ scriptPubKey: { address: wif } }, 'Invalid address "..."'],
    [{ scriptPubKey: wif }, 'Invalid scriptPubKey "..."'],
    [{ scriptPubKey: output, redeemscript: wif }, 'Invalid redeem script "...": must be hex string'],
    [{ scriptPubKey: output, witnessscript: wif }, 'Invalid witness script "...": must be hex string'],
    [{ scriptPubKey: output, pubkeys: [wif] }, 'Pubkey "..." must be a hex string'],
    [{ scriptPubKey: output, pubkeys: ['nonsense'] }, 'Pubkey "nonsense" must be a hex string'],
  ])('is not shown by importmulti: %#', (request, message) => {
    const answer = openWithWallet().call('importmulti', [[{ ...request, timestamp: 'now' }]], 'w');
    expect(answer).toEqual([{ success: false, error: { code: -5, message } }]);
  });

  test.each([
    wif,
    formatWif({ secretKey: new Uint8Array(32).fill(1), isCompressed: false }, networks.main),
    // BIP32, test vector 1.
    'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
  ])('is not shown by listunspent: %#', (text) => {
    const { message } = rpcFault(() => openWithWallet().call('listunspent', [1, 9, [text]], 'w'));
    expect(message).toBe('Invalid Litecoin address: ...');
  });

  test('is hidden, but an address of another network is shown', () => {
    const text = '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH';
    const { message } = rpcFault(() => openWithWallet().call('listunspent', [1, 9, [text]], 'w'));
    expect(message).toBe(`Invalid Litecoin address: ${text}`);
  });
});

describe('database errors', () => {
  const open = (dialect: 'litecoin-0.21' | 'core-31', walletDir?: string): NodeRpc => {
    const network = dialect === 'core-31' ? 'regtest' : 'litecoin-regtest';
    const kept = walletDir === undefined ? {} : { walletDir };
    const rpc = createNodeRpc({ network, dialect, clock: () => 0, random: (size) => new Uint8Array(size), ...kept });
    rpc.call('createwallet', ['w']);
    rpc.call('createwallet', ['in/side']);
    return rpc;
  };
  const shown = (rpc: NodeRpc, method: string, name: string): string =>
    rpcFault(() => rpc.call(method, [name])).message.replace('Wallet file verification failed. ', '');

  test.each(['litecoin-0.21', 'core-31'] as const)('show the path in the wallet directory, as %s', (dialect) => {
    const rpc = open(dialect, '/node/wallets');
    const missing = (path: string, why = 'Path does not exist.'): string =>
      `Failed to load database path '${path}'. ${why}`;
    const folder = 'Data is not in recognized format.';
    expect(shown(rpc, 'createwallet', 'w')).toBe(
      "Failed to create database path '/node/wallets/w'. Database already exists.",
    );
    expect(shown(rpc, 'loadwallet', 'nope')).toBe(missing('/node/wallets/nope'));
    expect(shown(rpc, 'loadwallet', '../nope')).toBe(missing('/node/wallets/../nope'));
    expect(shown(rpc, 'loadwallet', '/nope')).toBe(missing('/nope'));
    expect(shown(rpc, 'loadwallet', '')).toBe(missing('/node/wallets', folder));
    expect(shown(rpc, 'loadwallet', 'in')).toBe(missing('/node/wallets/in', folder));
    expect(shown(open(dialect), 'loadwallet', 'nope')).toBe(missing('nope'));
    expect(shown(rpc, 'loadwallet', 'w')).toBe(
      dialect === 'core-31'
        ? 'Wallet "w" is already loaded.'
        : "Refusing to load database. Data file '/node/wallets/w/wallet.dat' is already loaded.",
    );
  });
});
