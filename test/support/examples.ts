import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import ts from 'typescript';

const root = new URL('../..', import.meta.url).pathname;

/** Translates a program to JavaScript, whose relative imports and files end with `.js`. */
function translated(source: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  const { outputText } = ts.transpileModule(source, { compilerOptions });
  return outputText.replace(/'(\.\/\w+)\.ts'/g, "'$1.js'");
}

/** Runs an example as a process, against the built package. @returns what it prints */
export function runExample(
  name: string,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): string {
  // Within the package, so that its name resolves to itself, but not in what npm packs.
  const folder = mkdtempSync(join(root, '.cache-example-'));
  const sources = readdirSync(join(root, 'examples')).filter((file) => /^\w+\.ts$/.test(file));
  for (const file of sources) {
    const source = readFileSync(join(root, 'examples', file), 'utf8');
    writeFileSync(join(folder, file.replace(/ts$/, 'js')), translated(source));
  }
  try {
    const env = { ...process.env, ...environment };
    return execFileSync(process.execPath, [join(folder, `${name}.js`), ...args], { encoding: 'utf8', env });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Bundles a program with the built package, as for a page. @throws if it imports a module of Node */
export function bundleForBrowsers(entry: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(root, entry)],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    tsconfigRaw: {},
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

/** Returns the browser of this machine, if it has one. */
export const browserPath = (): string | undefined =>
  ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path));
