import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A place for what the scripts write, outside the checkout. */
export interface Workspace {
  readonly config: string;
  readonly cache: string;
  /** Each script has a directory below. */
  readonly runs: string;
  readonly environment: NodeJS.ProcessEnv;
}

const PARTS = [
  'ENABLE_WALLET=true',
  'USE_SQLITE=true',
  'ENABLE_BITCOIND=true',
  'ENABLE_CLI=true',
  'ENABLE_ZMQ=true',
  ...[
    'USE_BDB',
    'BUILD_BENCH',
    'BUILD_BITCOIN_TX',
    'ENABLE_BITCOIN_UTIL',
    'ENABLE_BITCOIN_CHAINSTATE',
    'ENABLE_WALLET_TOOL',
    'ENABLE_FUZZ_BINARY',
    'ENABLE_EMBEDDED_ASMAP',
    'ENABLE_EXTERNAL_SIGNER',
    'ENABLE_USDT_TRACEPOINTS',
    'ENABLE_IPC',
  ].map((name) => `${name}=false`),
];

/** Writes the configuration that a build of Core would write, and programs that start countersign as bitcoind and bitcoin-cli. */
export function makeWorkspace(
  folder: string,
  { checkout, root, dialect }: { readonly checkout: string; readonly root: string; readonly dialect: string },
): Workspace {
  const bin = join(folder, 'bin');
  const runs = join(folder, 'runs');
  for (const path of [bin, runs]) mkdirSync(path, { recursive: true });
  for (const [name, command] of [
    ['bitcoind', `bitcoind -dialect=${dialect}`],
    ['bitcoin-cli', 'bitcoin-cli'],
  ] as const) {
    const program = join(bin, name);
    writeFileSync(program, `#!/bin/sh\nexec node "${root}dist/cli/main.js" ${command} "$@"\n`);
    chmodSync(program, 0o755);
  }
  const config = join(folder, 'config.ini');
  const environment = [
    'CLIENT_NAME=Bitcoin Core',
    'CLIENT_BUGREPORT=https://github.com/bitcoin/bitcoin/issues',
    `SRCDIR=${checkout}`,
    `BUILDDIR=${folder}`,
    'EXEEXT=',
    `RPCAUTH=${checkout}/share/rpcauth/rpcauth.py`,
  ];
  writeFileSync(config, ['[environment]', ...environment, '[components]', ...PARTS, ''].join('\n'));
  return {
    config,
    cache: join(folder, 'cache'),
    runs,
    environment: {
      ...process.env,
      BITCOIND: join(bin, 'bitcoind'),
      BITCOINCLI: join(bin, 'bitcoin-cli'),
      PYTHONPATH: `${root}test/coreFunctional/python`,
      PYTHONDONTWRITEBYTECODE: '1',
    },
  };
}

export interface Version {
  readonly dialect: string;
  readonly commit: string;
}

/** Reads which release a checkout is of, or becomes. */
export function versionOf(checkout: string): Version {
  const text = readFileSync(join(checkout, 'CMakeLists.txt'), 'utf8');
  const number = (name: string): number => Number(new RegExp(`CLIENT_VERSION_${name} (\\d+)`).exec(text)?.[1]);
  const next = number('MINOR') === 99 ? 1 : 0;
  const commit = execFileSync('git', ['-C', checkout, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  return { dialect: `core-${number('MAJOR') + next}`, commit };
}
