import { readFileSync } from 'node:fs';

const folder = 'node_modules/tiny-secp256k1';

/** Base64 in lines: editors cope badly with one of 1.6 million characters. */
const linesOf = (bytes) =>
  bytes
    .toString('base64')
    .match(/.{1,4000}/g)
    .join('\n');

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

/** Replaces the loader of tiny-secp256k1, which reads a file beside it. */
const loader = (root) => `
const imports = { './rand.js': require('./rand.browser.cjs'), './validate_error.js': require('./validate_error.cjs') };
// lib/secp256k1.wasm of the package
const base64 = \`
${linesOf(readFileSync(`${root}${folder}/lib/secp256k1.wasm`))}
\`;
const wasm = new WebAssembly.Module(Buffer.from(base64, 'base64'));
exports.default = new WebAssembly.Instance(wasm, imports).exports;
`;

/** A Rolldown plugin that puts tiny-secp256k1, with its WebAssembly, into the single-file program. */
export const embeddedSecp256k1 = (root) => ({
  name: 'embedded-secp256k1',
  load: {
    filter: { id: /\/(?:src\/cli\/packages\.ts|tiny-secp256k1\/lib\/cjs\/wasm_loader\.cjs)$/ },
    handler: (id) => ({ code: id.endsWith('.ts') ? packages(root) : loader(root), moduleType: 'js' }),
  },
});
