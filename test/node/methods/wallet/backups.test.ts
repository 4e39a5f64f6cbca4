import { describe, expect, test } from 'vitest';
import { rpcFault } from '../../../support/feeding.ts';
import {
  createMemoryStore,
  createNodeRpc,
  type DialectName,
  type NodeRpc,
  type NodeRpcOptions,
} from '../../../support/library.ts';
import { quickScrypt } from '../../../support/quickScrypt.ts';

const refuse = (code: number, message: string): object => expect.objectContaining({ code, message });

/** Keeps files in a map; `full` is a directory. */
const backupFilesOf = (files: Map<string, Uint8Array>): Pick<NodeRpcOptions, 'backupFiles'> => ({
  backupFiles: {
    write: (path, content) => {
      if (path === 'full') return 'is a directory';
      if (files.has(path)) return 'exists already';
      files.set(path, content);
      return undefined;
    },
    read: (path) => files.get(path) ?? 'missing',
  },
});

/** Opens a node whose files are a map. */
function open(dialect: DialectName, files: Map<string, Uint8Array> = new Map()): NodeRpc {
  return createNodeRpc({
    ...{ network: 'regtest', dialect, scrypt: quickScrypt, store: createMemoryStore(), walletDir: '/wallets' },
    clock: () => 1_700_000_000,
    random: (size) => new Uint8Array(size).fill(7),
    ...backupFilesOf(files),
  });
}

const DIALECTS = ['core-32', 'documented', 'core-0.21'] as const;

describe.each(DIALECTS)('backupwallet of %s', (dialect) => {
  test('writes a file that restorewallet makes another wallet of', () => {
    const rpc = open(dialect);
    rpc.call('createwallet', ['w']);
    const address = rpc.call('getnewaddress', ['', 'bech32'], 'w');
    expect(rpc.call('backupwallet', ['file'], 'w')).toBeNull();
    expect(rpc.call('restorewallet', ['copy', 'file', true])).toEqual(
      dialect === 'core-0.21' ? { name: 'copy', warning: '' } : { name: 'copy' },
    );
    expect(rpc.call('listwallets', [])).toEqual(['w', 'copy']);
    expect(rpc.call('getaddressinfo', [address], 'copy')).toMatchObject({ ismine: true });
    // Both go on from the same state.
    const next = rpc.call('getnewaddress', ['', 'bech32'], 'w');
    expect(rpc.call('getnewaddress', ['', 'bech32'], 'copy')).toBe(next);
  });

  test('replaces nothing, and says so in the words of its dialect', () => {
    const rpc = open(dialect);
    rpc.call('createwallet', ['w']);
    rpc.call('backupwallet', ['file'], 'w');
    const why = dialect === 'documented' ? ' file exists already: name another file' : '';
    expect(rpcFault(() => rpc.call('backupwallet', ['file'], 'w'))).toEqual(
      refuse(-4, `Error: Wallet backup failed!${why}`),
    );
  });

  test('needs access to files', () => {
    const rpc = createNodeRpc({ dialect, network: 'regtest', clock: () => 0, random: (size) => new Uint8Array(size) });
    rpc.call('createwallet', ['w', true]);
    const reason = 'has no access to files: use the command line or serve, or pass backupFiles to createNodeRpc';
    expect(rpcFault(() => rpc.call('backupwallet', ['file'], 'w'))).toEqual(refuse(-4, `backupwallet ${reason}`));
    expect(rpcFault(() => rpc.call('restorewallet', ['v', 'file']))).toEqual(refuse(-4, `restorewallet ${reason}`));
  });
});

test('backupwallet of 0.21 writes into a directory, that of Core 31 only to a file', () => {
  const files = new Map<string, Uint8Array>();
  const old = open('core-0.21', files);
  old.call('createwallet', ['w']);
  old.call('backupwallet', ['full'], 'w');
  expect([...files.keys()]).toEqual(['full/wallet.dat']);
  const rpc = open('core-32');
  rpc.call('createwallet', ['w']);
  expect(rpcFault(() => rpc.call('backupwallet', ['full'], 'w'))).toEqual(refuse(-4, 'Error: Wallet backup failed!'));
});

