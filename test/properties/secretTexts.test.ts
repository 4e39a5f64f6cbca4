import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { methodHelp } from '../../src/answers/method/help.ts';
import type { RpcSignature } from '../../src/answers/method/method.ts';
import type { Param } from '../../src/answers/method/param.ts';
import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import { allMethods } from '../../src/node/registry.ts';
import { runCommand } from '../../src/shell/cli/command.ts';
import { commands } from '../../src/shell/cli/commandTable.ts';
import { loadAllOptions } from '../../src/shell/cli/readLine.ts';
import { campaign, rounds } from '../support/campaign.ts';
import { fakeWorld, type Run, run } from '../support/io.ts';
import {
  answerText,
  completeSeedWords,
  createMemoryStore,
  createNodeRpc,
  type DialectName,
  decryptKey,
  dialects,
  masterOfElectrumSeed,
  type NodeRpc,
  networks,
  parseAddress,
  parseCodex32,
  parseDescriptor,
  parseScriptFlags,
  parseWif,
} from '../support/library.ts';
import { everythingOf, expectHidden, faultsIn, type Pasted, pasted } from '../support/secrets.ts';

/** No text of ours repeats a possible secret that was pasted in the wrong place. */

const SIGNATURES: readonly RpcSignature[] = allMethods();

const TXID = '11'.repeat(32);
/** A transaction with one output without value or script. */
const TX = `0200000001${TXID}0000000000ffffffff0100000000000000000000000000`;
const PSBT = `cHNidP8BAD8CAAAAAf//////////////////////////////////////////AAAAAAD/////AQAAAAAAAAAAA2oBAAAAAAAAAAA=`;

/** Valid values for these parameters, so that the parameters after them are read, too. */
const TAKEN: Readonly<Record<string, unknown>> = {
  txid: TXID,
  vout: 0,
  scriptPubKey: '0014'.padEnd(44, '1'),
  amount: 1,
  desc: 'raw(51)#8lvh9jxk',
  timestamp: 'now',
  hexstring: TX,
  psbt: PSBT,
  psbts: [PSBT, PSBT],
  txs: [PSBT, PSBT],
  inputs: [{ txid: TXID, vout: 0 }],
  outputs: [{ data: '00' }],
  privkeys: [],
  prevtxs: [],
  descriptor: 'raw(51)#8lvh9jxk',
  descriptors: ['raw(51)'],
  wallet_name: 'w',
  filename: 'w',
  requests: [],
  label: '',
};
const BY_TYPE: Readonly<Record<string, unknown>> = { string: 'w', number: 1, bool: false, array: [], object: {} };
const takenFor = ({ name, type }: Param): unknown => TAKEN[name] ?? BY_TYPE[type] ?? 'w';

/** Returns the names of members in a help text. */
const namesIn = (method: RpcSignature): readonly string[] => [
  ...new Set([
    ...method.params.flatMap(({ members = [] }) => members.map(({ name }) => name)),
    ...(methodHelp(method).match(/[a-zA-Z_]{2,}/g) ?? []),
  ]),
];
const MEMBERS: ReadonlyMap<string, readonly string[]> = new Map(
  SIGNATURES.map((signature) => [
    signature.name,
    namesIn(signature).filter(
      (name) => Object.hasOwn(TAKEN, name) || /key|script|addr|desc|data|hex|range|type|id/i.test(name),
    ),
  ]),
);

/** The number of shapes tried in one run; later runs try the others. */
const SHAPES_AT_ONCE = 6;
let turn = 0;

/** Puts a text into some of the shapes of an argument. */
function shapesOf(text: string, { name }: RpcSignature): readonly unknown[] {
  const members = MEMBERS.get(name) ?? [];
  const objects = [
    { [text]: 1 },
    { [text]: text },
    { ...TAKEN, [text]: text },
    { ...TAKEN, scriptPubKey: { address: text } },
    { ...TAKEN, scriptPubKey: { [text]: text } },
    ...members.flatMap((member) => [{ [member]: text }, { ...TAKEN, [member]: text }, { ...TAKEN, [member]: [text] }]),
  ];
  const shapes = [[text, text], [[text]], ...objects, ...objects.map((one) => [one])];
  const rounds = Math.ceil(shapes.length / SHAPES_AT_ONCE);
  return [text, [text], ...shapes.filter((_, i) => i % rounds === turn % rounds)];
}

function openNode(name: DialectName): NodeRpc {
  const network = name === 'litecoin-0.21' ? 'litecoin-regtest' : 'regtest';
  const random = (size: number): Uint8Array => new Uint8Array(size).fill(7);
  const rpc = createNodeRpc({
    network,
    dialect: name,
    store: createMemoryStore(),
    ecc: nativeSecp256k1Ecc,
    clock: () => 0,
    random,
  });
  rpc.call('createwallet', ['w']);
  return rpc;
}

