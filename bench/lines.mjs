// Prints how many lines the examples take with countersign and with each peer: `node bench/lines.mjs`.
import { readFileSync } from 'node:fs';

const TASKS = [
  ['P2WPKH, one signer', 'singleKey'],
  ['P2WSH 2-of-3, two signers', 'multisig'],
  ['taproot, key path', 'taproot'],
  ['a payment link: shown, reviewed, signed, labelled', 'payLink'],
];

/** Counts the lines of a file that are neither empty nor a comment, imports included. */
function linesOf(path) {
  const lines = readFileSync(new URL(path, import.meta.url), 'utf8').split('\n');
  return lines.filter((line) => !/^\s*(?:\/\/.*)?$/.test(line)).length;
}

/** Returns the table of line counts, in Markdown. */
function lineTable() {
  const rows = TASKS.map(([task, name]) => {
    const peer = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const paths = [`../examples/${name}.ts`, `peers/scure${peer}.ts`, `peers/bitcoinjs${peer}.ts`];
    return `| ${[task, ...paths.map(linesOf)].join(' | ')} |`;
  });
  return ['| lines | countersign | @scure/btc-signer | bitcoinjs-lib |', '|---|---|---|---|', ...rows, ''].join('\n');
}

process.stdout.write(lineTable());
