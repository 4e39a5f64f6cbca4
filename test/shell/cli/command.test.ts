import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { dialects } from '../../../src/answers/dialect/dialect.ts';
import { allMethods } from '../../../src/node/registry.ts';
import { optionsHelp } from '../../../src/shell/cli/commandHelp.ts';
import { commands, programs } from '../../../src/shell/cli/commandTable.ts';
import { generalOptions, type Options } from '../../../src/shell/cli/options.ts';
import { loadCommand } from '../../../src/shell/cli/readLine.ts';
import { run } from '../../support/io.ts';
import { ENGLISH, POLICY_DEFAULTS, type PolicyCheck } from '../../support/library.ts';
import { temporaryPaths } from '../../support/temporary.ts';

const demo = new Uint8Array(readFileSync(new URL('../../../vectors/demo.psbt', import.meta.url)));
const demoBase64 = Buffer.from(demo).toString('base64');
const COINBASE_TX = `01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff0151ffffffff0100f2052a010000000151${'00000000'}`;

describe('one call', () => {
  test('takes a PSBT as an argument, from a file or from standard input, in base64 or binary', async () => {
    const byArgument = await run(['decodepsbt', demoBase64]);
    expect(byArgument).toMatchObject({ code: 0, error: '' });
    expect(JSON.parse(byArgument.out)).toHaveProperty('tx.txid');
    const others = await Promise.all([
      run(['decodepsbt', '--file', 'demo.psbt'], { files: { 'demo.psbt': demo } }),
      run(['decodepsbt', '--file=demo.txt'], { files: { 'demo.txt': `${demoBase64}\n` } }),
      run(['decodepsbt', '-'], { stdin: demo }),
      run(['decodepsbt', '-'], { stdin: `  ${demoBase64}\r\n` }),
    ]);
    for (const other of others) expect(other).toEqual(byArgument);
  });

  test('prints one line, or indents like bitcoin-cli', async () => {
    expect((await run(['decodescript', '51', '--dialect', 'core-0.21'])).out).toMatch(
      /^\{"asm":"1","type":"nonstandard",[^\n]*\}\n$/,
    );
    expect((await run(['decodescript', '6a', '--pretty'])).out).toBe(
      '{\n  "asm": "OP_RETURN",\n  "desc": "raw(6a)#4mhr9ur5",\n  "type": "nulldata"\n}\n',
    );
  });

  test('reads arguments that are not strings as JSON', async () => {
    const wire = COINBASE_TX;
    expect((await run(['decoderawtransaction', wire, 'false'])).code).toBe(0);
    expect(await run(['decoderawtransaction', wire, 'flase'])).toEqual({
      code: 1,
      out: '',
      error: 'error: Error parsing JSON: flase\n',
    });
    expect(await run(['decoderawtransaction', wire, '"true"'])).toMatchObject({ code: 3 });
  });

  test('reads arguments by name', async () => {
    const wire = COINBASE_TX;
    const byPosition = await run(['decoderawtransaction', wire, 'true']);
    for (const args of [
      ['iswitness=true', `hexstring=${wire}`],
      ['-', 'iswitness=true'],
    ]) {
      expect(await run(['--named', 'decoderawtransaction', ...args], { stdin: wire })).toEqual(byPosition);
    }
    const named = (...args: string[]) => run(['--dialect', 'core-32', '--named', ...args]);
    expect(await named('decodescript', 'hexstring=6a=')).toMatchObject({ code: 8 });
    expect(await named('decodescript', 'hexstring=6a', 'hexstring=6a')).toMatchObject({
      code: 8,
      error: 'error code: -8\nerror message:\nParameter hexstring specified multiple times\n',
    });
  });

  test('follows the network and the dialect', async () => {
    const script = `0014${'00'.repeat(20)}`;
    const addressOn = async (network: string): Promise<unknown> =>
      JSON.parse((await run(['decodescript', script, '--network', network])).out).address;
    expect(await addressOn('main')).toMatch(/^bc1q/);
    expect(await addressOn('litecoin-regtest')).toMatch(/^rltc1q/);
    const own = {
      name: 'own',
      ticker: 'LCR',
      pubKeyHash: 48,
      scriptHash: 50,
      wif: 176,
      bip32: { public: 1, private: 2 },
      hrp: 'lcr',
      maxMoney: '8400000000000000',
    };
    const { out } = await run(['decodescript', script, '--network', 'lcr.json'], {
      files: { 'lcr.json': JSON.stringify(own) },
    });
    expect(JSON.parse(out).address).toMatch(/^lcr1q/);
  });

  test('answers errors as bitcoin-cli does', async () => {
    expect(await run(['decodepsbt', 'cHNidP8A'])).toEqual({
      code: 22,
      out: '',
      error: 'error code: -22\nerror message:\nTX decode failed No unsigned transaction was provided: iostream error\n',
    });
    expect(await run(['decoderawtransaction', 'zz'])).toMatchObject({
      code: 22,
      error: 'error code: -22\nerror message:\nTX decode failed\n',
    });
    expect(await run(['decodescript', 'abc'])).toMatchObject({
      code: 8,
      error: "error code: -8\nerror message:\nargument must be hexadecimal string (not 'abc')\n",
    });
    const help = await run(['decodepsbt']);
    expect(help.code).toBe(1);
    expect(help.error).toMatch(/^error code: -1\nerror message:\ndecodepsbt "psbt"\n/);
  });
});

