import { readFileSync } from 'node:fs';
import { trailingFileReader } from './trailingFiles.mjs';

const folder = 'node_modules/tiny-secp256k1';

/** Replaces `src/cli/packages.ts`. Other packages must be asked for: a checksum of the program does not cover them. */
const packages = (root) => `
import { createRequire } from 'node:module';
export const installedPackages = {
  has: (path) => path === 'tiny-secp256k1',
  load: (path) =>
    path === 'tiny-secp256k1'
      ? require(${JSON.stringify(`${root}${folder}/lib/cjs/index.cjs`)})
      : createRequire(import.meta.url)(path),
  versionOf: (path) =>
    path === 'tiny-secp256k1'
      ? ${JSON.stringify(JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8')).version)}
      : createRequire(import.meta.url)(path.split('/')[0] + '/package.json').version,
};
`;

const wasm = 'tiny-secp256k1/lib/secp256k1.wasm';

/** The files that must be at the end of the program. */
export const secp256k1Files = [wasm];

/** Replaces the loader of tiny-secp256k1, which reads a file beside it. */
const loader = `
const { readFileSync } = require('node:fs');
const imports = { './rand.js': require('./rand.browser.cjs'), './validate_error.js': require('./validate_error.cjs') };
const readWasm = ${trailingFileReader(wasm, "readFileSync(__filename, 'latin1')")};
exports.default = new WebAssembly.Instance(new WebAssembly.Module(readWasm()), imports).exports;
`;

/** A Rolldown plugin that puts tiny-secp256k1 into the single-file program. */
export const embeddedSecp256k1 = (root) => ({
  name: 'embedded-secp256k1',
  load: {
    filter: { id: /\/(?:src\/cli\/packages\.ts|tiny-secp256k1\/lib\/cjs\/wasm_loader\.cjs)$/ },
    handler: (id) => ({ code: id.endsWith('.ts') ? packages(root) : loader, moduleType: 'js' }),
  },
});
