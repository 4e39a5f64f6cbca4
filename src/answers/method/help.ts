import { wrapText } from '../../core/encoding/wrapText.ts';
import type { DialectTraits } from '../dialect/dialectNames.ts';
import type { RpcSignature } from './method.ts';
import type { Kind, Param } from './param.ts';
import { shapeOfParam } from './paramShape.ts';
import type { Result, ResultMembers } from './results.ts';

/** Returns the first line of help, with optional parameters in parentheses. @see Bitcoin Core `RPCHelpMan::ToString` */
export function synopsis({ name, params }: Pick<RpcSignature, 'name' | 'params'>): string {
  const shown = params.filter(({ isHidden }) => !isHidden);
  const labels = shown.flatMap((param, i) => {
    const opens = param.isOptional && !shown[i - 1]?.isOptional;
    const closes = param.isOptional && !shown[i + 1]?.isOptional;
    return [...(opens ? ['('] : []), label(param), ...(closes ? [')'] : [])];
  });
  return [name, ...labels].join(' ');
}

/** @see Bitcoin Core `RPCArg::ToString` */
function label(param: Param): string {
  const { name, kind, shownAs, members, entry, alternatives } = param;
  if (shownAs !== undefined) return shownAs;
  if (kind === 'string' || kind === 'hex') return `"${name}"`;
  if (kind === 'array') return `[${itemLabels(param)},...]`;
  if (alternatives?.[0]) return label({ ...alternatives[0], name });
  if (members) return `{${members.map(memberLabel).join(',')}${param.takesNames ? ',...' : ''}}`;
  return entry ? `{${memberLabel(entry)},...}` : name;
}

const itemLabels = ({ item }: Param): string => (item?.alternatives ?? (item ? [item] : [])).map(label).join(',');

const MEMBER_LABELS: Readonly<Partial<Record<Kind, string>>> = {
  string: '"str"',
  hex: '"hex"',
  number: 'n',
  range: 'n or [n,n]',
  amount: 'amount',
  bool: 'bool',
};

/** @see Bitcoin Core `RPCArg::ToStringObj` */
const memberLabel = (param: Param): string => `"${param.name}":${MEMBER_LABELS[param.kind] ?? label(param)}`;

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
  const lines = params.flatMap((param, position) => {
    const shape = shapeOfParam(param);
    const words = resultText(shape, param.isOptional ? 'optional' : 'required');
    const inner = membersHelp(shape, 1).map((line) => `     ${line}`);
    return [`${labels[position]?.padEnd(width)}${wrapText(words, width)}`, ...inner];
  });
  return lines.join('\n');
}

type Traits = Pick<Result, 'about' | 'default'> & DialectTraits;

function described(
  types: readonly string[],
  { about, default: fallback, onlyInDialect, alsoInDialect, since, until }: Traits,
): string {
  const traits = [
    ...types,
    ...(fallback === undefined ? [] : [`default ${fallback}`]),
    ...(onlyInDialect === undefined ? [] : [`${onlyInDialect} only`]),
    ...(since === undefined ? [] : [`since ${since}${alsoInDialect === undefined ? '' : ` and in ${alsoInDialect}`}`]),
    ...(until === undefined ? [] : [`until ${until}`]),
  ];
  return `(${traits.join(', ')})${about === '' ? '' : ` ${about}`}`;
}

function resultHelp(result: Result): string {
  if (result.alternatives) return alternativesHelp(result.alternatives).join('\nor\n');
  // The members of an object say more than its type.
  const lines =
    result.members && result.about === ''
      ? membersHelp(result, 1)
      : [resultText(result, ...optionalNote(result)), ...membersHelp(result, 2)];
  return lines.join('\n');
}

/** Says members that several alternatives have only once. */
function alternativesHelp(alternatives: readonly Result[]): readonly string[] {
  const said = new Set<Result>();
  return alternatives.map((each) => {
    const members = Object.entries(each.members ?? {});
    const others = members.filter(([, member]) => !said.has(member));
    for (const [, member] of others) said.add(member);
    if (others.length === members.length) return resultHelp(each);
    return resultHelp({ ...each, members: Object.fromEntries(others), about: `${each.about}: the members above, and` });
  });
}

const optionalNote = ({ isOptional }: Result): readonly string[] => (isOptional ? ['optional'] : []);

function resultText(result: Result, ...notes: readonly string[]): string {
  const { shownBy, values = [], about } = result;
  const texts = values.filter((value) => typeof value === 'string');
  const words = [
    ...(texts.length > 0 ? [eitherText(texts.map((text) => `"${text}"`))] : []),
    ...(about === '' ? [] : [about]),
    ...(shownBy === undefined ? [] : [`as in ${shownBy}`]),
  ];
  return described([typeText(result), ...notes], {
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
    `${indent}${name.padEnd(width)}${wrapText(resultText(member, ...optionalNote(member)), indent.length + width)}`,
    ...membersHelp(member, depth + 1),
  ]);
}