test('an empty input is an error, not an empty argument', async () => {
  const empty = { code: 1, out: '' };
  expect(await run(['decodescript', '-'])).toEqual({ ...empty, error: 'error: standard input is empty\n' });
  expect(await run(['decodescript', '--file', 'x'], { files: { x: '' } })).toEqual({
    ...empty,
    error: 'error: --file: x is empty\n',
  });
  expect((await run(['decodescript', ''])).code).toBe(0);
});

test('an endless file is refused in bounded memory', async () => {
  const endless = async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield new Uint8Array(1 << 20);
  };
  expect(await run(['decodescript', '--file', '-'], { stdin: endless() })).toEqual({
    code: 1,
    out: '',
    error: 'error: standard input is larger than 100000000 bytes\n',
  });
});

describe('an invalid command line', () => {
  test.each([
    [['sing', 'x'], 89, 'error code: -32601\nerror message:\nMethod not found\ndid you mean sign?\n'],
    [['decodpsbt', 'x'], 89, 'error code: -32601\nerror message:\nMethod not found\ndid you mean decodepsbt?\n'],
    [
      ['frobnicate'],
      89,
      'error code: -32601\nerror message:\nMethod not found\n"countersign help" lists the commands\n',
    ],
    [['decodepsbt', '--netwrok', 'main', 'x'], 1, 'error: unknown option --netwrok; did you mean --network?\n'],
    [['decodepsbt', '--=secret', 'x'], 1, 'error: an option needs a name before "="\n'],
    [
      ['decodepsbt', '--frobnicate', 'x'],
      1,
      'error: unknown option --frobnicate; "countersign help" lists the options\n',
    ],
    [
      ['--network', 'main', 'review', '--wallet', 'x'],
      1,
      'error: unknown option --wallet; "countersign help review" lists its options\n',
    ],
    [['sign', '--rpcwalet', 'x'], 1, 'error: unknown option --rpcwalet; "countersign help sign" lists its options\n'],
    [['batch', '--rpcwalet', 'x'], 1, 'error: unknown option --rpcwalet; "countersign help batch" lists its options\n'],
    [['getbalance', '--rpcwalet', 'x'], 1, 'error: unknown option --rpcwalet; did you mean --rpcwallet?\n'],
    [['serve', '--port', '1'], 1, 'error: unknown option --port; did you mean --rpcport?\n'],
    [['decodepsbt', '-regtest', 'x'], 1, 'error: unknown option -regtest; did you mean --network regtest?\n'],
    [['decodepsbt', '--testnet', 'x'], 1, 'error: unknown option --testnet; did you mean --network testnet3?\n'],
    [['listwallets', '-rpcwallet=secret'], 1, 'error: unknown option -rpcwallet; did you mean --rpcwallet?\n'],
    [
      ['decodepsbt', '-x'],
      1,
      'error: unknown option -x; options begin with two dashes, and "countersign help" lists them\n',
    ],
    [['decodepsbt', '--file'], 1, 'error: --file needs a value (for one that begins with "-", write --file=VALUE)\n'],
    [
      ['decodepsbt', '--network', '--file', 'x'],
      1,
      'error: --network needs a value (for one that begins with "-", write --network=VALUE)\n',
    ],
    [
      ['serve', '--rpcport', '-1'],
      1,
      'error: --rpcport needs a value (for one that begins with "-", write --rpcport=VALUE)\n',
    ],
    [['decodescript', '6a', '--pretty=yes'], 1, "error: Option '--pretty' does not take an argument\n"],
    [['decodescript', '6a', '--policy', 'burn=refuse'], 1, 'error: --policy does not apply to decodescript\n'],
    [
      ['--named', 'signrawtransactionwithkey', 'hexstrin=00'],
      1,
      'error: --named needs arguments as name=value; the names of signrawtransactionwithkey are hexstring, privkeys, prevtxs, sighashtype; did you mean hexstring?\n',
    ],
    [
      ['--named', 'decodescript', 'a secret'],
      1,
      'error: --named needs arguments as name=value; the names of decodescript are hexstring\n',
    ],
    [['batch', '--named'], 1, 'error: --named does not apply to batch\n'],
    [['batch', '--rpcwallet', 'w'], 1, 'error: --rpcwallet does not apply to batch\n'],
    [['serve', '--keys-stdin'], 1, 'error: --keys-stdin does not apply to serve\n'],
    [['sync', '--pretty'], 1, 'error: --pretty does not apply to sync\n'],
    [['review', 'x', '--nonce-dir', 'x'], 1, 'error: --nonce-dir does not apply to review\n'],
    [['signpsbt', 'x', '--prevtxs-file', 'x'], 1, 'error: --prevtxs-file does not apply to signpsbt\n'],
    [
      ['decodepsbt', 'x', '--network', 'regtset'],
      1,
      'error: unknown network "regtset"; did you mean regtest? (known: main, testnet3, testnet4, signet, regtest, litecoin, litecoin-testnet, litecoin-regtest)\n',
    ],
    [
      ['decodepsbt', 'x', '--dialect', 'core-28'],
      1,
      'error: unknown dialect "core-28"; did you mean core-29? (known: documented, core-0.21, litecoin-0.21, core-29, core-30, core-31, core-32)\n',
    ],
    [['decodepsbt', '--file', 'nowhere.psbt'], 1, 'error: --file: cannot read nowhere.psbt: no such file\n'],
    [['decodepsbt', 'x', '--network', 'nowhere.json'], 1, 'error: --network: cannot read nowhere.json: no such file\n'],
    [['batch', 'x'], 1, 'error: batch takes no arguments: it reads requests from standard input, one per line\n'],
    [['help', 'decodepbst'], 1, 'error: help: unknown command: decodepbst; did you mean decodepsbt?\n'],
    [['help', 'addconnection'], 1, 'error: help: unknown command: addconnection\n'],
    [['help', 'L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ'], 1, 'error: help: unknown command: ...\n'],
    [
      ['combinepsbt', 'a.json', 'b.json'],
      1,
      'error: Error parsing JSON: a.json; to combine files: countersign combine FILE FILE...\n',
    ],
  ])('%j is answered with one line', async (argv, code, error) => {
    expect(await run(argv)).toEqual({ code, out: '', error });
  });

  test('may contain a negative number as an argument, as with bitcoin-cli', async () => {
    const { out } = await run(['createpsbt', '[]', '[]', '-1']);
    expect(out).toBe('');
    expect(await run(['createpsbt', '[]', '[]', '-1', '--pretty'])).toEqual(
      await run(['createpsbt', '--pretty', '[]', '[]', '--', '-1']),
    );
    expect((await run(['createpsbt', '--pretty', '-1'])).error).toContain('error code: -1\n');
  });

  test('names the invalid member of a network file', async () => {
    const files = { 'bad.json': '{"name":"x","ticker":"X","pubKeyHash":300}', 'worse.json': '{' };
    const of = async (file: string): Promise<string> =>
      (await run(['decodescript', '51', '--network', file], { files })).error;
    expect(await of('bad.json')).toBe(
      'error: --network: bad.json: The pubKeyHash of the network must be a whole number from 0 to 255\n',
    );
    expect(await of('worse.json')).toMatch(/^error: --network: worse\.json: /);
  });
});

