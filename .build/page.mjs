// Makes countersign.html: the page of src/page as one file, which needs nothing else. Two runs write the same bytes.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { deflateRaw } from 'pako';
import { bundle, manifest, root } from './bundle.mjs';
import { licensesText } from './licenses.mjs';

const folder = `${root}src/page/`;

/** Nothing may be fetched, from anywhere: only the script and the style of the file, and the worker that it makes. */
const policyOf = (script, style) =>
  [
    "default-src 'none'",
    `script-src '${sourceHash(script)}'`,
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
  const minify = { mangle: true, compress: true, codegen: { removeWhitespace: true } };
  const packages = await bundle(
    { main: path },
    { file, format: 'iife', minify, comments: false, codeSplitting: false },
  );
  const code = readFileSync(file, 'utf8').trim();
  rmSync(directory, { recursive: true });
  return { code, packages };
}

/** Escapes the texts that would end a script element, or change how its end is found. */
const inScript = (code) => code.replace(/<(?=\/script|!--|script)/gi, '\\x3c');

/**
 * Compresses the script of the worker, four fifths of the page, which would be half as large again without. pako, because
 * its output does not depend on the version of Node.
 */
const packed = (code) => Buffer.from(deflateRaw(Buffer.from(code), { level: 9, memLevel: 9 })).toString('base64');

/** Returns the text of the page. */
async function pageText() {
  const [{ code: script, packages }, { code: worker, packages: inWorker }] = [
    await bundled('page/main.tsx'),
    await bundled('page/pageWorker'),
  ];
  const style = transformSync(readFileSync(`${folder}style.css`, 'utf8'), { loader: 'css', minify: true }).code.trim();
  const libraries = [...new Set([...packages, ...inWorker])].sort();
  const own = readFileSync(`${root}LICENSE`, 'utf8');
  const parts = {
    version: manifest.version,
    policy: policyOf(inScript(script), style),
    style,
    script: inScript(script),
    worker: packed(worker),
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
