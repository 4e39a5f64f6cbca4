// Programs name the type of what they pass. Each entry exports the types that its functions take, if its folder declares
// them; values of other rooms, such as a PSBT, have entries of their own.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import ts from 'typescript';
import { root } from './bundle.mjs';

/** Lists `entry: type` for each type that is missing. */
export function missingOptionTypes(program) {
  const checker = program.getTypeChecker();
  const original = (symbol) =>
    symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const { exports: entries } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  return Object.values(entries).flatMap((path) => {
    const file = program.getSourceFile(root + path.replace('./dist', 'src').replace(/\.js$/, '.ts'));
    const module = file && checker.getSymbolAtLocation(file);
    if (!module) return [];
    const exported = checker.getExportsOfModule(module);
    const names = new Set(exported.map(({ name }) => name));
    const folder = `${dirname(file.fileName)}/`;
    const isMissing = (symbol) =>
      symbol.declarations?.some(
        (one) => !ts.isTypeParameterDeclaration(one) && one.getSourceFile().fileName.startsWith(folder),
      ) && !names.has(symbol.name);
    const functions = exported.flatMap((one) => (original(one).declarations ?? []).flatMap(functionOf));
    const types = functions.flatMap(({ parameters }) =>
      parameters.flatMap(({ type }) => (type ? typeNames(type) : [])),
    );
    const missing = types
      .map((name) => original(checker.getSymbolAtLocation(name)))
      .filter((one) => one && isMissing(one));
    return [...new Set(missing.map(({ name }) => `${path}: ${name}`))];
  });
}

/** A function is declared, or is what a constant is. */
function functionOf(node) {
  const value = ts.isVariableDeclaration(node) ? node.initializer : node;
  return value && (ts.isFunctionDeclaration(value) || ts.isArrowFunction(value)) ? [value] : [];
}

function typeNames(node) {
  const own = ts.isTypeReferenceNode(node) ? [node.typeName] : [];
  return [...own, ...node.getChildren().flatMap(typeNames)];
}
