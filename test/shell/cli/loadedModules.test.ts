import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BUILT_PROGRAM } from '../../support/io.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Returns what the modules of rooms declare as functions and classes, by name. */
function declaredIn(...rooms: readonly string[]): ReadonlySet<string> {
  const files = rooms.flatMap((room) =>
    readdirSync(join(root, 'src', room), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(root, 'src', room, file),
    ),
  );
  const texts = files.filter((file) => /\.tsx?$/.test(file)).map((file) => readFileSync(file, 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(DECLARED)].map(([, name = '']) => name)));
}

const DECLARED = /(?:function\*?|class) (\w+)[(<{ ]/g;

const others = declaredIn('core', 'kit', 'answers', 'shell');
const onlyOfNode = [...declaredIn('node')].filter((name) => !others.has(name));

/** Runs the built program, and returns the texts of its files that Node loaded. */
function loadedBy(...args: readonly string[]): readonly string[] {
  const folder = temporaryDirectory();
  const { status, stderr } = spawnSync(process.execPath, [BUILT_PROGRAM, ...args], {
    cwd: join(root, 'vectors'),
    encoding: 'utf8',
    env: { ...process.env, NODE_V8_COVERAGE: folder },
  });
  expect(status, stderr).toBeLessThan(2);
  const urls = readdirSync(folder).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { readonly result: { url: string }[] };
    return result.map(({ url }) => url);
  });
  const program = urls.filter((url) => url.startsWith(`file://${join(BUILT_PROGRAM, '..')}/`));
  return program.map((url) => readFileSync(fileURLToPath(url), 'utf8'));
}

const ofNode = (texts: readonly string[]): readonly string[] => {
  const loaded = new Set(texts.flatMap((text) => [...text.matchAll(DECLARED)].map(([, name = '']) => name)));
  return onlyOfNode.filter((name) => loaded.has(name));
};

const DEMO = ['demo.spend.psbt', '--network', 'regtest', '--descriptors-file', 'demo.wallet.json'];

test.each([
  { args: ['review', ...DEMO] },
  { args: ['sign', ...DEMO, '--yes'] },
  { args: ['sign', ...DEMO, '--yes', '--nonce-dir', 'nowhere'] },
])('$args loads no code of the node', ({ args }) => {
  const texts = loadedBy(...args);
  expect(texts.length).toBeGreaterThan(1);
  expect(ofNode(texts)).toEqual([]);
});

test('a call of the node loads hundreds of its functions, so that the names tell', () => {
  expect(ofNode(loadedBy('help', 'getblock')).length).toBeGreaterThan(200);
});
