import { wrapText } from '../../core/encoding/wrapText.ts';
import type { DialectTraits } from '../dialect/dialectNames.ts';
import type { RpcSignature } from './method.ts';
import type { Param } from './parameters.ts';
import type { Result, ResultMembers } from './results.ts';

/** Returns the first line of help, with optional parameters in parentheses. @see Bitcoin Core `RPCHelpMan::ToString` */
export function synopsis({ name, params }: Pick<RpcSignature, 'name' | 'params'>): string {
  const labels = params.flatMap((param, i) => {
    const opens = param.isOptional && !params[i - 1]?.isOptional;
    const closes = param.isOptional && !params[i + 1]?.isOptional;
    return [...(opens ? ['('] : []), label(param), ...(closes ? [')'] : [])];
  });
  return [name, ...labels].join(' ');
}

const label = ({ name, type, shownAs }: Param): string =>
  shownAs ?? (type === 'string' ? `"${name}"` : type === 'array' ? `[${name},...]` : name);

export function methodHelp({ name, about, params, result, examples }: RpcSignature): string {
  const sections = [
    synopsis({ name, params }),
    about,
    ...(params.length > 0 ? [`Arguments:\n${parameterHelp(params)}`] : []),
    `Result:\n${resultHelp(result)}`,
    `Examples:\n${examples.map((example) => `> countersign ${example}`).join('\n')}`,
  ];
  return sections.join('\n\n');
}

function parameterHelp(params: readonly Param[]): string {
  const labels = params.map(({ name }, position) => `${position + 1}. ${name}`);
  const width = Math.max(...labels.map(({ length }) => length)) + 4;
  const texts = params.map((param, position) => {
    const [about = '', ...details] = param.about.split('\n');
    const words = described([param.shownType ?? param.type, param.isOptional ? 'optional' : 'required'], {
      ...param,
      about,
    });
    return [`${labels[position]?.padEnd(width)}${wrapText(words, width)}`, ...details].join('\n');
  });
  return texts.join('\n');
}

type Traits = Pick<Param, 'about' | 'default'> & DialectTraits;

function described(
  types: readonly string[],
  { about, default: fallback, onlyInDialect, alsoInDialect, since, until }: Traits,
): string {
  const traits = [
    ...types.map((type) => (type === 'bool' ? 'boolean' : type)),
    ...(fallback === undefined ? [] : [`default ${fallback}`]),
    ...(onlyInDialect === undefined ? [] : [`${onlyInDialect} only`]),
    ...(since === undefined ? [] : [`since ${since}${alsoInDialect === undefined ? '' : ` and in ${alsoInDialect}`}`]),
    ...(until === undefined ? [] : [`until ${until}`]),
  ];
  return `(${traits.join(', ')})${about === '' ? '' : ` ${about}`}`;
}

function resultHelp(result: Result): string {
  if (result.alternatives) return result.alternatives.map(resultHelp).join('\nor\n');
  // The members of an object say more than its type.
  const lines =
    result.members && result.about === '' ? membersHelp(result, 1) : [resultText(result), ...membersHelp(result, 2)];
  return lines.join('\n');
}

function resultText(result: Result): string {
  const { shownBy, values = [], about } = result;
  const texts = values.filter((value) => typeof value === 'string');
  const words = [
    ...(texts.length > 0 ? [eitherText(texts.map((text) => `"${text}"`))] : []),
    ...(about === '' ? [] : [about]),
    ...(shownBy === undefined ? [] : [`as in ${shownBy}`]),
  ];
  return described([typeText(result), ...(result.isOptional ? ['optional'] : [])], {
    ...result,
    about: words.join(', '),
  });
}

function typeText({ type, item, entry, places, alternatives }: Result): string {
  if (item) return `array of ${plural(item)}`;
  if (entry) return `object of ${plural(entry)}`;
  if (places) return `[${places.map(placeText).join(', ')}]`;
  return alternatives ? eitherText(alternatives.map(typeText)) : type;
}

const placeText = (place: Result): string => `${typeText(place)}${place.isOptional ? ' (optional)' : ''}`;

/** Joins words as in "a, b or c". */
function eitherText(words: readonly string[]): string {
  const unique = [...new Set(words)];
  return [unique.slice(0, -1).join(', '), ...unique.slice(-1)].filter((part) => part !== '').join(' or ');
}

const plural = ({ alternatives, ...result }: Result): string =>
  alternatives
    ? eitherText(alternatives.map(plural))
    : typeText(result).replace(/^\w+/, (noun) => (noun === 'hex' ? 'hex strings' : `${noun}s`));

/** Lists the members of an object, or of the objects in a list. */
function membersHelp(result: Result, depth: number): readonly string[] {
  if (result.shownBy !== undefined) return [];
  if (result.members) return memberLines(result.members, depth);
  const { item, entry, alternatives = [] } = result;
  const inner = [...alternatives, ...[item, entry].filter((part) => part !== undefined)];
  const shapes = inner.map((part) => membersHelp(part, depth)).filter(({ length }) => length > 0);
  return shapes.flatMap((lines, i) => (i > 0 ? [`${indentation(depth)}or`, ...lines] : lines));
}

const indentation = (depth: number): string => '  '.repeat(depth - 1);

function memberLines(members: ResultMembers, depth: number): readonly string[] {
  const indent = indentation(depth);
  const width = Math.max(...Object.keys(members).map(({ length }) => length)) + 4;
  return Object.entries(members).flatMap(([name, member]) => [
    `${indent}${name.padEnd(width)}${wrapText(resultText(member), indent.length + width)}`,
    ...membersHelp(member, depth + 1),
  ]);
}
