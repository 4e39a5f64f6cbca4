import { formatHex } from '../../core/bytes/hex.ts';
import { formatAmount } from '../../core/encoding/amount.ts';
import { isInDialect, type RpcContext } from '../dialect/dialect.ts';
import { doubleText, keepTexts, numberText, orderedObject, toCoins } from '../json/exactNumbers.ts';
import { printedAnswer, quote, stringifyRpc } from '../json/stringify.ts';
import type { RpcAnswer } from './method.ts';
import { Entries, type Result } from './results.ts';

/**
 * Makes an answer of what a method returns, as its declaration says: the members that the dialect has, in its order,
 * and the form of numbers. The arguments choose between answers.
 */
export function toAnswer(declared: Result, draft: unknown, context: RpcContext, args: Arguments = {}): RpcAnswer {
  const shape = shapeOf(chosenResult(declared, draft, args, context), draft, context);
  const isText = typeof draft === 'string' || draft instanceof Uint8Array;
  if (context.form === 'text' && !isText) return printedAnswer(textOf(shape, draft, context));
  const text = context.form === 'printable' ? keptText(shape, draft) : undefined;
  return text === undefined ? (answerOf(shape, draft, context) as RpcAnswer) : printedAnswer(text);
}

type Arguments = Readonly<Record<string, unknown>>;

function chosenResult(declared: Result, draft: unknown, args: Arguments, world: World): Result {
  const { chosenBy, choices } = declared;
  if (chosenBy === undefined || !choices) return declared;
  const value = args[chosenBy];
  const chosen =
    choices.find(({ when }) => when.includes(value)) ??
    choices.filter(({ result }) => fits(result, draft, world)).at(-1);
  return chosen ? chosenResult(chosen.result, draft, args, world) : declared;
}

type Member = readonly [name: string, declared: Result];

/** What decides which members an answer has. */
type World = Pick<RpcContext, 'dialect' | 'keeps'>;

const MEMBERS = /* @__PURE__ */ new WeakMap<Result, Map<string, readonly Member[]>>();

/** Lists the members that a dialect has, in its order. */
function membersIn(declared: Result, world: World): readonly Member[] {
  const name = world.keeps ? `${world.dialect.name} ${world.keeps.join(' ')}` : world.dialect.name;
  const byWorld = MEMBERS.get(declared) ?? new Map<string, readonly Member[]>();
  MEMBERS.set(declared, byWorld);
  const known = byWorld.get(name) ?? orderedMembers(declared, world);
  byWorld.set(name, known);
  return known;
}

/** Lists the members in the order of this answer. */
function membersOf(declared: Result, draft: object, world: World): readonly Member[] {
  const shown = membersIn(declared, world);
  const isDrafted = declared.orders?.some((order) => order.isDrafted && isInDialect(world.dialect, order));
  if (!isDrafted) return shown;
  const names = Object.keys(draft);
  return [...shown].sort(([a], [b]) => names.indexOf(a) - names.indexOf(b));
}

function orderedMembers({ members = {}, orders = [] }: Result, { dialect, keeps = [] }: World): readonly Member[] {
  const isShown = (member: Result): boolean =>
    isInDialect(dialect, member) || (member.keptBy !== undefined && keeps.includes(member.keptBy));
  const { first = [], last = [] } = orders.find((order) => isInDialect(dialect, order)) ?? {};
  const rank = (name: string): number =>
    last.includes(name) ? 1 + last.indexOf(name) : first.includes(name) ? first.indexOf(name) - first.length : 0;
  return Object.entries(members)
    .filter(([, member]) => isShown(member))
    .sort(([a], [b]) => rank(a) - rank(b));
}

/** Shares no object with the draft, so that callers may change each part. */
function answerOf(declared: Result, draft: unknown, world: World): unknown {
  const { members, item, places, entry, isAmount, isDouble } = declared;
  if (members) return objectOf(membersOf(declared, draft as object, world), draft as object, world);
  if (item || places) return listOf(declared, draft as readonly unknown[], world);
  if (entry) return dictionaryOf(entry, draft as object, world);
  if (draft instanceof Uint8Array) return formatHex(draft);
  if (typeof draft === 'bigint') return isAmount ? toCoins(draft) : Number(draft);
  if (typeof draft === 'number') return isDouble ? Number(doubleText(draft)) : draft;
  return draft ?? null;
}

function objectOf(members: readonly Member[], draft: object, world: World): object {
  const answer: Record<string, unknown> = {};
  let texts: Record<string, string> | undefined;
  for (const [name, declared] of members) {
    const value = (draft as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) continue;
    const shape = shapeOf(declared, value, world);
    answer[name] = answerOf(shape, value, world);
    const text = keptText(shape, value) ?? numberText(draft, name, value);
    if (text === undefined) continue;
    texts ??= {};
    texts[name] = text;
  }
  return texts ? keepTexts(answer, texts) : answer;
}

