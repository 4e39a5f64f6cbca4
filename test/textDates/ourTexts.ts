import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { GENERATIONS, type GenerationName } from '../../src/core/generations.ts';

/** A text in our source that an error may show. */
export interface OurText {
  /** The file below src. */
  readonly file: string;
  /** The function or constant of the module that holds it. */
  readonly scope: string;
  readonly line: number;
  /** The longest part without a placeholder. */
  readonly run: string;
  /** The generations of the row of a table that holds it. */
  readonly row?: readonly GenerationName[];
}

/** The folders whose texts a node's callers see. */
const FOLDERS = ['answers', 'core/descriptors', 'node/chain', 'node/mempool', 'node/methods', 'node/mining'];

/** Members of declarations that hold help, or names of our own. */
const HELP: ReadonlySet<string> = new Set(['about', 'examples', 'kind', 'type', 'says', 'format', 'category']);

/** Reasons of refused transactions and blocks; elsewhere such names are our own. */
const isReason = (file: string, text: string): boolean =>
  /^node\/(?:chain|mempool)\//.test(file) && /^(?!core-)[a-z]+(?:-[a-z0-9]+)+$/.test(text);
const isSentence = (text: string): boolean => /[A-Za-z]{2,}[^A-Za-z]* +[^A-Za-z]*[A-Za-z]{2,}/.test(text);

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.name.endsWith('.ts')) yield path;
  }
}

const isText = (node: ts.Node): node is ts.StringLiteral | ts.NoSubstitutionTemplateLiteral =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);

const isCompared = ({ parent }: ts.Node): boolean =>
  ts.isCaseClause(parent) ||
  (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText())) ||
  ts.isElementAccessExpression(parent);

const longest = (parts: readonly string[]): string =>
  parts.reduce((best, part) => (part.length > best.length ? part : best), '');

/** Names the functions that declare parameters and results, whose texts are help. */
function helpFunctions(source: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !isText(statement.moduleSpecifier)) continue;
    const { namedBindings } = statement.importClause ?? {};
    if (!/method\/(?:results|parameters)\.ts$|Arguments?\.ts$/.test(statement.moduleSpecifier.text) || !namedBindings)
      continue;
    if (ts.isNamedImports(namedBindings)) for (const { name } of namedBindings.elements) names.add(name.text);
  }
  return names;
}

/** Types, imports, help, and names of our own. */
function isUnshown(node: ts.Node, help: ReadonlySet<string>): boolean {
  if (ts.isPropertyAssignment(node)) return HELP.has(node.name.getText());
  if (ts.isCallExpression(node)) return help.has(node.expression.getText());
  const isType = ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node);
  return isType || ts.isImportDeclaration(node);
}

function scopeOf(node: ts.Node): string {
  let at = node;
  while (!ts.isSourceFile(at.parent)) at = at.parent;
  if (ts.isVariableStatement(at)) return at.declarationList.declarations[0]?.name.getText() ?? '';
  return (ts.isFunctionDeclaration(at) && at.name?.text) || '';
}

const nameOf = (property: ts.ObjectLiteralElementLike): string => {
  const { name } = property;
  return name && isText(name) ? name.text : (name?.getText() ?? '');
};

/** Returns the generations that keep a member of a table by generation: up to the one that changes it. */
function rowOf(node: ts.Node): readonly GenerationName[] | undefined {
  let member = '';
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    if (!ts.isPropertyAssignment(at) && !ts.isMethodDeclaration(at)) continue;
    const since = (GENERATIONS as readonly string[]).indexOf(nameOf(at));
    const table = at.parent;
    if (since < 0 || !ts.isObjectLiteralExpression(table)) {
      member = nameOf(at);
      continue;
    }
    const changes = (name: GenerationName): boolean =>
      table.properties.some(
        (row) =>
          nameOf(row) === name &&
          ts.isPropertyAssignment(row) &&
          ts.isObjectLiteralExpression(row.initializer) &&
          row.initializer.properties.some((other) => nameOf(other) === member),
      );
    const next = GENERATIONS.findIndex((name, i) => i > since && changes(name));
    return GENERATIONS.slice(since, next < 0 ? undefined : next);
  }
  return undefined;
}

function textsIn(path: string, root: string): readonly OurText[] {
  const file = path.slice(root.length + 1);
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true);
  const help = helpFunctions(source);
  const found: OurText[] = [];
  const add = (node: ts.Node, parts: readonly string[]): void => {
    const run = longest(parts);
    if (!isSentence(run) && !isReason(file, run)) return;
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const row = rowOf(node);
    found.push({ file, scope: scopeOf(node), line, run, ...(row && { row }) });
  };
  const visit = (node: ts.Node): void => {
    if (isUnshown(node, help)) return;
    if (isText(node)) {
      if (!isCompared(node)) add(node, [node.text]);
      return;
    }
    if (ts.isTemplateExpression(node))
      add(node, [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Lists the texts below a folder `src`. */
export function ourTexts(root: string): readonly OurText[] {
  return FOLDERS.flatMap((folder) => [...filesBelow(join(root, folder))].sort().flatMap((path) => textsIn(path, root)));
}

/**
 * Lists the files below `src` that a file serves: itself, and those that import it, directly or not. The lists of all
 * methods do not count.
 */
export function importersOf(root: string, lists: ReadonlySet<string>): (file: string) => ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  for (const path of filesBelow(root)) {
    for (const [, target = ''] of readFileSync(path, 'utf8').matchAll(
      /^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';$/gm,
    )) {
      const imported = resolve(dirname(path), target).slice(root.length + 1);
      importers.set(imported, [...(importers.get(imported) ?? []), path.slice(root.length + 1)]);
    }
  }
  return (file) => {
    const all = new Set([file]);
    for (const one of all) {
      for (const importer of importers.get(one) ?? []) if (!lists.has(importer)) all.add(importer);
    }
    return all;
  };
}
