import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;
const isOurs = (name: string): boolean => !['.git', 'node_modules', 'dist', 'release'].includes(name);

/** Lists the files of a folder and of the folders in it, as paths from the root. */
function filesOf(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isOurs(entry.name) ? filesOf(path) : [];
    return [path];
  });
}

/** Every file of the repository, as a path from its root. */
export const files: readonly string[] = filesOf('');

/** The Markdown documents among them. */
export const documents: readonly string[] = files.filter((file) => file.endsWith('.md'));

/** Reads a file of the repository. */
export const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

/** A fenced block of a document. */
export interface Block {
  /** The document and the line of the fence: `README.md:12`. */
  readonly name: string;
  readonly language: string;
  readonly text: string;
}

/** Lists the fenced blocks of a document, in its order. */
export function blocksOf(document: string): readonly Block[] {
  const text = readText(document);
  return [...text.matchAll(/^( *)```(\w*)\n(.*?)^ *```$/gms)].map(
    ([, indent = '', language = '', block = ''], i, all) => ({
      name: `${document}:${text.slice(0, all[i]?.index).split('\n').length}`,
      language,
      text: block.replace(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

/** Lists the anchors of a document: those that GitHub makes of its headings, and those of its own. */
export function anchorsOf(document: string): ReadonlySet<string> {
  const prose = readText(document).replace(/^ *```.*?^ *```$/gms, '');
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  const ofHeadings = headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
  // GitHub numbers headings that repeat.
  const numbered = ofHeadings.map((anchor, i) => {
    const before = ofHeadings.slice(0, i).filter((other) => other === anchor).length;
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
  const own = [...prose.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return new Set([...numbered, ...own]);
}
