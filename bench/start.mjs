// How long a process takes to start and to do one small thing, beside `node -e 0`: commands, the single-file release, and
// imports of libraries. The programs take turns, so that a busy machine slows all of them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assert, cell, line } from './measure.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 15);
const root = fileURLToPath(new URL('..', import.meta.url));
const spend = join(root, 'vectors/demo.spend.psbt');
const xpub =
  'xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj';
/** The first phrase of BIP39's test vectors. */
const WORDS = `${'abandon '.repeat(11)}about\n`;

const commands = (wordsFile) => ({
  '--version': ['--version'],
  help: ['help'],
  'decodescript 51': ['decodescript', '51'],
  'decodepsbt --file': ['decodepsbt', '--file', spend],
  'inspect FILE': ['inspect', spend],
  'addresses DESCRIPTOR': ['addresses', `wpkh(${xpub}/0/*)`],
  'review FILE': ['review', spend, '--network', 'regtest'],
  'addresses --seed-file (with PBKDF2)': ['addresses', '--seed-file', wordsFile],
});

const imports = {
  "import 'countersign'": ['module', 'countersign'],
  "require('countersign')": ['commonjs', 'countersign'],
  "import '@scure/btc-signer'": ['module', '@scure/btc-signer'],
  "import 'bitcoinjs-lib'": ['module', 'bitcoinjs-lib'],
};

function programs(folder) {
  const wordsFile = join(folder, 'words.txt');
  writeFileSync(wordsFile, WORDS);
  const release = join(root, 'release/countersign.mjs');
  const mains = {
    countersign: join(root, 'dist/cli/main.js'),
    ...(existsSync(release) && { 'release file': release }),
  };
  const ofCommands = Object.entries(mains).flatMap(([name, main]) =>
    Object.entries(commands(wordsFile)).map(([command, args]) => [`${name} ${command}`, [main, ...args]]),
  );
  const ofImports = Object.entries(imports).map(([name, [type, library]]) => {
    const code = type === 'module' ? `import ${JSON.stringify(library)}` : `require(${JSON.stringify(library)})`;
    return [name, [`--input-type=${type}`, '-e', code]];
  });
  return [['node -e 0', ['-e', '0']], ...ofCommands, ...ofImports];
}

/** Runs Node once. Returns the milliseconds that it took, and those of processor time, which bash measures. */
export function timeOf(args) {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>&1';
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' };
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...args], options);
  assert(status === 0, `${args.join(' ')} ends with ${status}: ${stderr}`);
  const [real, user, system] = stderr.trim().split(' ').map(Number);
  return { wall: real * 1000, processor: (user + system) * 1000 };
}

function medianOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

export function benchStart() {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    const times = programs(folder).map(([name, args]) => ({ name, args, runs: [] }));
    for (let round = 0; round < ROUNDS; round += 1) for (const { args, runs } of times) runs.push(timeOf(args));
    const rows = times.map(({ name, runs }) => ({
      name,
      processor: medianOf(runs.map(({ processor }) => processor)),
      wall: medianOf(runs.map(({ wall }) => wall)),
    }));
    const [node] = rows;
    console.log(line('from start to end', 'processor time, ms', 'of node -e 0', 'time, ms', 'of node -e 0'));
    console.log(line('---', '---', '---', '---', '---'));
    for (const { name, processor, wall } of rows) {
      const ratios = [processor / node.processor, wall / node.wall].map((ratio) => `${ratio.toFixed(2)}×`);
      console.log(line(name, cell(processor), ratios[0], cell(wall), ratios[1]));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
