// Makes `release`: countersign.mjs, which needs only Node; countersign.html, which needs only a browser; the package with its
// dependencies, which npm installs without a network; countersign.cdx.json, the bill of materials; SHA256SUMS.
// Two runs on the same commit write the same bytes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { bundle, manifest, root } from './bundle.mjs';
import { licensesText } from './licenses.mjs';
import { writePage } from './page.mjs';

const folder = `${root}release`;
const program = 'countersign.mjs';
const page = 'countersign.html';
const bill = 'countersign.cdx.json';
const tarball = `${manifest.name}-${manifest.version}.tgz`;

/** Modules that read files of installed packages: those of `.build/single` take their places, and contain the files. */
const REPLACED = [
  'src/shell/cli/packages.ts',
  'src/shell/store/sqlitePackage.ts',
  'node_modules/tiny-secp256k1/lib/wasm_loader.js',
];

const contained = {
  name: 'contained',
  resolveId: {
    filter: { id: /\/(?:packages\.ts|sqlitePackage\.ts|wasm_loader\.js)$/ },
    async handler(id, importer) {
      const { id: path } = await this.resolve(id, importer);
      return REPLACED.includes(path.slice(root.length)) ? `${root}.build/single/${parse(path).name}.mjs` : path;
    },
  },
};

/** Makes `import read from 'FILE?bytes'` a function. The base64 is in lines: editors cope badly with one of a million characters. */
const bytes = {
  name: 'bytes',
  load: {
    filter: { id: /\?bytes$/ },
    handler: (id) => {
      const lines = readFileSync(id.slice(0, -'?bytes'.length), 'base64').match(/.{1,120}/g);
      return { code: `export default () => Buffer.from(\`\n${lines.join('\n')}\n\`, 'base64');`, moduleType: 'js' };
    },
  },
};

async function writeProgram() {
  const { code, folders } = await bundle('src/shell/cli/main.ts', {
    codeSplitting: false,
    plugins: [contained, bytes],
  });
  const licenses = licensesText('These libraries are part of it.', folders);
  const text = `${code}/*\n${readFileSync(`${root}LICENSE`, 'utf8')}\n${licenses}*/\n`;
  writeFileSync(`${folder}/${program}`, text, { mode: 0o755 });
  return folders;
}

/** Packs `dist` with all libraries, so that npm asks for none. */
function writePackage() {
  const staging = mkdtempSync(join(tmpdir(), 'countersign-'));
  const bundleDependencies = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  const folders = bundleDependencies.map((name) => `node_modules/${name}`);
  for (const path of ['dist', 'README.md', 'LICENSE', ...folders]) {
    cpSync(`${root}${path}`, `${staging}/${path}`, { recursive: true, dereference: true });
  }
  writeFileSync(`${staging}/package.json`, `${JSON.stringify({ ...manifest, bundleDependencies }, null, 2)}\n`);
  // npm gives every file of a package the same date and owner.
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: staging });
  rmSync(staging, { recursive: true });
}

/** Lists the libraries that a release contains, as CycloneDX. Without npm's date and random number, two runs write the same. */
function writeBill(bundled) {
  const output = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], { cwd: root });
  const { $schema, bomFormat, specVersion, version, metadata, components } = JSON.parse(output);
  const refs = bundled.map((path) => {
    const { name, version: own } = JSON.parse(readFileSync(`${root}${path}/package.json`, 'utf8'));
    return `${name}@${own}`;
  });
  const isShipped = ({ 'bom-ref': ref, properties }) =>
    refs.includes(ref) || !properties.some(({ name }) => name === 'cdx:npm:package:development');
  const component = { ...metadata.component, name: manifest.name };
  const list = {
    $schema,
    bomFormat,
    specVersion,
    version,
    metadata: { component },
    components: components.filter(isShipped),
  };
  writeFileSync(`${folder}/${bill}`, `${JSON.stringify(list, null, 2)}\n`);
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
await import('./build.mjs');
const programFolders = await writeProgram();
const pageFolders = await writePage(`${folder}/${page}`);
writePackage();
writeBill([...programFolders, ...pageFolders]);

const sums = [tarball, program, page, bill].map((name) => {
  const content = readFileSync(`${folder}/${name}`);
  return `${createHash('sha256').update(content).digest('hex')}  ${name}\n`;
});
writeFileSync(`${folder}/SHA256SUMS`, sums.join(''));
process.stdout.write(sums.join(''));
