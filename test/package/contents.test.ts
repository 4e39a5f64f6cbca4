import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { entryPoints, manifest, packTarball, projectWith, root } from '../support/packedPackage.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const project = projectWith(packTarball(temporaryDirectory()), 'module');
const installed = join(project, 'node_modules/countersign');
const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((file) =>
  statSync(join(installed, file)).isFile(),
);
const modules = files.filter((file) => file.endsWith('.js') && !file.startsWith('dist/cli/'));

describe('the package', () => {
  test('has one module for each source file of the library, with its types and its source map', () => {
    expect(modules.length).toBeGreaterThan(400);
    const text = (path: string): string => readFileSync(path, 'utf8');
    for (const module of modules) {
      const path = module.slice('dist/'.length, -'.js'.length);
      const { sources, sourcesContent } = JSON.parse(text(join(installed, `${module}.map`))) as Record<
        string,
        string[]
      >;
      expect(sources).toEqual([expect.stringMatching(new RegExp(`/src/${path}\\.ts$`))]);
      expect(sourcesContent).toEqual([text(join(root, 'src', `${path}.ts`))]);
      expect(files).toContain(`dist/${path}.d.ts`);
    }
  });

  test('holds neither the page nor the parts of the command line as modules', () => {
    const folders = new Set(modules.map((module) => module.split('/').slice(1, 3).join('/')));
    expect([...folders].filter((folder) => folder.startsWith('shell/')).sort()).toEqual([
      'shell/client',
      'shell/regtest',
      'shell/server',
      'shell/store',
      'shell/sync',
      'shell/terminal',
      'shell/workers',
    ]);
  });

  test('shows a few lines and the names of our functions when an error is not caught', () => {
    const program = `import { parsePsbt } from 'countersign'; parsePsbt('cHNidP8B');`;
    const args = ['--input-type=module', '-e', program];
    let printed = '';
    try {
      execFileSync(process.execPath, args, { cwd: project, stdio: 'pipe', encoding: 'utf8' });
    } catch (error) {
      printed = (error as { stderr: string }).stderr;
    }
    expect(printed).toMatch(
      /^ +at (?:Module\.)?parsePsbt \(file:.*\/dist\/core\/psbt\/format\/parsePsbt\.js:\d+:\d+\)$/m,
    );
    expect(printed.length).toBeLessThan(3000);
  });

  test('imports its dependencies and the optional libraries, and nothing else', async () => {
    const { metafile } = await build({
      entryPoints: [...Object.values(manifest.exports), 'dist/cli/main.js'].map((file) => join(installed, file)),
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
      imports.filter(({ external }) => external).map(({ path }) => path),
    );
    const packages = imported.map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
    const others = new Set(packages.filter((name) => !name?.startsWith('node:')));
    expect([...others].sort()).toEqual([...Object.keys(manifest.dependencies), 'secp256k1', 'tiny-secp256k1'].sort());
  });

  test('has dependencies of one version each', () => {
    for (const version of Object.values({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });

  test('needs its dependencies only for its types', () => {
    const declarations = (file: string, seen: Set<string>): ReadonlySet<string> => {
      if (seen.has(file)) return seen;
      seen.add(file);
      for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
        /^(?:import|export) [^;]*from ['"]([^'"]+)['"];$/gm,
      )) {
        if (name.startsWith('.')) declarations(join(file, '..', name.replace(/\.[jt]s$/, '.d.ts')), seen);
        else seen.add(name);
      }
      return seen;
    };
    const seen = new Set<string>();
    for (const { source } of entryPoints) {
      declarations(source.replace(`${root}src/`, `${installed}/dist/`).replace(/\.ts$/, '.d.ts'), seen);
    }
    expect(seen.size).toBeGreaterThan(100);
    const names = [...seen].filter((name) => !name.startsWith('/'));
    const dependencies = Object.keys(manifest.dependencies);
    expect(names.filter((name) => !dependencies.some((dependency) => name.startsWith(`${dependency}/`)))).toEqual([]);
  });

  test('names the licence of each library inside it', () => {
    const licenses = readFileSync(join(installed, 'dist/licenses.txt'), 'utf8');
    expect(licenses.match(/^\S+ \d+\.\d+\.\d+$/gm)?.map((line) => line.split(' ')[0])).toEqual(['p-map', 'workerpool']);
  });

  test('prints its version without reading a file of its folder', () => {
    const main = join(installed, manifest.bin['countersign'] ?? '');
    expect(readFileSync(main, 'utf8')).not.toContain('/package.json"');
    const printed = execFileSync(process.execPath, [main, '--version'], { encoding: 'utf8' });
    expect(printed).toMatch(new RegExp(`^countersign ${manifest.version}\narithmetic: `));
  });
});
