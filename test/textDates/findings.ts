import { readFileSync } from 'node:fs';
import { GENERATIONS, type GenerationName, isWithin } from '../../src/core/generations.ts';
import { allMethods } from '../../src/node/registry.ts';
import { importersOf, type OurText, ourTexts } from './ourTexts.ts';

/** The releases whose source is compared. */
export const RELEASES = GENERATIONS.slice(1);

export type Sources = ReadonlyMap<GenerationName, string>;

/** A text that a release answers, but whose source does not have. */
export interface Finding extends OurText {
  readonly answered: readonly GenerationName[];
  readonly present: readonly GenerationName[];
}

const LISTS = ['answers/statelessMethods.ts', 'node/statefulMethods.ts'] as const;

/** The file of each method. */
function methodFiles(root: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const list of LISTS) {
    const folder = list.slice(0, list.indexOf('/') + 1);
    for (const [, names = '', path = ''] of readFileSync(`${root}/${list}`, 'utf8').matchAll(
      /export \{([^}]*)\} from '\.\/([^']+)';/g,
    )) {
      for (const name of names.split(',')) {
        const shown = /(?:as )?'?([a-z0-9.]+)'?\s*$/.exec(name)?.[1];
        if (shown) files.set(shown, folder + path);
      }
    }
  }
  return files;
}

/** Tells which releases run the code that holds a text: all, unless only methods with a lifetime use it. */
function usersOf(root: string): (text: OurText) => readonly GenerationName[] {
  const files = methodFiles(root);
  const importers = importersOf(root, new Set([...LISTS, 'node/registry.ts']));
  return ({ file, scope }) => {
    const own = allMethods().find(({ name }) => name === scope && files.get(name) === file);
    if (own) return RELEASES.filter((release) => isWithin(release, own));
    const served = importers(file);
    const methods = allMethods().filter(({ name }) => served.has(files.get(name) ?? ''));
    const isShared = ['node/createNodeRpc.ts', 'answers/createRpc.ts'].some((whole) => served.has(whole));
    if (isShared || methods.length === 0) return RELEASES;
    return RELEASES.filter((release) => methods.some((lifetime) => isWithin(release, lifetime)));
  };
}

/** Core has placeholders for numbers and names, and joins sentences. */
const PIECES = /[0-9]+|['"]|\{[^}]*\}|[(=$]| : |(?<=[.:!?,;]) +|\n/;

/** Tells whether a source has a text that begins and ends with whole words. */
function hasWords(source: string, text: string): boolean {
  const isLetter = (at: number): boolean => /[A-Za-z]/.test(source[at] ?? '');
  for (let at = source.indexOf(text); at >= 0; at = source.indexOf(text, at + 1)) {
    const isCut = (isLetter(at - 1) && isLetter(at)) || (isLetter(at + text.length - 1) && isLetter(at + text.length));
    if (!isCut) return true;
  }
  return false;
}

/** Tells whether a source has a text, or all of its pieces. */
export function hasText(source: string, run: string): boolean {
  // The end of a word that a placeholder begins: "inputs", "bitcoind".
  const text = run.trim().replace(/^[a-z] /, '');
  if (hasWords(source, text)) return true;
  const pieces = text.split(PIECES).map((piece) => piece.trim().replace(/[.:!?,;]$/, ''));
  const telling = pieces.filter((piece) => / /.test(piece));
  return telling.length > 0 && telling.every((piece) => hasWords(source, piece));
}

/** Lists the texts that some release answers without having them in its source. */
export function findTexts(root: string, sources: Sources): readonly Finding[] {
  const users = usersOf(root);
  return ourTexts(root).flatMap((text): readonly Finding[] => {
    const answered = users(text).filter((release) => text.row?.includes(release) !== false);
    const present = RELEASES.filter((release) => hasText(sources.get(release) ?? '', text.run));
    return answered.every((release) => present.includes(release)) ? [] : [{ ...text, answered, present }];
  });
}