describe('restorewallet', () => {
  test('refuses names that are taken or empty, and files that are missing', () => {
    const rpc = open('core-32');
    rpc.call('createwallet', ['w']);
    rpc.call('backupwallet', ['file'], 'w');
    const fault = (name: string, file: string): unknown => rpcFault(() => rpc.call('restorewallet', [name, file]));
    expect(fault('', 'nothing')).toEqual(refuse(-8, 'Wallet name cannot be empty'));
    expect(fault('w', 'nothing')).toEqual(refuse(-8, 'Backup file does not exist'));
    expect(fault('w', 'file')).toEqual(
      refuse(-36, "Failed to restore wallet. Database file exists in '/wallets/w/wallet.dat'."),
    );
    const older = open('core-30');
    older.call('createwallet', ['w']);
    older.call('backupwallet', ['file'], 'w');
    expect(rpcFault(() => older.call('restorewallet', ['w', 'file']))).toEqual(
      refuse(-36, "Failed to create database path '/wallets/w'. Database already exists."),
    );
  });

  test('says what is wrong with a file, and where', () => {
    const files = new Map<string, Uint8Array>();
    const rpc = open('core-32', files);
    rpc.call('createwallet', ['w']);
    rpc.call('backupwallet', ['file'], 'w');
    const whole = files.get('file') ?? new Uint8Array(0);
    const fault = (content: Uint8Array): unknown => {
      files.set('other', content);
      return rpcFault(() => rpc.call('restorewallet', ['v', 'other']));
    };
    const second = whole.indexOf(10) + 30;
    const third = whole.indexOf(10, second) + 1;
    expect(fault(whole.map((byte, i) => (i === second ? byte ^ 1 : byte)))).toEqual(
      refuse(-4, 'Wallet file verification failed. other is damaged in line 2: use another copy'),
    );
    expect(fault(whole.subarray(0, third))).toEqual(
      refuse(-4, 'Wallet file verification failed. other ends after line 2, before its last line: use another copy'),
    );
    expect(fault(Buffer.from('SQLite format 3\0'))).toEqual(
      refuse(
        -18,
        "Wallet file verification failed. Failed to load database path '/wallets/v'. Data is not in recognized format. other is not a backup of countersign's backupwallet",
      ),
    );
    expect(rpc.call('listwalletdir', []).wallets).toEqual([{ name: 'w', warnings: [] }]);
    const foreign = open('core-0.21', files);
    files.set('other', whole);
    expect(rpcFault(() => foreign.call('restorewallet', ['v', 'other']))).toEqual(
      refuse(
        -18,
        `Wallet file verification failed. Failed to load database path '/wallets/v'. Data is not in recognized format. other belongs to "regtest core-32", not to "regtest core-0.21"`,
      ),
    );
  });
});

test('a wallet without the private keys hands out hardened addresses to the end of the range', () => {
  const rpc = createNodeRpc({
    ...{ network: 'regtest', dialect: 'core-32', scrypt: quickScrypt, walletDir: '/wallets', keypool: 2 },
    clock: () => 1_700_000_000,
    random: (size) => new Uint8Array(size).fill(7),
    ...backupFilesOf(new Map()),
  });
  rpc.call('createwallet', { wallet_name: 'keys', blank: true });
  const key =
    'tprv8ZgxMBicQKsPd7Uf69XL1XwhmjHopUGep8GuEiJDZmbQz6o58LninorQAfcKZWARbtRtfnLcJ5MQ2AtHcQJCCRUcMRvmDUjyEmNUWwx8UbK';
  const { checksum } = rpc.call('getdescriptorinfo', [`wpkh(${key}/*h)`]);
  const request = { desc: `wpkh(${key}/*h)#${checksum}`, active: true, range: [0, 1], timestamp: 'now' } as const;
  expect(rpc.call('importdescriptors', [[request]], 'keys')).toMatchObject([{ success: true }]);
  rpc.call('exportwatchonlywallet', ['file'], 'keys');
  rpc.call('restorewallet', ['watching', 'file']);
  for (let i = 0; i < 2; i += 1) {
    expect(rpc.call('getnewaddress', [], 'watching')).toBe(rpc.call('getnewaddress', [], 'keys'));
  }
  expect(rpcFault(() => rpc.call('getnewaddress', [], 'watching'))).toEqual(refuse(-12, 'No addresses available'));
});
