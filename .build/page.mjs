// Makes countersign.html: the page of src/page as one file, which needs nothing else. Two runs write the same bytes.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle, manifest, root } from './bundle.mjs';
import { licensesText } from './licenses.mjs';

const read = (path) => readFileSync(`${root}${path}`, 'utf8');
const sourceHash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Takes Preact's source: what its package exports is minified. */
const readablePreact = {
  name: 'readable-preact',
  resolveId: {
    filter: { id: /^preact\b/ },
    handler: (id) => id.replace(/^preact(.*)/, `${root}node_modules/preact$1/src/index.js`),
  },
};

/** Writes the page to a file. @returns the folders of the libraries in it */
export async function writePage(path) {
  const options = { format: 'iife', platform: 'browser', codeSplitting: false, plugins: [readablePreact] };
  const { code, folders } = await bundle('src/shell/page/main.tsx', options);
  // Escapes the texts that would end a script element, or change how its end is found.
  const script = code.replace(/<(?=\/script|!--|script)/gi, '\\x3c');
  const template = read('src/shell/page/page.html').trim();
  const style = read('src/shell/page/style.css');
  const [, firstScript] = /<script>([^{}]*)<\/script>/.exec(template);
  const parts = {
    version: manifest.version,
    script,
    style,
    scriptHashes: [firstScript, script].map(sourceHash).join(' '),
    styleHash: sourceHash(style),
    licenses: `${read('LICENSE')}\n${licensesText('These libraries are part of the page.', folders)}`,
  };
  const html = template.replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
  // Browsers read line breaks of other systems, and the null character, as something else: the page could not hash itself.
  if (/[\0\r]/.test(html)) throw new Error('The page holds a character that browsers do not keep');
  writeFileSync(path, `<!doctype html>${html}`);
  return folders;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(`${root}release`, { recursive: true });
  await writePage(process.argv[2] ?? `${root}release/countersign.html`);
}