function expectCallHides(
  rpc: NodeRpc,
  secret: Pasted,
  method: string,
  params: readonly unknown[] | Record<string, unknown>,
  wallet = 'w',
): void {
  let shown = '';
  try {
    shown = JSON.stringify(faultsIn(rpc.call(method, params, wallet)));
  } catch (error) {
    shown = everythingOf(error);
  }
  expectHidden(shown, secret, { method, params, wallet });
}

/** Replaces scrypt, which is slow: texts do not depend on the derived key. */
const isSlow = ({ name }: Param, value: unknown): boolean => /passphrase/.test(name) && typeof value === 'string';

function expectMethodHides(rpc: NodeRpc, secret: Pasted, signature: RpcSignature): void {
  const { name, params } = signature;
  const { text } = secret;
  const others = params.map(takenFor);
  const shapes = shapesOf(text, signature);
  params.forEach((param, position) => {
    for (const value of shapes.filter((one) => !isSlow(param, one))) {
      expectCallHides(rpc, secret, name, [...others.slice(0, position), value]);
      if (position + 1 < others.length)
        expectCallHides(
          rpc,
          secret,
          name,
          others.map((one, i) => (i === position ? value : one)),
        );
    }
    for (const value of [text, [text]].filter((one) => !isSlow(param, one))) {
      expectCallHides(rpc, secret, name, { [param.name]: value });
    }
  });
  expectCallHides(rpc, secret, name, { [text]: 1 });
  expectCallHides(rpc, secret, name, { args: [text], [text]: text });
  expectCallHides(rpc, secret, name, [...others, text]);
  expectCallHides(rpc, secret, name, [], text);
  const [member, listed] = [JSON.stringify(text), JSON.stringify(name)];
  for (const body of [
    `{"method":${listed},"params":{${member}:1,${member}:2}}`,
    `{"method":${listed},"params":[],"wallet":${member}}`,
    `{"method":${listed},"params":${member}}`,
    `{"method":${listed},"params":[${text}]}`,
  ]) {
    // The results of lists show the names that the user gave to wallets.
    const { result, error } = JSON.parse(answerText(rpc, body, { readsWallet: true })) as Record<string, unknown>;
    expectHidden(JSON.stringify([error, faultsIn(result)]), secret, body);
  }
}

describe('possible secrets do not appear in a text', () => {
  test.each(Object.keys(dialects) as DialectName[])('of a method of %s', (name) => {
    fc.assert(
      fc.property(pasted, (secret) => {
        turn += 1;
        const rpc = openNode(name);
        for (const signature of SIGNATURES) expectMethodHides(rpc, secret, signature);
        expectCallHides(rpc, secret, secret.text, []);
      }),
      campaign(5),
    );
  });

  test('of an error of the library', () => {
    const { main } = networks;
    const calls: readonly ((text: string) => unknown)[] = [
      (text) => parseDescriptor(text, main),
      (text) => parseDescriptor(`wsh(${text})`, main),
      (text) => parseDescriptor(`multi(${text},02)`, main),
      (text) => parseDescriptor(`tr(${text},{${text},${text}})`, main),
      (text) => parseAddress(text, main),
      (text) => parseWif(text, main),
      (text) => decryptKey(text, text, { network: main }),
      (text) => parseCodex32(text),
      (text) => parseCodex32([text, text]),
      (text) => masterOfElectrumSeed(text, { passphrase: text }),
      (text) => completeSeedWords(text, { most: 1 }),
      (text) => parseScriptFlags(text),
      (text) => createNodeRpc({ network: text as 'main', clock: () => 0, random: () => new Uint8Array() }),
      (text) => createNodeRpc({ dialect: text as 'core-32', clock: () => 0, random: () => new Uint8Array() }),
    ];
    fc.assert(
      fc.property(pasted, (secret) => {
        for (const call of calls) {
          try {
            call(secret.text);
          } catch (error) {
            expectHidden(everythingOf(error), secret, String(call));
          }
        }
      }),
      campaign(150),
    );
  });
});

