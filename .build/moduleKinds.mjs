import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'rolldown/experimental';
import { bundle, MINIFY } from './bundle.mjs';

/** Lists the ES modules below a folder: `chunks/base.js`. */
const modulesIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.js'))
    .sort();

const parsed = (file) => {
  const code = readFileSync(file, 'utf8');
  return { code, ...parseSync(file, code) };
};

/** Writes each ES module below a folder as CommonJS beside it, with the same exports: `base.cjs` for `base.js`. */
export async function writeCommonJs(folder) {
  const input = Object.fromEntries(modulesIn(folder).map((file) => [file.slice(0, -'.js'.length), join(folder, file)]));
  await bundle(input, {
    dir: folder,
    format: 'cjs',
    strict: true,
    preserveModules: true,
    preserveModulesRoot: folder,
    entryFileNames: ({ name }) => `${name.replace(/^_virtual\/_rolldown\//, 'chunks/')}.cjs`,
    comments: { legal: true, annotation: false, jsdoc: false },
    minify: MINIFY,
  });
}

/**
 * Moves the code of a chunk into a function with a parameter for each import, which the chunks of both kinds call: the
 * package holds the code once, and neither kind loads modules of the other. A bundler takes such a chunk whole or not at
 * all.
 */
export function shareChunk(folder, name) {
  const path = (extension) => join(folder, `chunks/${name}${extension}`);
  const { code, program } = parsed(path('.cjs'));
  const { code: esm, module } = parsed(path('.js'));
  const requires = program.body.filter(isRequires);
  const required = requires.flatMap(({ declarations }) => declarations);
  const body = code.slice(requires.at(-1).end);
  const ownFile = body.includes('__filename')
    ? { cjs: ['__filename'], esm: ['import.meta.filename'] }
    : { cjs: [], esm: [] };
  const parameters = ['exports', ...ownFile.cjs, ...required.map(({ id }) => id.name)].join();
  if (/\brequire\("/.test(body)) throw new Error(`${name} imports more than its function is given`);
  const shared = `./${name}.shared.cjs`;
  writeFileSync(path('.shared.cjs'), `"use strict";module.exports=(function(${parameters}){${body}});\n`);

  const files = required.map(({ init }) => init.arguments[0].value);
  const modules = files.map((file) => `require("${file}")`);
  writeFileSync(
    path('.cjs'),
    `"use strict";require("${shared}")(${['exports', ...ownFile.cjs, ...modules].join()});\n`,
  );

  const values = files.map((file) => `{${importedFrom(file.replace(/\.cjs$/, '.js'), module).join()}}`);
  const names = module.staticExports.flatMap(({ entries }) => entries.map(({ exportName }) => exportName.name));
  const statements = [
    ...module.staticImports.map(({ start, end }) => esm.slice(start, end)),
    `import shared from"${shared}";const exported={};shared(${['exported', ...ownFile.esm, ...values].join()});`,
    `const{${names.map((exportName) => `${exportName}:export_${exportName}`).join()}}=exported;`,
    `export{${names.map((exportName) => `export_${exportName} as ${exportName}`).join()}};\n`,
  ];
  writeFileSync(path('.js'), statements.join(''));
}

/** Lists what a module imports from a file, as members of an object: `name:local`. */
const importedFrom = (file, { staticImports }) =>
  staticImports
    .filter(({ moduleRequest }) => moduleRequest.value === file)
    .flatMap(({ entries }) => entries.map(({ importName, localName }) => `${importName.name}:${localName.value}`));

const isRequires = ({ type, declarations }) =>
  type === 'VariableDeclaration' && declarations.every(({ init }) => init?.callee?.name === 'require');

/** Removes the ES modules below a folder that no entry point imports: those of the command line. */
export function removeUnreached(folder, entries) {
  const reached = new Set();
  const visit = (file) => {
    if (reached.has(file) || !file.endsWith('.js')) return;
    reached.add(file);
    for (const { type, source } of parsed(join(folder, file)).program.body) {
      const isImport = /^(?:Import|Export(?:All|Named))Declaration$/.test(type);
      if (isImport && source?.value.startsWith('.')) visit(join(dirname(file), source.value));
    }
  };
  for (const entry of entries) visit(`${entry}.js`);
  for (const file of modulesIn(folder)) if (!reached.has(file)) rmSync(join(folder, file));
}
