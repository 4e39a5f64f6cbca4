import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { makeRelease, manifest, root } from '../support/packedPackage.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const release = join(root, 'release');
const tarball = `${manifest.name}-${manifest.version}.tgz`;
const files = ['SHA256SUMS', tarball, 'countersign.cdx.json', 'countersign.html', 'countersign.mjs'];
const wallet = ['--network', 'regtest', '--descriptors-file', join(root, 'vectors/demo.wallet.json')];
const SIGN = ['signpsbt', '--yes', ...wallet, '--file', join(root, 'vectors/demo.spend.psbt')];

/** What `npm ls --json` prints. */
interface Listed {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, Listed>>;
}

/** Runs a program in a network namespace of its own, where even localhost is down, and with an empty environment. */
function unplugged(home: string, program: string, ...args: readonly string[]) {
  const env = { PATH: process.env['PATH'], HOME: home };
  const { status, stdout, stderr } = spawnSync('unshare', ['-rn', program, ...args], {
    cwd: home,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const canUnplug = spawnSync('unshare', ['-rn', 'true']).status === 0;

const sums = inject('releaseSums');

describe('a release', () => {
  test('names the licence of each library inside the program', () => {
    const program = readFileSync(join(release, 'countersign.mjs'), 'utf8');
    const licenses = program.slice(program.lastIndexOf('\n/*\n'));
    const contained = { ...manifest.dependencies, ...manifest.optionalDependencies };
    const bundled = readFileSync(join(root, 'dist/licenses.txt'), 'utf8').match(/^\S+ \d+\.\d+\.\d+$/gm) ?? [];
    const names = Object.entries(contained).map(([name, version]) => `${name} ${version}`);
    for (const name of [...names, ...bundled, 'uint8array-tools 0.0.7', 'libsecp256k1']) {
      expect(licenses).toContain(`\n${name}\n\n`);
    }
  });

  test('lists each library that it contains, and no other, with its checksum', () => {
    const { components } = JSON.parse(readFileSync(join(release, 'countersign.cdx.json'), 'utf8'));
    const listed = (components as readonly { name: string; version: string; hashes?: readonly object[] }[]).map(
      ({ name, version, hashes }) => [name, version, hashes?.length] as const,
    );
    const text = ['countersign.mjs', 'countersign.html'].map((file) => readFileSync(join(release, file), 'utf8'));
    expect(listed.map(([name]) => name)).toEqual(
      expect.arrayContaining([...Object.keys(manifest.dependencies), 'preact']),
    );
    for (const [name, version, hashes] of listed) {
      const isContained = text.some((each) => each.includes(`\n${name} ${version}\n`));
      const isInstalled = existsSync(join(release, '../node_modules', name));
      expect([name, isContained || isInstalled, hashes]).toEqual([name, true, 1]);
    }
    expect(listed.map(([name]) => name)).not.toContain('vitest');
  });

  test('is a program, a page, a package, a bill of materials and their checksums', () => {
    expect(readdirSync(release).sort()).toEqual(files);
    expect(readFileSync(join(release, 'SHA256SUMS'), 'utf8')).toBe(sums);
    const checked = execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: release, encoding: 'utf8' });
    expect(checked).toBe(`${tarball}: OK\ncountersign.mjs: OK\ncountersign.html: OK\ncountersign.cdx.json: OK\n`);
  });

  test('has a page of one file, whose policy allows its own scripts and style only', () => {
    const html = readFileSync(join(release, 'countersign.html'), 'utf8');
    const markup = html.replace(/(?<=<(?:script|style)[^>]*>).*?(?=<\/(?:script|style)>)/gs, '');
    expect(markup).not.toMatch(/\s(?:src|href|on\w+)=/);
    // A script may hold the text of a style element, as of a picture.
    const outsideScripts = html.replace(/<script>.*?<\/script>/gs, '');
    const hashes = (tag: 'script' | 'style'): string =>
      Array.from(
        (tag === 'script' ? html : outsideScripts).matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs')),
        ([, text = '']) => {
          return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
        },
      ).join(' ');
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    expect(policy).toBe(
      `default-src 'none'; script-src ${hashes('script')}; style-src ${hashes('style')}; worker-src blob:; base-uri 'none'; form-action 'none'`,
    );
  });

  test('has a page and a program that a person can read', () => {
    for (const name of ['countersign.html', 'countersign.mjs']) {
      const lines = readFileSync(join(release, name), 'utf8').split('\n');
      // The longest is a text inside workerpool, which browsers would run.
      expect(lines.filter(({ length }) => length >= 7000)).toEqual([]);
      expect(lines.filter((line) => /^\s*(?:export )?function decodePsbtBytes\(/.test(line))).toHaveLength(1);
    }
  });

  test('has the same bytes when it is made again, elsewhere', () => {
    const copy = temporaryDirectory();
    for (const name of [
      '.build',
      'src',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'README.md',
      'LICENSE',
      'vectors/contract.json',
    ]) {
      cpSync(join(root, name), join(copy, name), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    expect(makeRelease(copy)).toBe(sums);
    for (const file of files) {
      expect(readFileSync(join(copy, 'release', file)).equals(readFileSync(join(release, file)))).toBe(true);
    }
  });
});

describe.skipIf(!canUnplug)('without a network', () => {
  test('only the loopback device exists', () => {
    const { stdout } = unplugged(root, 'cat', '/proc/net/dev');
    expect(stdout.split('\n').slice(2).filter(Boolean)).toEqual([expect.stringMatching(/^ *lo:/)]);
  });

  test('countersign.mjs runs with nothing beside it, and signs', () => {
    const home = temporaryDirectory();
    const program = join(home, 'countersign.mjs');
    copyFileSync(join(release, 'countersign.mjs'), program);
    expect(unplugged(home, process.execPath, program, '--version')).toEqual({
      status: 0,
      stdout: `countersign ${manifest.version}\narithmetic: wasm (tiny-secp256k1 2.2.4)\n`,
      stderr: '',
    });
    const { status, stdout } = unplugged(home, process.execPath, program, ...SIGN);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ complete: true });
    const built = execFileSync(process.execPath, [join(root, 'dist/cli/main.js'), ...SIGN], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(stdout).toBe(built);
  });

  test('countersign.mjs runs without WebAssembly, and signs the same', () => {
    const home = temporaryDirectory();
    const program = ['--jitless', '--no-warnings', join(release, 'countersign.mjs')];
    const { stdout } = unplugged(home, process.execPath, ...program, '--version');
    expect(stdout).toBe(`countersign ${manifest.version}\narithmetic: noble\n`);
    const withWasm = unplugged(home, process.execPath, join(release, 'countersign.mjs'), ...SIGN);
    expect(unplugged(home, process.execPath, ...program, ...SIGN).stdout).toBe(withWasm.stdout);
    expect(unplugged(home, process.execPath, ...program, 'decodescript', '51', '--arithmetic', 'wasm')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^(?:Warning: .*\n)?error: --arithmetic wasm: [^\n]*\n$/),
    });
  });

  test('countersign.mjs loads no code beside it unless it is asked for', () => {
    const home = temporaryDirectory();
    const program = join(home, 'countersign.mjs');
    copyFileSync(join(release, 'countersign.mjs'), program);
    const planted = join(home, 'node_modules/secp256k1');
    mkdirSync(planted, { recursive: true });
    writeFileSync(join(planted, 'bindings.js'), 'process.stdout.write("planted"); throw new Error("planted");');
    expect(unplugged(home, process.execPath, program, ...SIGN).stdout).not.toContain('planted');
    const asked = unplugged(home, process.execPath, program, 'decodescript', '51', '--arithmetic', 'native');
    expect([asked.status, asked.stdout]).toEqual([1, 'planted']);
    expect(asked.stderr).toMatch(/^error: --arithmetic native: [^\n]*\n$/);
  });

  test('npm lists every library in a project that installed the package', () => {
    const home = temporaryDirectory();
    writeFileSync(join(home, 'package.json'), '{ "private": true }');
    const cache = join(home, 'cache');
    expect(unplugged(home, 'npm', 'install', '--offline', '--cache', cache, join(release, tarball)).status).toBe(0);
    const { stdout } = unplugged(home, 'npm', 'ls', '--all', '--json', '--cache', cache);
    const { dependencies } = JSON.parse(stdout) as Listed;
    const listed = Object.entries(dependencies?.['countersign']?.dependencies ?? {});
    expect(Object.fromEntries(listed.map(([name, { version }]) => [name, version]))).toMatchObject({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
    });
    // npm audit asks about what the lock file lists.
    const lock = readFileSync(join(home, 'package-lock.json'), 'utf8');
    for (const name of Object.keys(manifest.dependencies)) expect(lock).toContain(`/node_modules/${name}": {`);
  });

  test('npm installs the package with all its dependencies from an empty cache, and the command runs', () => {
    const home = temporaryDirectory();
    const prefix = join(home, 'prefix');
    mkdirSync(prefix);
    const install = ['install', '-g', '--offline', '--cache', join(home, 'cache'), '--prefix', prefix];
    const { status, stderr } = unplugged(home, 'npm', ...install, join(release, tarball));
    expect(stderr).not.toMatch(/error/);
    expect(status).toBe(0);
    const command = join(prefix, 'bin/countersign');
    const arithmetic = 'wasm (tiny-secp256k1 2.2.4)';
    expect(unplugged(home, command, '--version').stdout).toBe(
      `countersign ${manifest.version}\narithmetic: ${arithmetic}\n`,
    );
    expect(JSON.parse(unplugged(home, command, ...SIGN).stdout)).toMatchObject({ complete: true });
    expect(readFileSync(join(prefix, 'share/man/man1/countersign.1'), 'utf8')).toMatch(/^\.TH COUNTERSIGN 1\n/);
  });

  test('npx runs the command from the tarball', () => {
    const home = temporaryDirectory();
    copyFileSync(join(release, tarball), join(home, tarball));
    const npx = ['--yes', '--offline', '--cache', join(home, 'cache'), `./${tarball}`];
    expect(JSON.parse(unplugged(home, 'npx', ...npx, ...SIGN).stdout)).toMatchObject({ complete: true });
  });
});
