import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Finds and loads packages by their names, or files of packages (`NAME/FILE`). */
export interface Packages {
  readonly has: (path: string) => boolean;
  /** @throws what Node or the package throws */
  readonly load: (path: string) => unknown;
  /** Returns the version of a package that `has` finds. */
  readonly versionOf: (path: string) => string;
}

const require = createRequire(import.meta.url);

/** The packages that are installed where Node looks for those of this program. */
export const installedPackages: Packages = {
  has: (path) => {
    try {
      require.resolve(path);
      return true;
    } catch {
      return false;
    }
  },
  load: (path) => require(path),
  versionOf: (path) => {
    const [name = ''] = path.split('/');
    const file = require.resolve(path);
    const folder = file.slice(0, file.lastIndexOf(name) + name.length);
    const { version }: { readonly version: string } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    return version;
  },
};