describe('help', () => {
  test('of a method is the same by its name and by an option', async () => {
    for (const method of ['decodepsbt', 'decoderawtransaction', 'decodescript', 'batch']) {
      expect((await run(['help', method])).out).toContain(method);
      expect((await run([method, '--help'])).out).toBe((await run(['help', method])).out);
    }
  });

  test.each([
    ['signmessage', /^ {2}--bip322 .*\n +signmessage --bip322 ADDRESS MESSAGE/m],
    ['verifymessage', /^ +verifymessage --bip322 ADDRESS SIGNATURE MESSAGE/m],
    ['signrawtransactionwithkey', /^ {2}--review {2}/m],
  ])('of a method explains the options that only it takes: %s', async (method, text) => {
    expect((await run(['help', method])).out).toMatch(text);
    expect((await run(['help', 'decodescript'])).out).not.toMatch(text);
  });

  test('lists each check of a review under its default action', async () => {
    const { out } = await run(['help', 'policy']);
    const actions = out.split(/\n(?=(?:refuse|warn|allow):\n)/).slice(1);
    const listed = actions.flatMap((part) => {
      const [action = '', ...names] = part.split('\n\n')[0]?.split('\n') ?? [];
      return names.filter(Boolean).map((line) => {
        const [name = '', ...title] = line.trim().split(/\s{2,}/);
        expect(title).toEqual([ENGLISH.checks[name as PolicyCheck].title]);
        return [name, action.slice(0, -1)];
      });
    });
    expect(Object.fromEntries(listed)).toEqual(POLICY_DEFAULTS);
  });

  test('names one command that signs PSBTs', async () => {
    const { out } = await run(['help']);
    expect(out.split('\n').filter((line) => /^ {2}countersign sign/.test(line))).toHaveLength(1);
  });

  test('is shown for a bare command, with exit code 1', async () => {
    expect(await run([])).toEqual({ code: 1, out: '', error: (await run(['help'])).out });
  });

  test('has a version', async () => {
    expect(await run(['--version', '--arithmetic', 'noble'])).toEqual({
      code: 0,
      out: 'countersign 0.0.0-test\narithmetic: noble\n',
      error: '',
    });
  });
});

