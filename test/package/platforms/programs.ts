import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { findStatelessMethod } from '../../../src/answers/createRpc.ts';
import { withoutSecrets } from '../../../src/core/encoding/redaction.ts';
import { type Recorded, readRecorded } from '../../support/corpus.ts';
import { documents, readText } from '../../support/documents.ts';
import { root } from '../../support/packedPackage.ts';
import { PRELUDE, snippetsOf, withChecks } from '../../support/snippets.ts';

/** A program that needs no system: its text, with its checks. */
interface Program {
  readonly name: string;
  readonly code: string;
}

/** Needs Node, a server, or an optional package. */
const OF_SYSTEMS =
  /from 'countersign\/(?:store|client|regtest|contract|crypto\/)|from 'node:(?!fs')|\b(?:await|process|Buffer|getRandomValues)\b/;
const IMPORTED = /^import [^;]* from '([^']+)';$/gm;

const isPortable = (code: string): boolean =>
  !OF_SYSTEMS.test(code) &&
  [...code.matchAll(IMPORTED)].every(([, name = '']) => name.startsWith('countersign') || name === 'node:fs') &&
  /; \/\/ /.test(code);

/** Returns the examples in the doc comments of a source file. */
function examplesIn(path: string): readonly Program[] {
  const blocks = [...readFileSync(join(root, path), 'utf8').matchAll(/@example\n \* ```ts\n((?: \*.*\n)*?) \* ```/g)];
  return blocks.map(([, text = ''], i) => ({ name: `${path}#${i}`, code: text.replace(/^ \* ?/gm, '') }));
}

const sourceFiles = (folder: string): readonly string[] =>
  readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(join(root, path)).isDirectory()) return sourceFiles(path);
    return name.endsWith('.ts') ? [path] : [];
  });

/** The programs of the documents and of the doc comments, each once. */
export function portablePrograms(): readonly Program[] {
  const ofDocuments = documents.flatMap((document) => snippetsOf(document, readText(document)));
  return [...ofDocuments, ...sourceFiles('src').flatMap(examplesIn)].filter(({ code }) => isPortable(code));
}

interface Call extends Recorded {
  readonly dialect: string;
}

/** How many of the recorded calls are replayed. */
const EVERY = { 'core-32.util': 2, 'core-32.decode': 2, 'core-32.sign': 20, 'core-29.util': 2 } as const;
const LARGEST = 20_000;

/** A sample of the recorded calls that need no node. */
function sampleCalls(): readonly Call[] {
  return Object.entries(EVERY).flatMap(([name, every]) =>
    readRecorded(name, 'sample')
      .filter(({ method }) => findStatelessMethod(method) !== undefined)
      // Code -1 is a help, whose text is our own; other texts may quote what may be a key, which ours mask.
      .filter(({ error }) => !error || (error.code !== -1 && withoutSecrets(error.message) === error.message))
      .filter((_, i) => i % every === 0)
      .filter((call) => JSON.stringify(call).length < LARGEST)
      .map(({ method, params, result, error }) => {
        const answer = error ? { error } : { result };
        return { dialect: name.slice(0, name.indexOf('.')), method, params, ...answer };
      }),
  );
}

/** A module for a program, which runs when it is called. */
function moduleOf({ code }: Program): string {
  const imports = [...code.matchAll(IMPORTED)].map(([line]) => line).join('\n');
  const body = withChecks(code).replace(/^import [^;]*;$/gm, '');
  return `${imports}\nexport default () => {\n${PRELUDE}\n{\n${body.replace(/^export \{\};$/m, '')}\n}\nreturn checked;\n};\n`;
}

