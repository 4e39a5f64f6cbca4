import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Bundles an import for browsers. @returns kilobytes, minified and gzipped */
export async function bundleSize(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname ?? new URL('.', import.meta.url).pathname },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  return gzipSync(outputFiles[0].contents).length / 1000;
}
