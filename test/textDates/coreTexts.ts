import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Parts of Core's source that answer no call. */
const UNREAD: ReadonlySet<string> = new Set(['bench', 'crc32c', 'leveldb', 'minisketch', 'qt', 'secp256k1', 'test']);

function* sourceFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!UNREAD.has(entry.name)) yield* sourceFiles(path);
    } else if (/\.(?:cpp|h)$/.test(entry.name)) yield path;
  }
}

/** A comment, which may hold quotes; a character; a raw text; or texts that the compiler joins. */
const TOKENS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)+'|R"([^(]*)\(([\s\S]*?)\)\1"|"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*/g;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

const unescaped = (joined: string): string =>
  joined
    .slice(1, -1)
    .replace(/"\s*"/g, (quotes, at: number, all: string) => (all[at - 1] === '\\' ? quotes : ''))
    .replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter);

/** Lists the texts in the source of a release, one after the other, each on lines of its own. */
export function textsOf(checkout: string): string {
  const texts: string[] = [];
  for (const file of sourceFiles(join(checkout, 'src'))) {
    for (const [token, , raw] of readFileSync(file, 'utf8').matchAll(TOKENS)) {
      if (raw !== undefined) texts.push(raw);
      else if (token.startsWith('"')) texts.push(unescaped(token));
    }
  }
  return texts.join('\0');
}
