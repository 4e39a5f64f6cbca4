import { RINGS, readRing } from './rings.ts';

// Prints the table of docs/audit.md, or with a module of src the files that it reaches.
const [module] = process.argv.slice(2);
if (module === undefined) {
  for (const [question, entry] of Object.entries(RINGS)) {
    const { files, lines } = await readRing(entry);
    console.log(`| ${question} | \`${entry}\` | ${files.length} | ${lines} |`);
  }
} else {
  for (const file of (await readRing(module)).files) console.log(file);
}
