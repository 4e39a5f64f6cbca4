// Type-checks everything, each file once: in the first project that holds it, which allows the least. `tsc` would check
// what a project imports again, and the tests import the whole library.
import ts from 'typescript';
import { root } from './bundle.mjs';
import { missingOptionTypes } from './optionTypes.mjs';

/** The library knows neither Node nor a browser; the page knows no Node. */
const PROJECTS = ['src', 'src/shell/page', '.', 'test/shell/page', 'examples/browser'];

const formatHost = {
  getCurrentDirectory: () => root,
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
};
const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (fault) => faults.push(fault) };
const faults = [];
const checked = new Set();
const missing = [];
/** What was parsed for one project serves the next: all have the same target and kind of modules. */
const parsed = new Map();

for (const project of PROJECTS) {
  const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(
    `${root}${project}/tsconfig.json`,
    {},
    host,
  );
  const compiler = ts.createCompilerHost(options);
  const { getSourceFile } = compiler;
  compiler.getSourceFile = (path, ...rest) => {
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, ...rest));
    return parsed.get(path);
  };
  const program = ts.createProgram(fileNames, options, compiler);
  faults.push(...errors, ...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics());
  for (const file of program.getSourceFiles()) {
    if (checked.has(file.fileName) || program.isSourceFileFromExternalLibrary(file)) continue;
    checked.add(file.fileName);
    faults.push(...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file));
  }
  if (project === '.') missing.push(...missingOptionTypes(program));
}

const all = ts.sortAndDeduplicateDiagnostics(faults);
process.stdout.write(ts.formatDiagnosticsWithColorAndContext(all, formatHost));
for (const one of missing) process.stdout.write(`${one} is not exported beside the function that takes it\n`);
process.exitCode = all.length + missing.length > 0 ? 1 : 0;
