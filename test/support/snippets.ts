import ts from 'typescript';

/** A program in a document: TypeScript whose comments behind `;` give values. */
export interface Snippet {
  /** The document and the line: `README.md:12`. */
  readonly name: string;
  readonly code: string;
}

/** Returns the TypeScript blocks of a Markdown document. */
export function snippetsOf(document: string, text: string): readonly Snippet[] {
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(({ 1: code = '', index }) => ({
    name: `${document}:${text.slice(0, index).split('\n').length}`,
    code,
  }));
}

/** Counts the values that a snippet gives. */
export const valuesIn = (code: string): number => code.match(/; \/\/ (?=.*$)/gm)?.length ?? 0;

/** Defines `check`, which compares a value with its text, and `checked`, the number of comparisons. */
export const PRELUDE = `
let checked = 0;
const shown = (value) => (typeof value === 'bigint' ? value + 'n' : String(value));
const check = (value, wanted) => {
  checked += 1;
  if (shown(value) !== wanted) throw new Error(shown(value) + ' instead of ' + wanted);
};
`;

/** Translates a snippet to JavaScript; `expression; // value`, perhaps behind an `if`, becomes a check of the value. */
export function withChecks(code: string): string {
  const checking = code.replace(
    /^(\s*(?:if \([^;]*?\) )?)(?!const |import )(.+); \/\/ (.*)$/gm,
    (_, lead, expression, value) => `${lead}check(${expression}, ${JSON.stringify(value)});`,
  );
  const { ESNext } = ts.ModuleKind;
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ESNext, verbatimModuleSyntax: true };
  return ts.transpileModule(checking, { compilerOptions }).outputText;
}