/** Returns what is printed of a number that JavaScript prints otherwise. */
function keptText({ isAmount, isDouble }: Result, draft: unknown): string | undefined {
  if (typeof draft === 'bigint' && isAmount) return formatAmount(draft);
  return typeof draft === 'number' && isDouble ? doubleText(draft) : undefined;
}

const ANYTHING: Result = { type: 'any', about: '' };

const placeAt = ({ item, places }: Result, i: number): Result => item ?? places?.[i] ?? ANYTHING;

function listOf(declared: Result, draft: readonly unknown[], world: World): readonly unknown[] {
  const shapes = draft.map((each, i) => shapeOf(placeAt(declared, i), each, world));
  const answer = shapes.map((shape, i) => answerOf(shape, draft[i], world));
  const texts = shapes.flatMap((shape, i) => {
    const text = keptText(shape, draft[i]) ?? numberText(draft, i, draft[i]);
    return text === undefined ? [] : [[i, text] as const];
  });
  return texts.length > 0 ? (keepTexts<object>(answer, Object.fromEntries(texts)) as readonly unknown[]) : answer;
}

const entriesOf = (draft: object): readonly (readonly [string, unknown])[] =>
  draft instanceof Entries ? draft.entries : Object.entries(draft);

const dictionaryOf = (entry: Result, draft: object, world: World): object =>
  orderedObject(
    entriesOf(draft).map(([name, value]) => [name, answerOf(shapeOf(entry, value, world), value, world)] as const),
  );

/** Makes the text on one line that `stringifyRpc` would print of the values. */
function textOf(declared: Result, draft: unknown, world: World): string {
  const shape = shapeOf(declared, draft, world);
  const { members, item, places, entry, isHex } = shape;
  if (members) return objectText(membersOf(shape, draft as object, world), draft as object, world);
  if (item || places) {
    const texts = (draft as readonly unknown[]).map(
      (each, i) => numberText(draft as object, i, each) ?? textOf(placeAt(shape, i), each, world),
    );
    return `[${texts.join(',')}]`;
  }
  if (entry) {
    const texts = entriesOf(draft as object).map(([name, value]) => `${quote(name)}:${textOf(entry, value, world)}`);
    return `{${texts.join(',')}}`;
  }
  if (typeof draft === 'string') return isHex ? `"${draft}"` : quote(draft);
  if (draft instanceof Uint8Array) return `"${formatHex(draft)}"`;
  return keptText(shape, draft) ?? stringifyRpc(draft ?? null);
}

/** Escapes no names. */
function objectText(members: readonly Member[], draft: object, world: World): string {
  let text = '{';
  let separator = '"';
  for (const [name, declared] of members) {
    const value = (draft as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) continue;
    text += `${separator}${name}":${numberText(draft, name, value) ?? textOf(declared, value, world)}`;
    separator = ',"';
  }
  return `${text}}`;
}

/** Finds the alternative that a method means, by the kind of what it returns and the members that it has. */
function shapeOf(declared: Result, draft: unknown, world: World): Result {
  const { alternatives } = declared;
  if (!alternatives) return declared;
  const fitting = alternatives.find((each) => fits(each, draft, world)) ?? alternatives.at(-1);
  return fitting ? shapeOf(fitting, draft, world) : ANYTHING;
}

function fits(declared: Result, draft: unknown, world: World): boolean {
  const { alternatives, item, places, values, type, isHex } = declared;
  if (alternatives) return alternatives.some((each) => fits(each, draft, world));
  if (values) return values.some((value) => value === draft);
  if (draft === null || draft === undefined) return type === 'null';
  if (draft instanceof Uint8Array) return isHex === true;
  if (Array.isArray(draft)) return item ? draft.every((each) => fits(item, each, world)) : places !== undefined;
  if (typeof draft === 'object') return fitsObject(declared, draft, world);
  if (typeof draft === 'string') return type === 'string' || isHex === true;
  return typeof draft === 'boolean' ? type === 'boolean' : NUMBERS.includes(type);
}

const NUMBERS: readonly string[] = ['number', 'amount in coins', 'UNIX time'];

function fitsObject(declared: Result, draft: object, world: World): boolean {
  const { members, entry, type } = declared;
  if (!members) return entry !== undefined || type === 'object';
  const given = draft as Readonly<Record<string, unknown>>;
  return membersIn(declared, world).every(([name, member]) =>
    given[name] === undefined ? member.isOptional : !member.values || fits(member, given[name], world),
  );
}
