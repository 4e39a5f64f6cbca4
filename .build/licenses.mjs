import { readdirSync, readFileSync } from 'node:fs';
import { root } from './bundle.mjs';

const RULE = `\n${'-'.repeat(80)}\n\n`;

/** Matches the terms of the MIT licence, which follow the names of those who grant it. */
const MIT_TERMS = /Permission is hereby granted.*/s;

/** Returns the licence of each package, given by its folder below the root, under a first line. */
export function licensesText(firstLine, folders) {
  const licenses = folders.map((folder) => {
    const { name, version } = JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8'));
    const files = readdirSync(`${root}${folder}`).filter((file) => /^license/i.test(file));
    // Of two licences to choose from, MIT.
    const license = files.find((file) => /mit/i.test(file)) ?? files[0];
    return licenseOf(`${name} ${version}`, `${folder}/${license}`);
  });
  // tiny-secp256k1 lacks the licence of the C code that it compiles; the package secp256k1 has it.
  if (folders.some((folder) => folder.endsWith('/tiny-secp256k1'))) {
    licenses.push(licenseOf('libsecp256k1', 'node_modules/secp256k1/src/secp256k1/COPYING'));
  }
  return [`${firstLine}\n`, ...withSharedTerms(licenses)].join(RULE);
}

/** Reads a licence, with straight quotes: Node takes longer to read a program that holds others. */
function licenseOf(title, path) {
  const text = readFileSync(`${root}${path}`, 'utf8').trim().replace(/[“”]/g, '"');
  const terms = MIT_TERMS.exec(text)?.[0] ?? '';
  return { head: `${title}\n\n${text.slice(0, text.length - terms.length).trim()}\n`, terms };
}

/** Writes licences, each of the same terms together, since most differ only in the names above them. */
function withSharedTerms(licenses) {
  const headsByTerms = new Map();
  for (const { head, terms } of licenses) {
    const key = terms.replace(/\s+/g, ' ');
    headsByTerms.set(key, { terms, heads: [...(headsByTerms.get(key)?.heads ?? []), head] });
  }
  return [...headsByTerms.values()].flatMap(({ heads, terms }) =>
    terms === '' ? heads : `${heads.join('\n')}\n${terms}\n`,
  );
}
