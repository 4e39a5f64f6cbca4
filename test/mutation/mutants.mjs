// Makes the mutants of folders. Stryker’s instrumenter puts all of them into the source, each behind a switch.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { root } from '../../.build/bundle.mjs';

const silent = new Proxy({}, { get: () => () => false });
const options = { plugins: null, excludedMutations: [], ignorers: [] };

/** Replaces Stryker's header, which counts slowly. `campaign.ts` sets these functions before it loads the library. */
const HEADER = 'const { isActive: stryMutAct_9fa48, cover: stryCov_9fa48 } = globalThis.mutation;\n';

const onOneLine = (text) => text.replace(/\s+/g, ' ').trim();

/** Returns the text between two places. */
function slice(lines, start, end) {
  const rows = lines.slice(start.line, end.line + 1);
  rows[rows.length - 1] = rows.at(-1).slice(0, end.column);
  rows[0] = rows[0].slice(start.column);
  return rows.join('\n');
}

/** Returns the name of the function or constant at the margin that a line belongs to. */
function nameAt(lines, line) {
  for (let i = line; i >= 0; i--) {
    const match = /^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)/.exec(lines[i]);
    if (match) return match[1];
  }
  return '';
}

/** Returns the sources of folders with all mutants in them, by path, and the mutants. */
export async function mutantsOf(folders) {
  const paths = folders.flatMap((folder) => {
    const room = readdirSync(join(root, 'src')).find((name) => existsSync(join(root, 'src', name, folder))) ?? '';
    const names = readdirSync(join(root, 'src', room, folder), { recursive: true });
    return names.filter((name) => name.endsWith('.ts')).map((name) => join(root, 'src', room, folder, name));
  });
  const files = paths.sort().map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') }));
  const instrumented = await new Instrumenter(silent).instrument(files, options);
  const lines = new Map(files.map(({ name, content }) => [name, content.split('\n')]));
  const mutants = instrumented.mutants.map(({ id, fileName, location, mutatorName, replacement }) => {
    const all = lines.get(fileName);
    return {
      id,
      file: relative(root, fileName),
      line: location.start.line + 1,
      name: nameAt(all, location.start.line),
      mutator: mutatorName,
      original: onOneLine(slice(all, location.start, location.end)),
      replacement: onOneLine(replacement),
    };
  });
  const withHeader = (content) => content.replace(/function stryNS_9fa48.*?return isActive\(id\);\n}\n/s, HEADER);
  const sources = Object.fromEntries(instrumented.files.map(({ name, content }) => [name, withHeader(content)]));
  return { sources, mutants };
}
