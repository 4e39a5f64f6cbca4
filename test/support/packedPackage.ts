import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './temporary.ts';

export const root = new URL('../..', import.meta.url).pathname;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/** The entry points that are code: the name to import, such as `countersign/psbt`, and the module of `src` behind it. */
export const entryPoints = Object.entries(manifest.exports).flatMap(([subpath, target]) => {
  if (!target.endsWith('.js')) return [];
  const source = target.replace('./dist/', 'src/').replace(/\.js$/, '.ts');
  return [{ name: `${manifest.name}${subpath.slice(1)}`, source: join(root, source) }];
});

/** Packs `dist`, which `npm test` has built. @returns the path of the tarball */
export function packTarball(folder: string): string {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' })) as [{ filename: string }];
  return join(folder, packed.filename);
}

/** Makes the release of a checkout, and its `dist`. @returns its checksums */
export const makeRelease = (folder: string): string =>
  execFileSync(process.execPath, [join(folder, '.build/release.mjs')], { encoding: 'utf8' });

/** Makes a project of this type that has the packed package, its dependencies and all libraries for arithmetic installed. */
export function projectWith(tarball: string, type: 'module' | 'commonjs'): string {
  const project = temporaryDirectory();
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type }));
  const installed = join(project, 'node_modules/countersign');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['xzf', tarball, '--strip-components=1', '-C', installed]);
  for (const name of [...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }), 'secp256k1']) {
    mkdirSync(join(project, 'node_modules', name, '..'), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
  }
  return project;
}

/** Writes a file into a project. @returns its path */
export function writeInto(project: string, name: string, text: string): string {
  const path = join(project, name);
  writeFileSync(path, text);
  return path;
}

/** Copies the examples into a project. @returns the path of the first of them */
export function copyExamples(project: string): string {
  cpSync(join(root, 'examples'), join(project, 'examples'), { recursive: true });
  return join(project, 'examples/singleKey.ts');
}

/** JavaScript that signs like `examples/singleKey.ts`, for after the imports of a program. */
export const SPEND = `
const words = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
const me = accountFromWords(words, { network: 'regtest' });
const coin = { txid: '7c3b1a0c6a4d5b0e1c9c8e7f6a5b4c3d2e1f00112233445566778899aabbccdd', vout: 0, value: 100_000n, from: me.receive(3) };
const outputs = { bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080: 60_000n };
const { txid } = signWith(me, buildPsbt({ inputs: [coin], outputs, change: me.change(0), feeRate: 2 }));
`;

/** JavaScript that keeps a wallet in `store` and takes an `address` of it, for after the imports of a program. */
export const WATCH = `
const rpc = createNodeRpc({ network: 'regtest', dialect: 'core-32', store, clock: () => 1_750_000_000, random: (size) => new Uint8Array(size).fill(7) });
rpc.call('createwallet', ['watcher']);
const address = rpc.call('getnewaddress', [], 'watcher');
rpc.close();
`;
