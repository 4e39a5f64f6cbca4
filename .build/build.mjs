// Writes `dist`: every entry point of package.json and the command line, as ESM and as CommonJS, with their types.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { dts } from 'rolldown-plugin-dts';
import { bundle, MINIFY, manifest, root } from './bundle.mjs';
import { licensesText } from './licenses.mjs';
import { removeUnreached, shareChunk, writeCommonJs } from './moduleKinds.mjs';
import { pureChunks } from './pureConstants.mjs';

const dist = `${root}dist`;

/** The modules that package.json exports: `./dist/psbt/index.js` is made from `psbt/index`. */
const paths = Object.values(manifest.exports).flatMap(
  ({ import: esm }) => esm?.default.slice('./dist/'.length, -'.js'.length) ?? [],
);
const library = Object.fromEntries(paths.map((path) => [path, path]));

/**
 * The shared chunks, each named after its code and chosen by modules: it also holds what they import, except what an
 * earlier chunk holds. Node takes longer to load ten small files than to skip the unused functions of one large file, so
 * a chunk holds code that programs need together.
 */
const CHUNKS = {
  base: /\/src\/(?:(?:address|bytes|network|script|tx)\/|psbt\/format\/psbtBytes|crypto\/adapt|terminal\/systemReason)/,
  // This and `nonce` run statements when they are loaded, which bundlers keep in all programs with code of the same chunk.
  curve: /\/src\/crypto\/nobleEcc\.ts$/,
  json: /\/src\/(?:descriptors\/taprootSpend|keys\/path|rpc\/(?:json\/.*|dialect|params|rawtransaction\/decoderawtransaction))\.ts$/,
  format: /\/src\/(?:psbt\/format\/|rpc\/psbt\/decodepsbt\.ts$)/,
  infer: /\/src\/rpc\/rawtransaction\/decodescript\.ts$/,
  descriptors:
    /\/src\/(?:account\/walletFiles\/walletFile\.ts$|descriptors\/|keys\/(?!writtenSecrets)|rpc\/descriptors\/)/,
  nonce: /\/src\/crypto\/musig2\/secretNonce\.ts$/,
  sign: /\/src\/rpc\/(?:client|createRpc|utilityClient)\.ts$|\/src\/(?:account|crypto\/(?:index|musig2|recoverPublicKey)|interpreter|message|psbt|review|sighash|signing)\b/,
  node: /\/src\/(?:node|rpc)\//,
  start: /\/src\/(?:cli\/(?:codeFiles|command|commandTable|optionScope|options)|terminal\/[^/]+)\.ts$/,
  // `--version` loads it without the methods.
  arithmetic: /\/src\/cli\/(?:arithmetic|packages)\.ts$/,
  call: /\/src\/cli\/commands\/call\.ts$/,
  given: /\/src\/cli\/givenFiles\.ts$/,
  job: /\/src\/cli\/(?:destination|psbtJob)\.ts$/,
};
const names = Object.entries(CHUNKS);
const groups = names.map(([name, test], i) => ({ name, test, priority: names.length - i }));

const named = (extension) => ({
  dir: dist,
  entryFileNames: `[name]${extension}`,
  chunkFileNames: `chunks/[name]${extension}`,
  codeSplitting: { groups },
});

rmSync(dist, { recursive: true, force: true });
const program = 'cli/main';
const modules = { format: 'esm', minify: MINIFY, ...named('.js') };
const libraries = await bundle({ ...library, [program]: program }, modules, [pureChunks]);
await writeCommonJs(dist);
shareChunk(dist, 'node');
shareChunk(dist, 'openStore');
// Node starts a CommonJS program sooner: it reads and links ES modules asynchronously.
removeUnreached(dist, paths);

const types = dts({ oxc: true, emitDtsOnly: true, sourcemap: false, tsconfig: `${root}src/cli/tsconfig.json` });
const oneChunk = { ...named('.cjs'), codeSplitting: { groups: [{ name: 'types.d' }] }, minifyInternalExports: false };
await bundle(library, { format: 'esm', ...oneChunk }, [types]);
for (const path of paths) {
  const file = `${dist}/${path}.d.cts`;
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(/^import (\{.*\}) from (".*");\nexport \1;/, 'export $1 from $2;'),
  );
  // Both kinds of modules have the same types; a second copy would be an eighth of the package.
  writeFileSync(`${dist}/${path}.d.ts`, `export * from "./${basename(path)}.cjs";\n`);
}

writeFileSync(`${dist}/licenses.txt`, licensesText('These libraries are part of countersign.', libraries));
