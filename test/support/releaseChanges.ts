import type { DialectTraits } from '../../src/answers/dialect/dialectNames.ts';
import { shapeOfParam } from '../../src/answers/method/paramShape.ts';
import type { Result } from '../../src/answers/method/results.ts';
import { withoutKeys } from '../../src/core/encoding/redaction.ts';
import { GENERATIONS, type GenerationName } from '../../src/core/generations.ts';
import { BITCOIND_OPTIONS, type NodeOption, settleOptions } from '../../src/node/bitcoindOptions.ts';
import { allMethods } from '../../src/node/registry.ts';
import { type DialectName, type NodeRpc, RpcError, stringifyRpc } from './library.ts';
import { type Call, type ExampleNode, type ReleaseEntry, releases } from './releases.ts';
import { idOf, makeWorld, payment, put } from './walletWorld.ts';

/** Compares the rules of releases, and writes what they change into docs/dialects.md. */

/** The modules that hold rules, by their files. */
const MODULES = import.meta.glob('../../src/**/*{Rules,Dialect,Signing,dialect}.ts', { eager: true });

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Functions and sets are compared by what they hold. */
const shown = (value: unknown): string =>
  value instanceof Set
    ? [...value].join()
    : typeof value === 'function'
      ? String(value)
      : (JSON.stringify(value) ?? '');

/** Members that differ in every dialect. */
const IDENTITY: ReadonlySet<string> = new Set(['name', 'generation']);

function changedRules(before: GenerationName, after: GenerationName): readonly string[] {
  return Object.values(MODULES).flatMap((module) =>
    Object.entries(module as object).flatMap(([table, byRelease]: readonly [string, unknown]) => {
      if (!isObject(byRelease)) return [];
      const [old, now] = [byRelease[before], byRelease[after]];
      if (!isObject(old) || !isObject(now)) return [];
      const names = Object.keys(now).filter((name) => !IDENTITY.has(name) && shown(old[name]) !== shown(now[name]));
      return names.map((name) => `${table}.${name}`);
    }),
  );
}

const isNewIn = ({ since, until }: DialectTraits, before: GenerationName, after: GenerationName): boolean =>
  since === after || until === before;

function changedMembers(
  at: string,
  result: Result,
  releases: readonly [before: GenerationName, after: GenerationName],
): readonly string[] {
  const { members = {}, item, entry, places = [], alternatives = [], orders = [] } = result;
  const inner = [item, entry, ...places, ...alternatives].flatMap((part) => part ?? []);
  return [
    ...(isNewIn(result, ...releases) ? [at] : []),
    ...(orders.some((order) => isNewIn(order, ...releases)) ? [`order of ${at}`] : []),
    ...Object.entries(members).flatMap(([name, member]) => changedMembers(`${at}.${name}`, member, releases)),
    ...inner.flatMap((part) => changedMembers(at, part, releases)),
  ];
}

/** Names the options of bitcoind that are new or gone, or have another default. */
function changedOptions(before: GenerationName, after: GenerationName): readonly string[] {
  const [old, now] = [settleOptions({}, before), settleOptions({}, after)];
  return Object.entries<NodeOption>(BITCOIND_OPTIONS).flatMap(([name, option]) => {
    const key = name as keyof typeof BITCOIND_OPTIONS;
    return isNewIn(option, before, after) || old[key] !== now[key] ? [`-${name}`] : [];
  });
}

/** Names the rules, options, methods, parameters and members that a release changes. */
export function changesOf(release: GenerationName): readonly string[] {
  const before = GENERATIONS[GENERATIONS.indexOf(release) - 1] ?? release;
  const both = [before, release] as const;
  const ofMethods = allMethods().flatMap((method) => [
    ...(isNewIn(method, ...both) ? [method.name] : []),
    ...(isNewIn(method.isHiddenIn ?? {}, ...both) ? [`category of ${method.name}`] : []),
    ...method.params.flatMap((param) =>
      changedMembers(param.name, shapeOfParam(param), both).map((at) => `${method.name}(${at})`),
    ),
    ...changedMembers(method.name, { ...method.result }, both),
  ]);
  return [...new Set([...changedRules(...both), ...changedOptions(...both), ...ofMethods])].sort();
}

/** Tells whether an entry's list has a change: by its name, or by a beginning before `*`. */
export const covers = (names: readonly string[], change: string): boolean =>
  names.some((name) => (name.endsWith('*') ? change.startsWith(name.slice(0, -1)) : name === change));

/** Opens a node with a wallet and one transaction in its mempool. */
function exampleNode(dialect: DialectName): ExampleNode {
  const world = makeWorld({ network: 'regtest', dialect }, { skipsMempoolPolicy: false, acceptnonstdtxn: false });
  const { rpc, coins, scripts, base } = world;
  const [coin] = coins;
  const [script = ''] = scripts;
  if (!coin) throw new Error('no coin');
  const tx = payment(coin, [script, script]);
  put(rpc, tx);
  return { rpc, coins: coins.slice(1), scripts, base, pooled: idOf(tx) };
}

function answerOf(rpc: NodeRpc, [method, params, wallet = 'w']: Call): string {
  try {
    return stringifyRpc(rpc.call(method, params, wallet));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return `error ${error.code}: ${error.message.split('\n')[0]}`;
  }
}

const BEFORE = 24;
const AFTER = 66;

/** Shows two texts around the place where they part. */
function excerpts(texts: readonly [string, string]): readonly [string, string] {
  const [a, b] = texts;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const start = at <= BEFORE + 1 ? 0 : at - BEFORE;
  const cut = (text: string): string =>
    `${start > 0 ? '…' : ''}${text.slice(start, at + AFTER)}${text.length > at + AFTER ? '…' : ''}`;
  return [cut(a), cut(b)];
}

function exampleText(example: NonNullable<ReleaseEntry['example']>, release: GenerationName): string {
  const before = GENERATIONS[GENERATIONS.indexOf(release) - 1] ?? release;
  let request = '';
  const answer = (dialect: DialectName): string => {
    const node = exampleNode(dialect);
    const call = typeof example === 'function' ? example(node) : example;
    const [method, params] = call;
    request = withoutKeys([method, ...params.map((param) => JSON.stringify(param))].join(' '));
    return withoutKeys(answerOf(node.rpc, call));
  };
  const answers = [answer(before), answer(release)] as const;
  if (answers[0] === answers[1]) throw new Error(`${request} is answered alike by ${before} and ${release}`);
  const [old, now] = excerpts(answers);
  const short = request.length > 110 ? `${request.slice(0, 109)}…` : request;
  return ['', '', '  ```', `  ${short}`, `  ${before.slice(5)}: ${old}`, `  ${release.slice(5)}: ${now}`, '  ```'].join(
    '\n',
  );
}

const TITLES: Readonly<Record<string, string>> = {
  'core-32': "32 (Core's master of 2026-08-21, not yet released)",
};

/** Writes the section of the page. */
export function releaseSection(): string {
  return [...GENERATIONS]
    .slice(2)
    .reverse()
    .map((release) => {
      const entries = releases.filter((entry) => entry.release === release);
      const lines = entries.map(({ says, example }) => `- ${says}${example ? exampleText(example, release) : ''}`);
      const before = GENERATIONS[GENERATIONS.indexOf(release) - 1]?.slice(5);
      return `### ${before} → ${TITLES[release] ?? release.slice(5)}\n\n${lines.join('\n')}\n`;
    })
    .join('\n');
}
