import { readdirSync, readFileSync } from 'node:fs';
import { checkSync } from 'recheck';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

/** Every pattern of the product, on the worst text for it. */

const SOURCES = new URL('../../../src/', import.meta.url);

interface Pattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** Lists the patterns of a file: literals, and those composed of its constants. */
function patternsIn(file: string): readonly Pattern[] {
  const found: Pattern[] = [];
  const tree = ts.createSourceFile(file, readFileSync(new URL(file, SOURCES), 'utf8'), ts.ScriptTarget.Latest, true);
  const constants = constantsIn(tree);
  const visit = (node: ts.Node): void => {
    const pattern = readPattern(node, constants);
    if (pattern) found.push({ file, ...pattern });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

type Parts = Omit<Pattern, 'file'>;

function readPattern(node: ts.Node, constants: Constants): Parts | undefined {
  if (ts.isRegularExpressionLiteral(node)) return splitLiteral(node);
  if (!ts.isNewExpression(node) || node.expression.getText() !== 'RegExp') return undefined;
  const [source, flags] = node.arguments ?? [];
  if (!source) return undefined;
  return { source: evaluate(source, constants), flags: flags ? evaluate(flags, constants) : '' };
}

function splitLiteral({ text }: ts.RegularExpressionLiteral): Parts {
  const end = text.lastIndexOf('/');
  return { source: text.slice(1, end), flags: text.slice(end + 1) };
}

type Constants = ReadonlyMap<string, ts.Expression>;

const constantsIn = (tree: ts.SourceFile): Constants =>
  new Map(
    tree.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations)
      .flatMap(({ name, initializer }) => (initializer ? [[name.getText(), initializer] as const] : [])),
  );

/** Returns the text that an expression is, or the source of the pattern that it is. */
function evaluate(node: ts.Expression, constants: Constants): string {
  const within = (inner: ts.Expression): string => evaluate(inner, constants);
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
  if (ts.isRegularExpressionLiteral(node)) return splitLiteral(node).source;
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source') return within(node.expression);
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map((span) => within(span.expression) + span.literal.text).join('');
  }
  const constant = constants.get(node.getText());
  if (!constant) throw new Error(`cannot read the pattern ${node.getText()}`);
  return within(constant);
}

const PATTERNS = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.d)\.tsx?$/.test(file))
  .flatMap(patternsIn);

// Recheck's own limits of one second for a match make it call patterns slow on a machine that is busy.
const LIMITS = { timeout: 60_000, attackTimeout: 20_000, incubationTimeout: 20_000 };

describe('regular expressions', () => {
  test('are found', () => expect(PATTERNS.length).toBeGreaterThan(200));

  test('take time linear in the text, whatever the text is', () => {
    const statuses = new Map<string, string>();
    for (const { source, flags } of PATTERNS) {
      const key = `/${source}/${flags}`;
      if (!statuses.has(key)) statuses.set(key, checkSync(source, flags, LIMITS).status);
    }
    const slow = PATTERNS.filter(({ source, flags }) => statuses.get(`/${source}/${flags}`) !== 'safe');
    expect(slow).toEqual([]);
  }, 300_000);
});
