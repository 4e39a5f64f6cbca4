import { readFileSync } from 'node:fs';

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

const MARK = '/* lib/secp256k1.wasm of tiny-secp256k1, in base64';

/** Replaces the loader of tiny-secp256k1, which reads a file beside it. */
const loader = `
const { readFileSync } = require('node:fs');
const imports = { './rand.js': require('./rand.browser.cjs'), './validate_error.js': require('./validate_error.cjs') };
const program = readFileSync(__filename, 'latin1');
const base64 = program.slice(program.lastIndexOf(${JSON.stringify(MARK)}) + ${MARK.length}, program.lastIndexOf('*/'));
const wasm = new WebAssembly.Module(Buffer.from(base64, 'base64'));
exports.default = new WebAssembly.Instance(wasm, imports).exports;
`;

/**
 * A Rolldown plugin that puts tiny-secp256k1 into the single-file program, which must end with {@link webAssemblyComment}.
 */
export const embeddedSecp256k1 = (root) => ({
  name: 'embedded-secp256k1',
  load: {
    filter: { id: /\/(?:src\/cli\/packages\.ts|tiny-secp256k1\/lib\/cjs\/wasm_loader\.cjs)$/ },
    handler: (id) => ({ code: id.endsWith('.ts') ? packages(root) : loader, moduleType: 'js' }),
  },
});

/**
 * Returns the WebAssembly of tiny-secp256k1 as a comment: Node skips it faster than a text, and most commands never read
 * it. It is in lines, since editors cope badly with one of 1.6 million characters.
 */
export function webAssemblyComment(root) {
  const lines = readFileSync(`${root}${folder}/lib/secp256k1.wasm`)
    .toString('base64')
    .match(/.{1,4000}/g);
  return `${MARK}\n${lines.join('\n')}\n*/\n`;
}
