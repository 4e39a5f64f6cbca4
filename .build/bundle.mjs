import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import { pureConstants } from './pureConstants.mjs';

/** The root of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));

export const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** Matches the optional libraries for arithmetic, which stay outside a bundle. */
const ARITHMETIC = /^(?:tiny-)?secp256k1(?:\/|$)/;

/** How a module names its own file. */
const ESM_FILE = 'import.meta.filename';
const COMMONJS_FILE = '__filename';

/** Rolldown's options for the smallest code. */
export const MINIFY = { mangle: true, compress: true, codegen: { removeWhitespace: true } };

/** Names Node's modules as such where workerpool requires them, and leaves out its script for browsers. */
const workerpoolInNode = {
  name: 'workerpool-in-node',
  transform: {
    filter: { id: /\/node_modules\/workerpool\// },
    handler: (code) =>
      code
        .replace(/require\((["'])(child_process|os|worker_threads)\1\)/g, "require('node:$2')")
        .replace("require('./generated/embeddedWorker')", "''"),
  },
};

/** Escapes what is not ASCII, except in types: Node needs twice the memory, and longer, for a file that holds any. */
const ascii = {
  name: 'ascii',
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type === 'chunk' && !/\.d\.c?ts$/.test(file.fileName)) file.code = asciiText(file.code);
    }
  },
};

const asciiText = (text) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const fileOf = (path) => (isAbsolute(path) ? path : `${root}src/${path}${path.endsWith('.tsx') ? '' : '.ts'}`);

/** Matches the folder of a package at the start of a path, of the innermost if they are nested. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/**
 * Bundles modules of `src` with the libraries that they import, and writes the chunks.
 *
 * - `input`: by the names of their chunks, paths below `src`, `.ts` unless they say otherwise, or whole paths
 * - `output`: options of Rolldown's `write`
 * @returns the folders of the packages in the chunks, from the root
 */
export async function bundle(input, output, plugins = []) {
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(input).map(([name, path]) => [name, fileOf(path)])),
    cwd: root,
    platform: 'neutral',
    // Paths are then those of the repository, wherever it is and however node_modules got there.
    resolve: { symlinks: false, mainFields: ['module', 'main'] },
    external: ARITHMETIC,
    transform: { define: output.format === 'cjs' ? { [ESM_FILE]: COMMONJS_FILE } : { [COMMONJS_FILE]: ESM_FILE } },
    // Keeps Node's own modules outside, and turns calls of `require` for them into imports.
    plugins: [esmExternalRequirePlugin({ external: [/^node:/] }), workerpoolInNode, pureConstants, ...plugins, ascii],
    checks: { pluginTimings: false },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const written = await build.write({ comments: { legal: true, annotation: true, jsdoc: false }, ...output });
  await build.close();
  const files = written.output.flatMap(({ moduleIds }) => moduleIds ?? []);
  const folders = files.flatMap((file) => PACKAGE.exec(file.slice(root.length))?.[0] ?? []);
  return [...new Set(folders)].sort();
}
