import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands, programs } from '../src/shell/cli/commandTable.ts';
import { anchorsOf, documents, files, readText } from './support/documents.ts';

const root = new URL('..', import.meta.url).pathname;

const folders = new Set(
  files.flatMap((file) => file.split('/').map((_, i, parts) => `${parts.slice(0, i).join('/')}/`)),
);

/** Tells whether a text in backticks looks like a file or folder of this repository. */
function looksLikePath(text: string): boolean {
  if (!/^[\w.*/-]+$/.test(text) || /^(?:\.\.|\/|dist\/|release\/|node_modules\/|countersign\.mjs$)/.test(text))
    return false;
  return (
    /^(?:src|test|bench|docs|examples|vectors|\.ci)\//.test(text) || /(?:\.[cm]?ts|\.[cm]js|\.md|[a-z]\/)$/.test(text)
  );
}

/** Tells whether a path exists, seen from the root, from `src` or from the document's folder; `*` matches in a name. */
function exists(path: string, document: string): boolean {
  const pattern = new RegExp(`^${path.replace(/[.+]/g, '\\$&').replaceAll('*', '[^/]*')}/?$`);
  const isThere = (prefix: string): boolean =>
    [...files, ...folders].some((known) => known.startsWith(prefix) && pattern.test(known.slice(prefix.length)));
  const isBareName = !path.includes('/') && files.some((file) => pattern.test(basename(file)));
  return isBareName || ['', 'src/', `${dirname(document)}/`].some(isThere);
}

/** Tells whether a link leads to a file or folder, and to a heading of it. */
function leads(target: string, anchor: string | undefined): boolean {
  return existsSync(join(root, target)) && (anchor === undefined || anchorsOf(target).has(anchor));
}

/** Lists what the first column of the tables of a document names in backticks. */
const firstColumn = (document: string): readonly string[] =>
  [...readText(document).matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);

describe('the documents', () => {
  test.each(documents)('%s names only files and folders that exist', (document) => {
    const named = [...readText(document).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text).filter(looksLikePath);
    expect(named.filter((path) => !exists(path, document))).toEqual([]);
  });

  test('comments in src name only files that exist', () => {
    const missing = files
      .filter((file) => /^src\/.*\.ts$/.test(file))
      .flatMap((file) => {
        const comments = readText(file).match(/^\s*(?:\/\*\*|\*|\/\/).*$/gm) ?? [];
        const named = comments.flatMap((line) => [...line.matchAll(/`([\w./-]+\.(?:[cm]?[jt]s|md))`/g)]);
        return named.map(([, path = '']) => path).filter((path) => !exists(path, file));
      });
    expect(missing).toEqual([]);
  });

  test('links lead to files and headings that exist', () => {
    const broken = documents.flatMap((document) =>
      [...readText(document).matchAll(/\]\(([^)#\s:]*)(?:#([^)\s]+))?\)/g)]
        .map(([, path = '', anchor]) => ({ target: path === '' ? document : join(dirname(document), path), anchor }))
        .filter(({ target, anchor }) => !leads(target, anchor))
        .map(({ target, anchor }) => [document, target, anchor]),
    );
    expect(broken).toEqual([]);
  });

  test('the architecture names every folder of src, and no other', () => {
    const architecture = readText('docs/architecture.md');
    const [, picture = ''] = /## The rooms\n.*?```\n(.*?)```/s.exec(architecture) ?? [];
    const ofSource = [...folders]
      .filter((folder) => /^src\/[^/]+\/(?:[^/]+\/)?$/.test(folder))
      .map((folder) => basename(folder));
    expect(ofSource.filter((folder) => !new RegExp(`\\b${folder}\\b`).test(picture))).toEqual([]);
    const drawn = [...architecture.matchAll(/```\n(.*?)```/gs)].flatMap(([, block = '']) => [
      ...block.matchAll(/\b[a-z0-9]+(?:\/[A-Za-z0-9]+)+\b/g),
    ]);
    const paths = drawn.map(([path]) => path);
    expect(paths.filter((path) => !files.includes(`src/${path}.ts`) && !folders.has(`src/${path}/`))).toEqual([]);
  });
});

describe('a document agrees with the program:', () => {
  test('README.md has at most 200 lines, the commands that set everything up, and a link to each page', () => {
    const readme = readText('README.md');
    expect(readme.split('\n').length).toBeLessThanOrEqual(201);
    for (const command of ['npm ci && npm run demo', 'npm ci && npm test']) expect(readme).toContain(`$ ${command}`);
    const pages = documents.filter((path) => /^docs\/[\w-]+\.md$/.test(path));
    expect(pages.filter((page) => !readme.includes(page))).toEqual([]);
  });

  test('docs/cli.md names every command', () => {
    const named = firstColumn('docs/cli.md').map((usage) => usage.split(' ')[0]);
    expect([...commands.keys(), ...programs.keys()].filter((name) => !named.includes(name))).toEqual([]);
  });

  test('docs/safety.md links each class of attack to a file with its test', () => {
    const rows = [
      ...readText('docs/safety.md').matchAll(/^\| (\d+) \|.*\]\(\.\.\/(test\/safety\/\w+\.test\.ts)\) \|$/gm),
    ];
    expect(rows.map(([, number]) => Number(number))).toEqual(Array.from({ length: 38 }, (_, i) => i + 1));
    const isTested = ([, number = '', path = '']: readonly string[]): boolean =>
      new RegExp(`(?:describe|test)(?:\\.each\\([^]*?\\))?\\(\\s*['"\`]${number}\\. `).test(readText(path));
    expect(rows.filter((row) => !isTested(row)).map(([row]) => row)).toEqual([]);
  });
});
