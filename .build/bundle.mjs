import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** The root of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));

export const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** Matches the packages of a field of package.json, and their files. */
export const packages = (field) => new RegExp(`^(?:${Object.keys(manifest[field]).join('|')})(?:/|$)`);

/** Matches the folder of a package at the start of a path, of the innermost if they are nested. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/**
 * Bundles a module, given from the root, with what it imports, unminified. Writes the chunks into `dir`, if given.
 * @returns the code of the first chunk, and the folders of the packages in all of them, from the root
 */
export async function bundle(path, { platform = 'node', external = [], plugins = [], ...output }) {
  const build = await rolldown({
    input: { main: `${root}${path}` },
    cwd: root,
    platform,
    external: [...external, packages('peerDependencies')],
    plugins,
    // Paths are then those of the repository, wherever it is and however node_modules got there.
    resolve: { symlinks: false },
    checks: { pluginTimings: false, ineffectiveDynamicImport: false },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const { output: chunks } = await (output.dir ? build.write(output) : build.generate(output));
  await build.close();
  const files = chunks.flatMap(({ moduleIds }) => moduleIds ?? []);
  const folders = files.flatMap((file) => PACKAGE.exec(file.slice(root.length))?.[0] ?? []);
  return { code: chunks[0].code, folders: [...new Set(folders)].sort() };
}
