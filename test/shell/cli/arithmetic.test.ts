import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { nobleEcc } from '../../../src/core/crypto/nobleEcc.ts';
import { arithmeticText, chosenEcc } from '../../../src/shell/cli/arithmetic.ts';
import { installedPackages, type Packages } from '../../../src/shell/cli/packages.ts';
import { UsageError } from '../../../src/shell/terminal/usageError.ts';
import { run } from '../../support/io.ts';

const NATIVE = 'secp256k1/bindings.js';
const TINY = 'tiny-secp256k1';
const ONES = new Uint8Array(32).fill(1);

const failure = (code: string, message = 'of the loader'): Error => Object.assign(new Error(message), { code });

/** The installed packages, some of which fail; notes which ones are loaded. */
function world(faults: Readonly<Record<string, Error | object>> = {}): {
  readonly packages: Packages;
  readonly loaded: string[];
} {
  const loaded: string[] = [];
  const isMissing = (path: string): boolean =>
    (faults[path] as NodeJS.ErrnoException | undefined)?.code === 'MODULE_NOT_FOUND';
  return {
    loaded,
    packages: {
      ...installedPackages,
      has: (path) => !isMissing(path) && installedPackages.has(path),
      load: (path) => {
        loaded.push(path);
        const fault = faults[path];
        if (fault instanceof Error) throw fault;
        return fault ?? installedPackages.load(path);
      },
    },
  };
}

const MISSING = failure('MODULE_NOT_FOUND');
const FOREIGN = failure('ERR_DLOPEN_FAILED', '/home/satoshi/secp256k1.node: invalid ELF header');

/** Runs `work` as in a Node without WebAssembly. */
function withoutWebAssembly<T>(work: () => T): T {
  const { WebAssembly: kept } = globalThis as { WebAssembly?: unknown };
  Reflect.deleteProperty(globalThis, 'WebAssembly');
  try {
    return work();
  } finally {
    Object.assign(globalThis, { WebAssembly: kept });
  }
}