/** Runs everything, and returns what a platform did as JSON. */
const MAIN = `
import { accountFromWords, buildPsbt, signWith } from 'countersign';
import { createRpc, RpcError, stringifyRpc } from 'countersign/rpc';
import { calls, programs } from 'countersign:programs';

function attempt(run) {
  try {
    run();
    return undefined;
  } catch (error) {
    return String(error && error.stack ? error.message + ' ' + error.stack.split('\\n')[1] : error);
  }
}

function replay({ dialect, method, params, result, error }) {
  const rpc = createRpc({ network: dialect.startsWith('litecoin') ? 'litecoin-regtest' : 'regtest', dialect });
  let answer;
  try {
    answer = { result: JSON.parse(stringifyRpc(rpc.call(method, params))) };
  } catch (caught) {
    if (!(caught instanceof RpcError)) throw caught;
    answer = { error: { code: caught.code, message: caught.message } };
  }
  const wanted = JSON.stringify(error ? { error } : { result });
  if (JSON.stringify(answer) !== wanted) throw new Error(method + ': ' + JSON.stringify(answer).slice(0, 300) + ' instead of ' + wanted.slice(0, 300));
}

const words = 'abandon '.repeat(11) + 'about';
function timeToSign() {
  const me = accountFromWords(words, { network: 'regtest' });
  const coin = { txid: 'ab'.repeat(32), vout: 0, value: 100000n, from: me.receive(3) };
  const outputs = { bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080: 60000n };
  const psbt = buildPsbt({ inputs: [coin], outputs, change: me.change(0), feeRate: 2 });
  signWith(me, psbt);
  const times = [1, 2, 3, 4, 5].map(() => {
    const start = Date.now();
    for (let i = 0; i < 4; i += 1) signWith(me, psbt);
    return (Date.now() - start) / 4;
  });
  return times.sort((a, b) => a - b)[2];
}

globalThis.runPlatform = () => {
  const started = Date.now();
  const all = [
    ...programs.map(([name, run]) => [name, run]),
    ...calls.map((call, i) => ['call ' + i, () => replay(call)]),
  ];
  const failures = all.flatMap(([name, run]) => {
    const failure = attempt(run);
    return failure === undefined ? [] : [name + ': ' + failure];
  });
  const seconds = (Date.now() - started) / 1000;
  return JSON.stringify({
    programs: programs.length,
    calls: calls.length,
    passed: all.length - failures.length,
    failures: failures.slice(0, 10),
    seconds,
    signing: timeToSign(),
  });
};
`;

/** Bundles the programs, the sample and the library of `dist` as one script, which defines `runPlatform`. */
export async function bundlePrograms(options: Parameters<typeof build>[0] = {}): Promise<string> {
  const programs = portablePrograms();
  const modules = new Map(programs.map((program, i) => [`program-${i}`, moduleOf(program)]));
  const entries = programs.map(({ name }, i) => `[${JSON.stringify(name)}, p${i}]`);
  const list = `${programs.map((_, i) => `import p${i} from 'program-${i}';`).join('\n')}
export const programs = [${entries}];
export const calls = ${JSON.stringify(sampleCalls())};`;
  const used = [...new Set(programs.flatMap(({ code }) => code.match(/vectors\/[\w./-]+/g) ?? []))];
  const files = Object.fromEntries(used.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const fileSystem = `const files = ${JSON.stringify(files)}; export const readFileSync = (path) => files[path];`;
  const { outputFiles } = await build({
    stdin: { contents: MAIN, resolveDir: root, sourcefile: 'main.js' },
    bundle: true,
    format: 'iife',
    write: false,
    logLevel: 'error',
    target: 'es2022',
    plugins: [
      {
        name: 'programs',
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /^(?:program-\d+|countersign:programs|node:fs)$/ }, ({ path }) => ({
            path,
            namespace: 'programs',
          }));
          onLoad({ filter: /.*/, namespace: 'programs' }, ({ path }) => ({
            contents: path === 'node:fs' ? fileSystem : (modules.get(path) ?? list),
            loader: 'js',
            resolveDir: dirname(join(root, 'package.json')),
          }));
        },
      },
    ],
    ...options,
  });
  return outputFiles?.[0]?.text ?? '';
}
