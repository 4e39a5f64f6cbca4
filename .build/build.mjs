// Writes `dist`: the library as TypeScript compiles it, one module for each source file, and the command line as a bundle.
import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { bundle, packages, root } from './bundle.mjs';
import { licensesText } from './licenses.mjs';

const dist = `${root}dist`;
rmSync(dist, { recursive: true, force: true });
execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}src/tsconfig.build.json`], {
  stdio: 'inherit',
});

// The cases that any signer must pass or refuse: data, without code.
copyFileSync(`${root}vectors/contract.json`, `${dist}/contract.json`);

// Commands are loaded when they run. What many of them need is one file, as Node takes longer to load many small ones; of the rooms
// below the node only, so that a command without a node does not load one.
const { folders } = await bundle('src/shell/cli/main.ts', {
  dir: `${dist}/cli`,
  chunkFileNames: '[name].js',
  codeSplitting: { groups: [{ name: 'shared', test: /\/src\/(?:core|kit|answers)\//, minShareCount: 11 }] },
  external: [packages('dependencies'), packages('optionalDependencies')],
});
writeFileSync(`${dist}/countersign.1`, execFileSync(process.execPath, [`${dist}/cli/main.js`, 'man']));
writeFileSync(`${dist}/licenses.txt`, licensesText('These libraries are part of the command line.', folders));
