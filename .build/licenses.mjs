import { readdirSync, readFileSync } from 'node:fs';
import { root } from './bundle.mjs';

const RULE = `\n${'-'.repeat(80)}\n\n`;

/** Returns the licence of each package, given by its folder below the root, under a first line. */
export function licensesText(firstLine, folders) {
  const licenses = folders.map((folder) => {
    const { name, version } = JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8'));
    const files = readdirSync(`${root}${folder}`).filter((file) => /^license/i.test(file));
    // Of two licences to choose from, MIT.
    return licenseText(`${name} ${version}`, `${folder}/${files.find((file) => /mit/i.test(file)) ?? files[0]}`);
  });
  // tiny-secp256k1 lacks the licence of the C code that it compiles; the package secp256k1 has it.
  if (folders.some((folder) => folder.endsWith('/tiny-secp256k1'))) {
    licenses.push(licenseText('libsecp256k1', 'node_modules/secp256k1/src/secp256k1/COPYING'));
  }
  return [`${firstLine}\n`, ...licenses].join(RULE);
}

const licenseText = (title, path) => `${title}\n\n${readFileSync(`${root}${path}`, 'utf8').trim()}\n`;
