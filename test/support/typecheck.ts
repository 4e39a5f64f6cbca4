import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = new URL('../..', import.meta.url).pathname;

interface Package {
  readonly exports: Readonly<Record<string, string>>;
}

/** Maps the package's entry points to their sources: `countersign/psbt` to `src/core/psbt/index.ts`. */
export function entryPoints(): ReadonlyMap<string, string> {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Package;
  return new Map(
    Object.entries(exports).flatMap(([entry, target]) => {
      if (!target.endsWith('.js')) return [];
      const source = target.replace(/^\.\/dist\//, './src/').replace(/\.js$/, '.ts');
      return [[entry.replace(/^\./, 'countersign'), source] as const];
    }),
  );
}

/** The options of a project of a user: `strict`, and nothing that finds more. */
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts'],
  types: ['node'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  paths: Object.fromEntries([...entryPoints()].map(([name, source]) => [name, [join(root, source)]])),
};

/** The parsed library and its dependencies, which all programs share. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * Makes a program of modules of the library, and of modules that exist in memory only.
 *
 * - `paths`: all modules that are not only imported
 * - `texts`: those in memory, by path
 */
export function programOf(paths: readonly string[], texts: ReadonlyMap<string, string> = new Map()): ts.Program {
  const host = ts.createCompilerHost(OPTIONS);
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.getSourceFile = (path, options, ...rest) => {
    const text = texts.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, options);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, options, ...rest));
    return parsed.get(path);
  };
  return ts.createProgram({ rootNames: paths, options: OPTIONS, host });
}

/**
 * Compiles modules that exist in memory only and import the package by its name.
 *
 * - `sources`: texts by file name, without a folder
 *
 * @returns the compiler's errors in them, as `name:line: message`
 */
export function typeErrors(sources: Readonly<Record<string, string>>): readonly string[] {
  const files = new Map(Object.entries(sources).map(([name, text]) => [join(root, 'test', name), text]));
  const program = programOf([...files.keys()], files);
  return [...files.keys()].flatMap((path) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(formatError);
  });
}

function formatError({ file, start = 0, messageText }: ts.Diagnostic): string {
  const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
  return `${file?.fileName.slice(join(root, 'test/').length)}:${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
}