const directory = mkdtempSync(join(tmpdir(), 'cs-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const VALUED: readonly string[] = Object.entries(await loadAllOptions()).flatMap(([name, { kind }]) =>
  kind === 'flag' ? [] : [name],
);
/** Options whose values are files to create. */
const MAKERS: ReadonlySet<string> = new Set(['wallet-dir', 'to-file', 'rpccookiefile']);
const NAMES: readonly string[] = [...commands.keys(), 'help', ...SIGNATURES.map(({ name }) => name)];

const SERVERS: ReadonlySet<string> = new Set(['serve', 'dev']);

/** Failures go to standard error, or to standard output with an exit code other than 0. */
function expectRunHides({ code, out, error }: Run, secret: Pasted, argv: readonly string[]): void {
  expectHidden(code === 0 ? error : `${out}\n${error}`, secret, argv);
}

async function expectCommandHides(secret: Pasted, argv: readonly string[]): Promise<void> {
  const { text } = secret;
  const files = { f: text, 'f.json': text, 'list.json': JSON.stringify([text]), psbt: PSBT, empty: '[]' };
  // A server would keep waiting for requests.
  if (SERVERS.has(argv[0] ?? '') && argv.length < 3) return;
  expectRunHides(await run(argv, { files, stdin: text, isWatched: true }), secret, argv);
}

/** The ways to give an option a value. */
function optionsWith(name: string, text: string): readonly (readonly string[])[] {
  if (MAKERS.has(name)) return [[`--${name}`, join(directory, text.replaceAll('\0', ''), 'x')]];
  return [
    [`--${name}`, text],
    [`--${name}=${text}`],
    [`--${name}`, 'f'],
    [`--${name}`, 'f.json'],
    [`--${name}`, 'list.json'],
  ];
}

describe('possible secrets do not appear in a text of the command line', () => {
  test('given as an option or its value', async () => {
    const commands = [
      ['signpsbt', PSBT],
      ['review', PSBT],
      ['signrawtransactionwithkey', TX],
      ['sync', '--wallet-dir', join(directory, 'w')],
    ];
    const given = fc.record({
      secret: pasted,
      name: fc.constantFrom(...NAMES.filter((one) => !SERVERS.has(one))),
      at: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(given, async ({ secret, name, at }) => {
        const { text } = secret;
        const taking = [[name], ...commands];
        for (const [i, option] of VALUED.entries()) {
          const ways = optionsWith(option, text);
          const way = ways[(at + i) % ways.length] ?? [];
          for (const command of [taking[(at + i) % taking.length] ?? [], ['signpsbt', PSBT]]) {
            await expectCommandHides(secret, [...command, ...way]);
          }
        }
        for (const unknown of [`--${text}`, `--${text}=x`, `-${text}`, `--no-${text}`]) {
          await expectCommandHides(secret, [name, unknown]);
          await expectCommandHides(secret, [unknown]);
        }
      }),
      campaign(40),
    );
  });

  test('given as a command, an argument, or on standard input', async () => {
    await fc.assert(
      fc.asyncProperty(pasted, async (secret) => {
        const { text } = secret;
        for (const argv of [
          [text],
          [text, '--yes'],
          ['help', text],
          ['batch', text],
          ['serve', text, 'x'],
          ['sync', text],
          ['help', ...text.split(/\s/)],
        ]) {
          await expectCommandHides(secret, argv);
        }
        for (const name of NAMES.filter((one) => !SERVERS.has(one))) {
          await expectCommandHides(secret, [name, text]);
          await expectCommandHides(secret, [name, '-', text, text]);
          await expectCommandHides(secret, [name, 'f', 'f.json', 'list.json']);
          await expectCommandHides(secret, [name, '--named', `${text}=1`]);
        }
        await expectCommandHides(secret, ['signpsbt', PSBT, text]);
        await expectCommandHides(secret, ['review', PSBT, '--policy', `fee-absurd=${text}`]);
      }),
      campaign(20),
    );
  });

  test('that finds out what a file is, nor in its answer', async () => {
    // Hex and URIs are shown to whoever asks what they are, if they are not whole secrets.
    const given = pasted.filter(({ kind, text }) => kind !== 'hex' && !text.startsWith('bitcoin:'));
    const network = ['--network', 'regtest'];
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(given, async (secret) => {
        const { text } = secret;
        const files = { f: text, 'f.json': JSON.stringify({ hex: text }), list: JSON.stringify([text]) };
        for (const name of [...Object.keys(files), '-']) {
          for (const argv of [
            ['inspect', name],
            ['qr', name],
            ['review', name],
            ['finalize', name],
            ['combine', name, 'f'],
            ['addresses', name],
            ['coins', name],
            ['labels', name, '--wallet-dir', directory],
          ]) {
            const { code, out, error } = await run([...argv, ...network], { files, stdin: text });
            refused += code === 0 ? 0 : 1;
            expectHidden(`${out}\n${error}`, secret, argv);
          }
        }
      }),
      campaign(30),
    );
    expect(refused).toBeGreaterThan(rounds(500));
  });

  test('given to a server as an option', async () => {
    const options = VALUED.filter((option) => option.startsWith('rpc') && option !== 'rpcclienttimeout');
    await fc.assert(
      fc.asyncProperty(pasted, fc.constantFrom(...options), async (secret, option) => {
        const argv = [
          'serve',
          '--network',
          'regtest',
          '--rpcport',
          '0',
          ...(optionsWith(option, secret.text)[0] ?? []),
        ];
        const { io, written, requestStop } = fakeWorld({
          isWatched: true,
          environment: { COUNTERSIGN_RPCPASSWORD: 'x' },
        });
        const cookie =
          argv.includes('--rpccookiefile') || option === 'rpcuser'
            ? []
            : ['--rpccookiefile', join(directory, '.cookie')];
        const running = runCommand([...argv, ...cookie], '0.0.0-test', {
          ...io,
          writeError: (text) => {
            io.writeError(text);
            setImmediate(requestStop);
          },
        });
        await running;
        expectHidden(`${written.out}${written.error}`, secret, argv);
      }),
      campaign(30),
    );
  });
});
