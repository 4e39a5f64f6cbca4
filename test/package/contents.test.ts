import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { manifest, packTarball, projectWith } from '../support/packedPackage.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const installed = join(projectWith(packTarball(temporaryDirectory()), 'module'), 'node_modules/countersign');
const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((file) =>
  statSync(join(installed, file)).isFile(),
);

describe('the package', () => {
  test('holds neither sources nor source maps', () => {
    expect(files.filter((file) => /\.map$|^src\//.test(file) || /(?<!\.d)\.ts$/.test(file))).toEqual([]);
  });

  test('needs no other package', async () => {
    expect(manifest.dependencies).toBeUndefined();
    const { metafile } = await build({
      entryPoints: files.filter((file) => /\.c?js$/.test(file)).map((file) => join(installed, file)),
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      outdir: 'unused',
      entryNames: '[dir]/[name]-[hash]',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    const imported = Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external),
    );
    const others = new Set(imported.map(({ path }) => path).filter((path) => !path.startsWith('node:')));
    expect([...others].sort()).toEqual(['secp256k1/bindings.js', 'tiny-secp256k1']);
  });

  test('needs no other package for its types', () => {
    const specifiers = files
      .filter((file) => /\.d\.c?ts$/.test(file))
      .flatMap((file) => [
        ...readFileSync(join(installed, file), 'utf8').matchAll(/^(?:import|export) .*from "([^"]+)";$/gm),
      ])
      .map(([, name = '']) => name);
    expect(specifiers.length).toBeGreaterThanOrEqual(40);
    expect(specifiers.filter((name) => !name.startsWith('.'))).toEqual([]);
  });

  test('names the licence of each library inside it', () => {
    const licenses = readFileSync(join(installed, 'dist/licenses.txt'), 'utf8');
    for (const name of ['@noble/ciphers', '@noble/hashes', '@noble/secp256k1', '@scure/base', '@scure/bip39']) {
      expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'));
    }
    expect(licenses.match(/^Permission is hereby granted/gm)?.length).toBe(1);
  });

  test('prints its version without reading a file of its folder', () => {
    const main = join(installed, manifest.bin['countersign'] ?? '');
    expect(readFileSync(main, 'utf8')).not.toContain('package.json');
    const printed = execFileSync(process.execPath, [main, '--version'], { encoding: 'utf8' });
    expect(printed).toMatch(new RegExp(`^countersign ${manifest.version}\narithmetic: `));
  });
});
