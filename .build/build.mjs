// Writes `dist`: every entry point of package.json and the command line, as ESM and as CommonJS, with their types.
import { rmSync, writeFileSync } from 'node:fs';
import { dts } from 'rolldown-plugin-dts';
import { bundle, manifest, root } from './bundle.mjs';
import { licensesText } from './licenses.mjs';

const dist = `${root}dist`;

/** The modules that package.json exports: `./dist/psbt/index.js` is made from `psbt/index`. */
const paths = Object.values(manifest.exports).flatMap(
  ({ import: esm }) => esm?.default.slice('./dist/'.length, -'.js'.length) ?? [],
);
const library = Object.fromEntries(paths.map((path) => [path, path]));

/** Keeps the names of functions for stack traces, and the marks of `pureConstants.mjs`, which compression drops. */
const minify = { mangle: { keepNames: true }, compress: false, codegen: { removeWhitespace: true } };

/** Compresses what no bundler drops parts of, so that the package stays below 2 MiB. */
const minifyWhole = { mangle: true, compress: true, codegen: { removeWhitespace: true } };

const named = (extension) => ({
  dir: dist,
  entryFileNames: `[name]${extension}`,
  chunkFileNames: `chunks/[name]${extension}`,
});

rmSync(dist, { recursive: true, force: true });
const libraries = await bundle({ ...library, 'cli/main': 'cli/main' }, { format: 'esm', minify, ...named('.js') });
await bundle(library, { format: 'cjs', minify: minifyWhole, ...named('.cjs') });

for (const extension of ['.js', '.cjs']) {
  const types = dts({ oxc: true, emitDtsOnly: true, sourcemap: false, tsconfig: `${root}src/cli/tsconfig.json` });
  const codeSplitting = { groups: [{ name: 'types.d' }] };
  await bundle(library, { format: 'esm', codeSplitting, ...named(extension) }, [types]);
}

writeFileSync(`${dist}/licenses.txt`, licensesText('These libraries are part of countersign.', libraries));