describe('names that were mistyped or misplaced', () => {
  const files = { 'spend.psbt': demo };
  test.each([
    [['sgin', 'spend.psbt'], 'did you mean sign?'],
    [['reveiw'], 'did you mean review?'],
    [['spend.psbt'], 'spend.psbt is a file: "countersign inspect spend.psbt" shows what it holds'],
    [['decodepsbt', 'spend.psbt'], 'spend.psbt is a file: read it with --file spend.psbt'],
    [['nonsense'], '"countersign help" lists the commands'],
  ])('draw a hint: %j', async (args, hint) => {
    const { code, error } = await run(args, { files });
    expect(code).toBeGreaterThan(0);
    expect(error.trimEnd().split('\n').at(-1)).toBe(hint);
  });
});

describe('defaults', () => {
  const nextPath = temporaryPaths();
  const environment = { COUNTERSIGN_NETWORK: 'regtest', COUNTERSIGN_DIALECT: 'core-32' };
  const SCRIPT = `0014${'11'.repeat(20)}`;

  test('come from the environment, unless options say otherwise', async () => {
    const decoded = async (...args: string[]) => (await run(['decodescript', SCRIPT, ...args], { environment })).out;
    expect(await decoded()).toContain('"address":"bcrt1');
    expect(await decoded('--network', 'main')).toContain('"address":"bc1');
    expect(await decoded('--dialect', 'core-0.21')).toContain('"addresses":["bcrt1');
    const { error } = await run(['decodescript', SCRIPT], { environment: { COUNTERSIGN_NETWORK: 'regtset' } });
    expect(error).toContain('unknown network "regtset"; did you mean regtest?');
  });

  test('come from a wallet directory before the environment', async () => {
    const directory = nextPath();
    const made = await run(['createwallet', 'w', '--wallet-dir', directory, '--network', 'signet'], {});
    expect(made.code).toBe(0);
    const { code, out } = await run(['getbestblockhash', '--wallet-dir', directory], { environment });
    expect([code, out]).toEqual([0, '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6\n']);
    const other = await run(['getbestblockhash', '--wallet-dir', directory, '--network', 'main']);
    expect(other.error).toContain('belongs to --network signet');
  });
});

