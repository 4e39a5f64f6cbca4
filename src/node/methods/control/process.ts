import type { Dialect } from '../../../answers/dialect/dialect.ts';
import { invalidParameter, RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import { methodHelp, synopsis } from '../../../answers/method/help.ts';
import type { RpcSignature } from '../../../answers/method/method.ts';
import { categoryIn } from '../../../answers/method/method.ts';
import { array, int32, lenient, optional, string, unread } from '../../../answers/method/parameters.ts';
import { paramsIn } from '../../../answers/method/readParams.ts';
import { dictionary, flag, members, numeric, text } from '../../../answers/method/results.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import type { Node } from '../../state/node.ts';
import type { NodeContext } from '../context.ts';
import { nodeMethod } from '../context.ts';
import { controlRules } from './controlRules.ts';

export const help = nodeMethod({
  name: 'help',
  category: 'control',
  checksLate: true,
  about:
    'Lists the methods that a node lists, or returns the help of one; "help countersign" lists those that no node has.',
  params: [optional(string('command', 'the method'))],
  result: text('the help'),
  examples: ['help listunspent'],
  run: ({ command }, { methods, dialect }) => {
    if (command === undefined)
      return listedByCategory(
        methods.filter(({ isOwn }) => !isOwn),
        dialect,
      );
    const asked = methods.find(({ name }) => name === command);
    if (asked) return asked.helpOf?.(dialect.generation) ?? methodHelp({ ...asked, params: paramsIn(asked, dialect) });
    if (command === 'countersign')
      return synopses(
        methods.filter(({ isOwn }) => isOwn),
        dialect,
      ).join('\n');
    return `help: unknown command: ${withoutSecrets(command, 'name')}`;
  },
});

const synopses = (methods: readonly RpcSignature[], dialect: Dialect): readonly string[] =>
  methods
    .map((method) => ({ ...method, params: paramsIn(method, dialect) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(synopsis);

/** @see Bitcoin Core `CRPCTable::help` */
function listedByCategory(methods: readonly RpcSignature[], dialect: Dialect): string {
  const categories = new Set(methods.map((method) => categoryIn(dialect.generation, method)));
  categories.delete('hidden');
  const sections = [...categories].sort().map((category) => {
    const own = methods.filter((method) => categoryIn(dialect.generation, method) === category);
    return [`== ${category.charAt(0).toUpperCase()}${category.slice(1)} ==`, ...synopses(own, dialect)].join('\n');
  });
  return sections.join('\n\n');
}

export const stop = nodeMethod({
  name: 'stop',
  category: 'control',
  about: 'Stops the server once it has answered the requests that it has accepted.',
  checksLate: true,
  params: [optional(unread(int32('wait', 'ignored', { isHidden: true })))],
  result: text('that the server stops'),
  examples: ['stop'],
  run: (_, { dialect, onStop }) => {
    if (!onStop) throw new RpcError(RPC_MISC_ERROR, 'There is no server to stop: end the program that holds this node');
    onStop();
    return `${dialect.coinName} Core stopping`;
  },
});

export const getmemoryinfo = nodeMethod({
  name: 'getmemoryinfo',
  category: 'control',
  checksLate: true,
  about: 'Shows how much memory is locked against being written to disk: none.',
  params: [optional(string('mode', 'stats'), 'stats')],
  result: members({
    locked: members({
      used: numeric('in bytes'),
      free: numeric('in bytes'),
      total: numeric('in bytes'),
      locked: numeric('in bytes'),
      chunks_used: numeric(),
      chunks_free: numeric(),
    }),
  }),
  examples: ['getmemoryinfo'],
  run: ({ mode }) => {
    if (mode === 'mallocinfo') throw invalidParameter('mallocinfo mode not available');
    if (mode !== 'stats') throw invalidParameter(`unknown mode ${withoutSecrets(mode, 'name')}`);
    return { locked: { used: 0, free: 0, total: 0, locked: 0, chunks_used: 0, chunks_free: 0 } };
  },
});

export const logging = nodeMethod({
  name: 'logging',
  category: 'control',
  checksLate: true,
  about: "Switches the categories of a node's debug log, and lists them. No log is written here.",
  params: [
    optional(lenient(array('include', string('include_category', 'a category'), 'categories to switch on'))),
    optional(lenient(array('exclude', string('exclude_category', 'a category'), 'categories to switch off'))),
  ],
  result: dictionary(flag(), 'whether it is on, by category'),
  examples: ['logging'],
  run: ({ include, exclude }, context) => {
    const { logCategories } = controlRules[context.dialect.generation];
    const active = loggedBy.get(context.node) ?? new Set<string>();
    loggedBy.set(context.node, active);
    // As in Core, the names before an unknown one count.
    for (const item of include) for (const name of categories(item, context)) active.add(name);
    for (const item of exclude) for (const name of categories(item, context)) active.delete(name);
    return Object.fromEntries(logCategories.map((name) => [name, active.has(name)]));
  },
});

const loggedBy = new WeakMap<Node, Set<string>>();

/** Stand for all categories. */
const ALL = ['all', '1', ''];

function categories(name: string, { dialect }: NodeContext): readonly string[] {
  const { logCategories, formerCategories } = controlRules[dialect.generation];
  if (formerCategories.includes(name)) return [];
  if (ALL.includes(name)) return logCategories;
  if (logCategories.includes(name)) return [name];
  throw invalidParameter(`unknown logging category ${withoutSecrets(name, 'name')}`);
}
