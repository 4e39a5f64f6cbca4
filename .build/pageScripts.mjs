// Prints the scripts of a countersign.html, that of the page and that of its worker, to be read: node .build/pageScripts.mjs FILE
import { existsSync, readFileSync } from 'node:fs';
import { packing } from './packing.mjs';

const [file = ''] = process.argv.slice(2);
const html = existsSync(file) ? readFileSync(file, 'utf8') : '';
const { sizes, packed } = /id="packed" data-sizes="(?<sizes>[\d ]+)">(?<packed>[^<]*)</.exec(html)?.groups ?? {};
if (packed === undefined) {
  process.stderr.write('Name a countersign.html: node .build/pageScripts.mjs FILE\n');
  process.exitCode = 2;
} else {
  const { createUnpacker } = await packing();
  const nextByte = createUnpacker(Buffer.from(packed, 'base64'));
  for (const size of sizes.split(' ')) {
    process.stdout.write(Buffer.from(Array.from({ length: Number(size) }, nextByte)));
    process.stdout.write('\n');
  }
}
