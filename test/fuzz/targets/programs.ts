import { masterXprv, seedWords } from '../../../examples/fixtures.ts';
import { allMethods } from '../../../src/node/registry.ts';
import { runCommand } from '../../../src/shell/cli/command.ts';
import { commands } from '../../../src/shell/cli/commandTable.ts';
import { loadAllOptions } from '../../../src/shell/cli/readLine.ts';
import { fakeWorld } from '../../support/io.ts';
import { giveManyMangled } from '../../support/mangledInputs.ts';
import { mutateText } from '../mutate.ts';
import { OWN_PSBTS } from '../psbtSeeds.ts';
import { recordedCalls } from '../seeds.ts';
import type { Source } from '../source.ts';
import { holds, type Json, jsonTarget, type Target, Violation } from '../target.ts';

const WIF = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA';
const PSBT = Buffer.from(OWN_PSBTS[2] ?? new Uint8Array(0)).toString('base64');
const FILES: Readonly<Record<string, string>> = {
  'psbt.txt': PSBT,
  'keys.txt': `${WIF}\n${masterXprv}\n`,
  'words.txt': seedWords,
  'descriptors.txt': `wpkh(${masterXprv}/84h/1h/0h/<0;1>/*)\n`,
  'prevtxs.json': '[]',
};

/** Commands that wait for others, and options that reach beyond the fake files. */
const WAITING = new Set(['serve', 'dev', 'sync', 'work', 'batch', 'qr']);
const REACHING = /wallet-dir|wallet-store|queue|jobs|data-dir|signet/;

const NAMES = [...commands.keys(), ...allMethods().map(({ name }) => name)].filter((name) => !WAITING.has(name));
const OPTIONS = Object.keys(await loadAllOptions()).filter((name) => !REACHING.test(name));
const CALLS = recordedCalls(['core-32.util', 'core-32.decode'], 400).filter(({ params }) => Array.isArray(params));
const VALUES = [
  ...Object.keys(FILES),
  '-',
  '',
  'regtest',
  'core-32',
  '1',
  'json',
  'hex',
  'base64',
  'SINGLE',
  '84',
  '0',
  WIF,
  PSBT,
  'all=allow',
  'fee=warn',
];

function anyLine(source: Source): Json {
  const { method, params } = source.pick(CALLS);
  const isCall = source.once(2);
  const args = isCall
    ? [method, ...params.map((param) => (typeof param === 'string' ? param : JSON.stringify(param)))]
    : [source.pick(NAMES), ...Array.from({ length: source.next(3) }, () => source.pick(VALUES))];
  const options = Array.from({ length: source.next(5) }, () => {
    const name = `--${source.pick(OPTIONS)}`;
    const value = source.pick(VALUES);
    return source.once(3) ? [name] : source.once(2) ? [name, value] : [`${name}=${value}`];
  });
  const line = source.once(2) ? [...args, ...options.flat()] : [...options.flat(), ...args];
  return line.map((word) => (source.once(10) ? mutateText(source, word, VALUES) : word));
}

const SECRETS = [WIF.slice(4, 24), masterXprv.slice(10, 30), 'abandon abandon abandon'];

/** Requires a command line to end with a code and a sentence, without a secret that stands in the files. */
async function runLine(input: Json): Promise<void> {
  if (!Array.isArray(input) || !input.every((word) => typeof word === 'string')) return;
  const argv = input as readonly string[];
  if (argv.some((word) => REACHING.test(word) || WAITING.has(word))) return;
  const { io, written } = fakeWorld({ files: FILES });
  const code = await runCommand(argv, '0.0.0', io);
  holds(Number.isInteger(code) && code >= 0 && code < 256, `the code is ${code}`);
  holds(code === 0 || written.error !== '' || written.out !== '', 'a failure says something');
  for (const line of written.error.split('\n')) {
    if (SECRETS.some((secret) => line.includes(secret))) throw new Violation('standard error shows a secret');
  }
}

export const PROGRAM_TARGETS: readonly Target[] = [
  jsonTarget('command-line', { generate: anyLine, run: runLine, slowest: 20_000 }),
  jsonTarget('page', {
    generate: (source) => source.next(0x7fff_ffff),
    run: (input) => void (typeof input === 'number' && giveManyMangled(10, input)),
  }),
];
