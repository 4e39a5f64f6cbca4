// Bundles a program of the tests, in TypeScript, and runs it from the root: node .build/bundled.mjs PROGRAM [ARGUMENT...]
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle, packages, root } from './bundle.mjs';

/** Gives the library libsecp256k1 for its JavaScript, as `test/native/nativeCrypto.ts` does for the tests. */
const nativeCurve = {
  name: 'native-curve',
  resolveId: (source, importer) =>
    importer?.startsWith(`${root}src/`) && source.endsWith('/nobleEcc.ts') ? `${root}test/native/ecc.ts` : null,
};

/** Keeps the address of each file, by which tests find others; its lines stay where they are. */
const ownAddress = {
  name: 'own-address',
  transform: (code, id) =>
    code.includes('import.meta.url') && id.startsWith(root)
      ? { code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)), map: null }
      : null,
};

const [program, ...args] = process.argv.slice(2);
const cache = join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'countersign-'));
const file = join(folder, 'program.mjs');
try {
  const external = [packages('dependencies'), packages('devDependencies'), packages('optionalDependencies')];
  const plugins = [nativeCurve, ownAddress];
  const { code } = await bundle(program, { sourcemap: 'inline', codeSplitting: false, external, plugins });
  writeFileSync(file, code);
  const flags = ['--expose-gc', '--enable-source-maps', '--stack-trace-limit=20'];
  const { status } = spawnSync(process.execPath, [...flags, file, ...args], { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
