import { isHex, parseHex } from '../../bytes/hex.ts';
import { MAX_KEYS, MAX_LOCK } from './bounds.ts';
import type { HashName } from './fragment.ts';
import { addLeaf, endOfItem, type Parser, parseInteger, type SyntaxFault, takeToComma } from './syntax.ts';
import { typed } from './types.ts';

type Read = <K>(parser: Parser<K>, name: string) => SyntaxFault | undefined;

export const LEAVES: ReadonlyMap<string, Read> = /* @__PURE__ */ new Map<string, Read>([
  ['pk', readKey],
  ['pkh', readKey],
  ['pk_k', readKey],
  ['pk_h', readKey],
  ['sha256', readHash],
  ['hash256', readHash],
  ['ripemd160', readHash],
  ['hash160', readHash],
  ['older', readLock],
  ['after', readLock],
  ['multi', readMulti],
  ['multi_a', readMulti],
]);

/** @see Bitcoin Core `script::Expr`, `script::Func` */
function takeArgument<K>(parser: Parser<K>, name: string): string | undefined {
  const { text, at } = parser;
  const start = at + name.length + 1;
  const end = parser.nestsKeys ? endOfExpression(parser) : text.indexOf(')', start) + 1;
  if (end <= start || text[end - 1] !== ')') return undefined;
  parser.at = end;
  return text.slice(start, end - 1);
}

function endOfExpression<K>({ text, at }: Parser<K>): number {
  let depth = 0;
  let end = at;
  for (; end < text.length; end += 1) {
    const character = text.charAt(end);
    if ('({'.includes(character)) depth += 1;
    else if (depth > 0 && ')}'.includes(character)) depth -= 1;
    else if (depth === 0 && '),}'.includes(character)) break;
  }
  return end;
}

function readKey<K>(parser: Parser<K>, name: string): SyntaxFault | undefined {
  const text = takeArgument(parser, name);
  if (text === undefined) return 'key';
  const { context } = parser;
  const isHashed = name === 'pkh' || name === 'pk_h';
  const key = typed({ kind: isHashed ? 'pk_h' : 'pk_k', key: parser.parseKey(text) }, context);
  // `pk(K)` is `c:pk_k(K)`, and `pkh(K)` is `c:pk_h(K)`.
  return addLeaf(parser, name.startsWith('pk_') ? key : typed({ kind: 'c', sub: key }, context));
}

function readHash<K>(parser: Parser<K>, name: string): SyntaxFault | undefined {
  const text = takeArgument(parser, name) ?? '';
  const hash = HASHES.find((entry) => entry.name === name);
  if (!hash || text.length !== 2 * hash.size || !isHex(text)) return 'hash';
  return addLeaf(parser, typed({ kind: 'hash', name: hash.name, hash: parseHex(text) }, parser.context));
}

const HASHES: readonly { readonly name: HashName; readonly size: number }[] = [
  { name: 'sha256', size: 32 },
  { name: 'hash256', size: 32 },
  { name: 'ripemd160', size: 20 },
  { name: 'hash160', size: 20 },
];

function readLock<K>(parser: Parser<K>, name: string): SyntaxFault | undefined {
  const lock = parseInteger(takeArgument(parser, name) ?? '');
  if (lock === undefined || lock < 1 || lock > MAX_LOCK) return 'number';
  return addLeaf(parser, typed({ kind: name === 'older' ? 'older' : 'after', lock }, parser.context));
}

/** As in Core, a key ends at the next comma or parenthesis, so `musig()` is impossible here. */
function readMulti<K>(parser: Parser<K>, name: string): SyntaxFault | undefined {
  const kind = parser.context === 'wsh' ? 'multi' : 'multi_a';
  if (name !== kind) return 'context';
  parser.at += name.length + 1;
  const required = parseInteger(takeToComma(parser) ?? '');
  if (required === undefined) return 'number';
  const keys: K[] = [];
  for (let isLast = false; !isLast; ) {
    const end = endOfItem(parser);
    if (end === parser.at || end === parser.text.length) return 'key';
    keys.push(parser.parseKey(parser.text.slice(parser.at, end)));
    isLast = parser.text[end] === ')';
    parser.at = end + 1;
  }
  if (keys.length > MAX_KEYS[kind]) return 'key-count';
  if (required < 1 || required > keys.length) return 'threshold';
  return addLeaf(parser, typed({ kind, required, keys }, parser.context));
}
