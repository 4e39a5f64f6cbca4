// Makes `release`: countersign.mjs, which needs only Node; countersign.html, which needs only a browser; the package, which
// npm installs without a network; SHA256SUMS.
// Two runs on the same commit write the same bytes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { bundle, manifest, root } from './bundle.mjs';
import { embeddedSecp256k1, secp256k1Files } from './embeddedSecp256k1.mjs';
import { embeddedSqlite, sqliteFiles } from './embeddedSqlite.mjs';
import { licensesText } from './licenses.mjs';
import { writePage } from './page.mjs';
import { trailingComments } from './trailingFiles.mjs';

const folder = `${root}release`;
const program = 'countersign.mjs';
const page = 'countersign.html';
const tarball = `${manifest.name}-${manifest.version}.tgz`;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
await import('./build.mjs');

// Not minified: people may want to read what they run on their signer.
const packages = await bundle(
  { main: 'cli/main' },
  { file: `${folder}/${program}`, format: 'esm', codeSplitting: false },
  [embeddedSecp256k1(root), embeddedSqlite(root)],
);
const own = readFileSync(`${root}LICENSE`, 'utf8');
const licenses = `/*\n${own}\n${licensesText('These libraries are part of it.', [...packages, 'node_modules/node-sqlite3-wasm'])}*/\n`;
appendFileSync(`${folder}/${program}`, `${licenses}${trailingComments(root, [...secp256k1Files, ...sqliteFiles])}`);
chmodSync(`${folder}/${program}`, 0o755);

await writePage(`${folder}/${page}`);

// npm gives every file of a package the same date and owner.
execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: root });

const sums = [tarball, program, page].map((name) => {
  const hash = createHash('sha256')
    .update(readFileSync(`${folder}/${name}`))
    .digest('hex');
  return `${hash}  ${name}\n`;
});
writeFileSync(`${folder}/SHA256SUMS`, sums.join(''));
process.stdout.write(sums.join(''));
