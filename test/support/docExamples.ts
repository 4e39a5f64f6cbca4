import { join } from 'node:path';
import ts from 'typescript';
import { entryPoints, programOf } from './typecheck.ts';

const root = new URL('../..', import.meta.url).pathname;

export interface Exported {
  readonly entry: string;
  readonly name: string;
  readonly isFunction: boolean;
  readonly doc: string;
  readonly examples: readonly string[];
}

/** Lists what the entry points export, with the doc comments of the declarations. */
function readExports(): readonly Exported[] {
  const entries = [...entryPoints()].map(([entry, source]) => [entry, join(root, source)] as const);
  const program = programOf(entries.map(([, path]) => path));
  const checker = program.getTypeChecker();
  return entries.flatMap(([entry, path]) => {
    const file = program.getSourceFile(path);
    const module = file && checker.getSymbolAtLocation(file);
    return (module ? checker.getExportsOfModule(module) : []).map((symbol) => describeSymbol(entry, symbol, checker));
  });
}

function describeSymbol(entry: string, symbol: ts.Symbol, checker: ts.TypeChecker): Exported {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declaration = target.valueDeclaration;
  return {
    entry,
    name: symbol.name,
    isFunction:
      declaration !== undefined &&
      checker.getTypeOfSymbolAtLocation(target, declaration).getCallSignatures().length > 0,
    doc: ts.displayPartsToString(target.getDocumentationComment(checker)),
    examples: target
      .getJsDocTags(checker)
      .filter(({ name }) => name === 'example')
      .map(({ text }) => ts.displayPartsToString(text).replace(/^```ts\n(.*)\n```$/s, '$1')),
  };
}

export const exported: readonly Exported[] = readExports();
export const withExamples: ReadonlyMap<string, Exported> = new Map(
  exported.flatMap((item) => (item.examples.length > 0 ? [[item.name, item]] : [])),
);

export const IMPORT = /^import \{([^}]*)\} from '([^']+)';$/gm;

/** Imports what an example imports, by name. */
export async function importsOf(code: string): Promise<ReadonlyMap<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const [, names = '', entry = ''] of code.matchAll(IMPORT)) {
    const path = join(root, entryPoints().get(entry) ?? '');
    const module = (await import(/* @vite-ignore */ path)) as Readonly<Record<string, unknown>>;
    for (const name of names.match(/\w+/g) ?? []) values.set(name, module[name]);
  }
  return values;
}

export const AsyncFunction: FunctionConstructor = Object.getPrototypeOf(async () => undefined)
  .constructor as FunctionConstructor;
