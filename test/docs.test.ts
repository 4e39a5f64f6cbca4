import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
const isOurs = (name: string): boolean => !['.git', 'node_modules', 'dist', 'release'].includes(name);

/** Lists the files of a folder and of the folders in it, as paths from the root. */
function filesOf(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isOurs(entry.name) ? filesOf(path) : [];
    return [path];
  });
}

const files = filesOf('');
const folders = new Set(
  files.flatMap((file) => file.split('/').map((_, i, parts) => `${parts.slice(0, i).join('/')}/`)),
);

const documents = files.filter((file) => file.endsWith('.md'));

/** Reads a document; of the changelog, only the section of the present version, since older ones name removed files. */
function textOf(document: string): string {
  const text = readFileSync(join(root, document), 'utf8');
  return document === 'CHANGELOG.md' ? text.split(/^## /m).slice(0, 2).join('## ') : text;
}

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

describe('the documents', () => {
  test.each(documents)('%s names only files and folders that exist', (document) => {
    const named = [...textOf(document).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text).filter(looksLikePath);
    expect(named.filter((path) => !exists(path, document))).toEqual([]);
  });

  test('comments in src name only files that exist', () => {
    const missing = files
      .filter((file) => /^src\/.*\.ts$/.test(file))
      .flatMap((file) => {
        const comments = textOf(file).match(/^\s*(?:\/\*\*|\*|\/\/).*$/gm) ?? [];
        const named = comments.flatMap((line) => [...line.matchAll(/`([\w./-]+\.(?:[cm]?[jt]s|md))`/g)]);
        return named.map(([, path = '']) => path).filter((path) => !exists(path, file));
      });
    expect(missing).toEqual([]);
  });

  test('the changelog gives present names as src spells them, and removed ones that are gone', () => {
    const source = files
      .filter((file) => /^src\/.*\.ts$/.test(file))
      .map(textOf)
      .join('\n');
    const isInSource = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(source);
    const namesIn = (text: string): readonly string[] => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    const rows = textOf('CHANGELOG.md').split('\n');
    const present = rows.flatMap((row) => namesIn(row.replace(/^\|[^|]*/, '')));
    expect(present.filter((name) => !isInSource(name))).toEqual([]);
    const removed = rows.flatMap((row) => namesIn(/^\|[^|]*/.exec(row)?.[0] ?? ''));
    expect(removed.filter((name) => new RegExp(`\\bexport .*\\b${name}\\b`).test(source))).toEqual([]);
  });

  test('links lead to files that exist', () => {
    const broken = documents.flatMap((document) =>
      [...textOf(document).matchAll(/\]\(([^)#\s:]+)(?:#[^)]*)?\)/g)]
        .map(([, target = '']) => join(dirname(document), target))
        .filter((target) => !existsSync(join(root, target))),
    );
    expect(broken).toEqual([]);
  });

  test('the architecture names every folder of src, and no other', () => {
    const architecture = textOf('docs/architecture.md');
    const [, picture = ''] = /## The floors\n.*?```\n(.*?)```/s.exec(architecture) ?? [];
    const ofSource = [...folders].filter((folder) => /^src\/[^/]+\/$/.test(folder)).map((folder) => basename(folder));
    expect(ofSource.filter((folder) => !new RegExp(`\\b${folder}\\b`).test(picture))).toEqual([]);
    const drawn = [...architecture.matchAll(/```\n(.*?)```/gs)].flatMap(([, block = '']) => [
      ...block.matchAll(/\b[a-z0-9]+(?:\/[A-Za-z0-9]+)+\b/g),
    ]);
    const paths = drawn.map(([path]) => path);
    expect(paths.filter((path) => !files.includes(`src/${path}.ts`) && !folders.has(`src/${path}/`))).toEqual([]);
  });
});
