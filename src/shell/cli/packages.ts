import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Finds and loads packages by their names, or files of packages (`NAME/FILE`). */
export interface Packages {
  /** Tells whether a package is installed, which does not mean that it loads. */
  readonly has: (path: string) => boolean;
  /** @throws what Node or the package throws */
  readonly load: (path: string) => unknown;
  /** Returns the version of a package that `has` finds. */
  readonly versionOf: (path: string) => string;
}

const require = createRequire(import.meta.filename);

/** The packages that are installed where Node looks for those of this program. */
export const installedPackages: Packages = {
  has: (path) => (process.versions['pnp'] === undefined ? isInFolder(path) : isResolved(path)),
  load: (path) => require(path),
  versionOf: (path) => {
    const name = nameOf(path);
    const file = require.resolve(path);
    const folder = file.slice(0, file.lastIndexOf(name) + name.length);
    const { version }: { readonly version: string } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    return version;
  },
};

/** Looks for the folder of a package: resolving the path takes ten times as long. */
function isInFolder(path: string): boolean {
  const name = nameOf(path);
  return (require.resolve.paths(name) ?? []).some((folder) => existsSync(`${folder}/${name}`));
}

/** Resolves a path, as is needed where packages are in no folder (Yarn's Plug'n'Play). */
function isResolved(path: string): boolean {
  try {
    require.resolve(path);
    return true;
  } catch {
    return false;
  }
}

const nameOf = (path: string): string => path.split('/')[0] ?? path;
