// Writes vectors/contract.json: node .build/bundled.mjs test/contract/main.ts
import { writeFileSync } from 'node:fs';
import { makeContract } from './makeContract.ts';

const { cases, ...head } = makeContract();
const rows = cases.map((row) => `    ${JSON.stringify(row)}`).join(',\n');
const text = `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "cases": [\n${rows}\n  ]\n}\n`;
writeFileSync(new URL('../../vectors/contract.json', import.meta.url), text);
console.log(`${cases.length} cases`);
