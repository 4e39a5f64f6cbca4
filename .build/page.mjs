// Makes countersign.html: the page of src/page as one file, which needs nothing else. Two runs write the same bytes.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { minifySync } from 'rolldown/utils';
import { minify } from 'terser';
import { bundle, MINIFY, manifest, root } from './bundle.mjs';
import { licensesText } from './licenses.mjs';
import { packing } from './packing.mjs';

const folder = `${root}src/page/`;

/** Nothing may be fetched, from anywhere: only the scripts and the style of the file, and the worker that it makes. */
const policyOf = (scripts, style) =>
  [
    "default-src 'none'",
    `script-src ${scripts.map((script) => `'${sourceHash(script)}'`).join(' ')}`,
    `style-src '${sourceHash(style)}'`,
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

const sourceHash = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** Bundles a module and returns its code and the folders of the packages in it. */
async function bundled(path) {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-'));
  const file = join(directory, 'bundled.js');
  const packages = await bundle(
    { main: path },
    { file, format: 'iife', minify: { mangle: false, compress: true }, comments: false, codeSplitting: false },
  );
  const code = await minified(readFileSync(file, 'utf8'));
  rmSync(directory, { recursive: true });
  return { code, packages };
}

/** Minifies a script. Terser moves functions into their only callers, Rolldown finds the shorter names. */
async function minified(script) {
  const { code } = await minify(script, { ecma: 2022, toplevel: true, compress: { passes: 2 }, mangle: false });
  return minifySync('script.js', code, { ...MINIFY, mangle: { toplevel: true } }).code.trim();
}

/** Escapes the texts that would end a script element, or change how its end is found. */
const inScript = (code) => code.replace(/<(?=\/script|!--|script)/gi, '\\x3c');

/** Compresses scripts for `src/page/browser/unpack.ts`, one after the other, since they say much the same. */
async function packed(scripts) {
  const { createUnpacker, pack } = await packing();
  const bytes = Buffer.concat(scripts);
  const result = Buffer.from(pack(bytes));
  const nextByte = createUnpacker(result);
  if (!bytes.every((byte) => byte === nextByte()))
    throw new Error('The scripts of the page do not unpack to themselves');
  return result.toString('base64');
}

/** Returns the text of the page. */
async function pageText() {
  const bundles = [
    await bundled('page/browser/unpack'),
    await bundled('page/main.tsx'),
    await bundled('page/pageWorker'),
  ];
  const [unpack, page, worker] = bundles.map(({ code }) => code);
  const scripts = [page, worker].map((script) => Buffer.from(script));
  const style = transformSync(readFileSync(`${folder}style.css`, 'utf8'), { loader: 'css', minify: true }).code.trim();
  const libraries = [...new Set(bundles.flatMap(({ packages }) => packages))].sort();
  const own = readFileSync(`${root}LICENSE`, 'utf8');
  const parts = {
    version: manifest.version,
    policy: policyOf([inScript(unpack), page], style),
    style,
    unpack: inScript(unpack),
    sizes: scripts.map(({ length }) => length).join(' '),
    packed: await packed(scripts),
    licenses: `${own}\n${licensesText('These libraries are part of the page.', libraries)}`,
  };
  const template = readFileSync(`${folder}page.html`, 'utf8').trim();
  const html = template.replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
  // Browsers read line breaks of other systems, and the null character, as something else: the page could not hash itself.
  if (/[\0\r]/.test(html)) throw new Error('The page holds a character that browsers do not keep');
  return `<!doctype html>${html}`;
}

/** Writes the page to a file. */
export async function writePage(file) {
  writeFileSync(file, await pageText());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(`${root}release`, { recursive: true });
  await writePage(process.argv[2] ?? `${root}release/countersign.html`);
}