function refusal(choice: string, packages?: Packages): string {
  try {
    chosenEcc(choice, packages);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'not refused';
}

describe('arithmetic chosen for the user', () => {
  test('is the native library, then WebAssembly, then noble', () => {
    expect(arithmeticText(undefined, world().packages)).toBe('native (secp256k1 5.0.2)');
    expect(arithmeticText(undefined, world({ [NATIVE]: MISSING }).packages)).toBe('wasm (tiny-secp256k1 2.2.4)');
    expect(arithmeticText(undefined, world({ [NATIVE]: MISSING, [TINY]: MISSING }).packages)).toBe('noble');
  });

  test('is loaded at the first operation on the curve', () => {
    const { packages, loaded } = world({ [NATIVE]: MISSING });
    const ecc = chosenEcc(undefined, packages);
    const key = nobleEcc.publicKey(ONES);
    expect([ecc.isSecretKey(ONES), ecc.isPoint(key), ecc.isXOnlyPoint(ONES)]).toEqual([true, true, true]);
    expect(loaded).toEqual([]);
    expect(ecc.publicKey(ONES)).toEqual(key);
    ecc.publicKey(ONES);
    expect(loaded).toEqual([TINY]);
  });

  test.each([
    ['a native library of another machine', { [NATIVE]: FOREIGN }, [NATIVE, TINY]],
    ['a library with another interface', { [NATIVE]: { publicKeyCreate: () => ONES } }, [NATIVE, TINY]],
    [
      'a library with wrong signatures',
      { [NATIVE]: { ecdsaSign: () => ({ signature: new Uint8Array(64) }) } },
      [NATIVE, TINY],
    ],
    ['two libraries that fail', { [NATIVE]: FOREIGN, [TINY]: new RangeError('out of memory') }, [NATIVE, TINY]],
  ] as const)('is quietly that of the next library after %s', (_, faults, tried) => {
    const { packages, loaded } = world(faults);
    const ecc = chosenEcc(undefined, packages);
    expect(ecc.signEcdsa(ONES, ONES)).toEqual(nobleEcc.signEcdsa(ONES, ONES));
    expect(loaded).toEqual(tried);
  });

  test('without WebAssembly and native code is noble itself, which tries nothing', () => {
    const { packages, loaded } = world({ [NATIVE]: MISSING });
    withoutWebAssembly(() => {
      expect(chosenEcc(undefined, packages)).toBe(chosenEcc('noble'));
      expect(arithmeticText(undefined, packages)).toBe('noble');
    });
    expect(loaded).toEqual([]);
  });
});

describe('--arithmetic', () => {
  test.each(['native', 'wasm', 'noble'])('%s computes the same as noble', (name) => {
    const ecc = chosenEcc(name);
    const publicKey = ecc.publicKey(ONES);
    expect(publicKey).toEqual(nobleEcc.publicKey(ONES));
    const signature = ecc.signEcdsa(ONES, ONES);
    expect(ecc.verifyEcdsa(signature, ONES, publicKey)).toBe(true);
    expect(arithmeticText(name)).toMatch(new RegExp(`^${name}`));
  });

  test.each([
    [
      'native',
      { [NATIVE]: MISSING },
      '--arithmetic native: the package secp256k1 is not installed here: install it beside countersign (npm install secp256k1), or leave --arithmetic out',
    ],
    [
      'native',
      { [NATIVE]: FOREIGN },
      `--arithmetic native: the package secp256k1 has no native code that runs here (${process.platform} ${process.arch}): install it again on this machine, or leave --arithmetic out`,
    ],
    [
      'native',
      { [NATIVE]: new Error('No native build was found for platform=linux arch=ppc') },
      `--arithmetic native: the package secp256k1 has no native code that runs here (${process.platform} ${process.arch}): install it again on this machine, or leave --arithmetic out`,
    ],
    [
      'wasm',
      { [TINY]: MISSING },
      '--arithmetic wasm: the package tiny-secp256k1 is not installed here: install it beside countersign (npm install tiny-secp256k1), or leave --arithmetic out',
    ],
    [
      'wasm',
      { [TINY]: {} },
      '--arithmetic wasm: the package tiny-secp256k1 does not work here: install it again, or leave --arithmetic out',
    ],
  ] as const)('%s that does not load is refused: case %#', (name, faults, message) => {
    expect(refusal(name, world(faults).packages)).toBe(message);
  });

  test('wasm is refused without WebAssembly', () => {
    expect(withoutWebAssembly(() => refusal('wasm'))).toBe(
      '--arithmetic wasm: this Node.js runs without WebAssembly (--jitless): run it with WebAssembly, or leave --arithmetic out',
    );
  });

  test.each([
    ['nobel', 'unknown arithmetic "nobel"; did you mean noble? (known: native, wasm, noble)'],
    ['', 'unknown arithmetic "" (known: native, wasm, noble)'],
    ['constructor', 'unknown arithmetic "constructor" (known: native, wasm, noble)'],
  ])('is refused: "%s"', (name, message) => {
    expect(refusal(name)).toBe(message);
  });

  test('a key in its place is not shown', () => {
    const key = 'L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ';
    expect(refusal(key)).not.toContain(key.slice(4, 20));
  });

  test('is checked before a command starts', async () => {
    const { code, out, error } = await run(['batch', '--arithmetic', 'quick'], { stdin: '{"method":"help"}' });
    expect([code, out]).toEqual([1, '']);
    expect(error).toBe('error: unknown arithmetic "quick" (known: native, wasm, noble)\n');
  });

  test('stands in the second line of --version', async () => {
    const { out } = await run(['--version', '--arithmetic', 'wasm']);
    expect(out).toBe('countersign 0.0.0-test\narithmetic: wasm (tiny-secp256k1 2.2.4)\n');
    expect((await run(['--version'])).out).toMatch(/^countersign 0\.0\.0-test\narithmetic: /);
  });
});

const vector = (name: string): string => readFileSync(new URL(`../../../vectors/${name}`, import.meta.url), 'utf8');
const WORDS = `${'abandon '.repeat(11)}about`;
const REGTEST = ['--network', 'regtest'];
const WALLET = ['--descriptors-file', 'wallet'];
const KEY = 'cT8pbw7bFRYqohg7D4CrXTeRNMoq4vc3MvDMJTipavemVMAyLg2M';
const XPUB =
  'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8';

/** Command lines that compute with keys and signatures, with their files and standard input. */
const COMMANDS: readonly (readonly [
  argv: readonly string[],
  files?: Readonly<Record<string, string>>,
  stdin?: string,
])[] = [
  [['sign', 'spend.psbt', '--yes', '--out', '-', ...REGTEST, ...WALLET]],
  [['sign', 'spend.psbt', '--yes', '--out', '-', ...REGTEST, '--seed-file', 'words']],
  [['signpsbt', '--file', 'spend.psbt', '--yes', ...REGTEST, '--keys-file', 'keys']],
  [['review', 'spend.psbt', ...REGTEST, ...WALLET, '--json']],
  [['review', 'half.psbt', ...REGTEST, '--json']],
  [['finalize', 'half.psbt', ...REGTEST]],
  [['combine', 'half.psbt', 'half.psbt', '--out', '-', ...REGTEST]],
  [['inspect', 'half.psbt', ...REGTEST]],
  [['inspect', 'descriptor', ...REGTEST]],
  [['addresses', '--seed-file', 'words', '--count', '3', '--purpose', '86']],
  [['addresses', 'wallet', ...REGTEST, '--count', '2']],
  ...readdirSync(new URL('../../../vectors/wallets', import.meta.url)).map(
    (name) =>
      [
        ['addresses', 'file', '--count', '2', ...(name.includes('private') ? REGTEST : [])],
        { file: vector(`wallets/${name}`) },
      ] as const,
  ),
  [['signrawtransactionwithkey', '--file', 'tx', '--keys-file', 'keys', '--prevtxs-file', 'prevtxs', ...REGTEST]],
  [
    [
      'signrawtransactionwithkey',
      '--file',
      'tx',
      '--keys-file',
      'keys',
      '--prevtxs-file',
      'prevtxs',
      ...REGTEST,
    ].concat('--review', '--yes'),
  ],
  [['verifyrawtransaction', '--file', 'signed', '--prevtxs-file', 'prevtxs', ...REGTEST]],
  [['finalizepsbt', '--file', 'half.psbt', ...REGTEST]],
  [['analyzepsbt', '--file', 'half.psbt', ...REGTEST]],
  [['reviewpsbt', '--file', 'half.psbt', ...REGTEST]],
  [['utxoupdatepsbt', '--file', 'spend.psbt', '--descriptors-file', 'ranges', ...REGTEST]],
  [['descriptorprocesspsbt', '--file', 'spend.psbt', '--descriptors-file', 'ranges', ...REGTEST]],
  [['getdescriptorinfo', `wpkh(${KEY})`, ...REGTEST]],
  [['getdescriptorinfo', `wsh(and_v(v:pk(${XPUB}/0/*),pk(${XPUB}/1/*)))`]],
  [['deriveaddresses', `tr(${XPUB}/*,pk(${XPUB}/1/*))#`, '[0,3]']],
  [['batch', ...REGTEST], {}, vector('demo.requests.jsonl')],
];

const FILES = {
  'spend.psbt': vector('demo.spend.psbt'),
  'half.psbt': readFileSync(new URL('../../../vectors/demo.psbt', import.meta.url)),
  wallet: vector('demo.wallet.json'),
  ranges: JSON.stringify(JSON.parse(vector('demo.wallet.json')).map((desc: string) => ({ desc, range: [0, 9] }))),
  keys: vector('demo.keys.json'),
  prevtxs: vector('demo.prevtxs.json'),
  tx: vector('demo.unsigned.tx'),
  signed: vector('demo.tx'),
  words: WORDS,
  descriptor: JSON.parse(vector('demo.wallet.json'))[0],
};

/** The functions that compute with points: the others are the same for all libraries. */
const OPERATIONS = [
  'publicKey',
  'verifyEcdsa',
  'verifySchnorr',
  'signEcdsa',
  'signSchnorr',
  'isOwnEcdsa',
  'isOwnSchnorr',
  'tweakPublicKey',
  'tweakSecretKey',
] as const;

describe('every command', () => {
  const commands = COMMANDS.map(([argv, files = {}, stdin = '']) => ({
    argv,
    input: { files: { ...FILES, ...files }, stdin },
  }));
  test.each(commands)('computes only with the chosen library, and answers the same: $argv', async ({ argv, input }) => {
    const expected = await run([...argv, '--arithmetic', 'noble'], input);
    expect(expected.error).not.toMatch(/^error: (?!RPC)/);
    const used = OPERATIONS.map((name) => vi.spyOn(nobleEcc, name));
    try {
      for (const name of ['wasm', 'native'])
        expect(await run([...argv, '--arithmetic', name], input)).toEqual(expected);
      expect(OPERATIONS.filter((_, i) => used[i]?.mock.calls.length)).toEqual([]);
    } finally {
      vi.restoreAllMocks();
    }
  });
});