test('the help begins with the commands that people want, and leads to the methods', async () => {
  const { out } = await run(['help']);
  const lines = out.split('\n');
  expect(lines.slice(3, 7).map((line) => line.trim().split(' ')[1])).toEqual(['review', 'sign', 'combine', 'finalize']);
  expect(out).toContain('version 0');
  expect(out).toContain('countersign help node');
  const ofNodes = (await run(['help', 'node'])).out;
  expect(ofNodes).toContain('countersign help methods');
  const listed = new Set([...`${out}${ofNodes}`.matchAll(/^ {2}countersign (\S+)/gm)].map(([, name]) => name));
  expect([...commands.keys(), ...programs.keys(), 'completion', 'man'].filter((name) => !listed.has(name))).toEqual([]);
  expect(out.replace(/\s+/g, ' ')).toContain(
    `the node to answer as: ${Object.keys(dialects).join(', ')}; core for core-31`,
  );
  expect(out).toContain('--version\n');
});

test.each(['', ...commands.keys()])('the help of %j fits a terminal, but for its examples', async (name) => {
  const { out } = await run(name === '' ? ['help'] : ['help', name]);
  const tooLong = out.split('\n').filter((line) => line.length > 80 && !line.startsWith('> '));
  expect(tooLong).toEqual([]);
});

test('the help of methods lists every method once, and their options', async () => {
  const { code, out } = await run(['help', 'methods']);
  expect(code).toBe(0);
  const names = out.split('\n').flatMap((line) => /^ {2}([a-z.]+)(?: |$)/.exec(line)?.[1] ?? []);
  expect(names.sort()).toEqual(
    allMethods()
      .map(({ name }) => name)
      .sort(),
  );
  expect(out).toContain('--rpcwallet NAME');
});

describe('the options of commands', async () => {
  const declared = await Promise.all(
    ['', ...commands.keys()].map(async (name) => ({ name, ...(await loadCommand(name)) })),
  );

  test.each(declared)('"$name" are all in its help, and need only options that it has', ({ options }) => {
    const text = optionsHelp(options);
    expect(Object.keys(options).filter((option) => !new RegExp(`--${option}(?![a-z-])`).test(text))).toEqual([]);
    const needed = Object.values(options).flatMap(({ needs = [] }) => needs);
    expect(needed.filter((option) => !Object.hasOwn(options, option))).toEqual([]);
  });

  test('with the same name are of the same kind', () => {
    const kinds = new Map(Object.entries(generalOptions as Options).map(([name, { kind }]) => [name, kind]));
    for (const { options } of declared) {
      for (const [name, { kind }] of Object.entries(options)) {
        expect([name, kinds.get(name) ?? kind]).toEqual([name, kind]);
        kinds.set(name, kind);
      }
    }
  });
});
