import { readValue } from '../../../answers/arguments/argumentValues.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { invalidParameter, RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import { methodHelp, synopsis } from '../../../answers/method/help.ts';
import { array, int32, of, optional, string } from '../../../answers/method/parameters.ts';
import { dictionary, flag, members, numeric, text } from '../../../answers/method/results.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import type { NodeContext } from '../context.ts';
import { nodeMethod } from '../context.ts';
import { controlRules } from './controlRules.ts';

export const help = nodeMethod({
  name: 'help',
  checksLate: true,
  about: 'Lists all methods, or returns the help of one of them.',
  params: [optional(string('command', 'the method'))],
  result: text('the help'),
  examples: ['help listunspent'],
  run: ({ command }, { methods }) => {
    if (command === undefined) return methods.map(synopsis).join('\n');
    const named = methods.find(({ name }) => name === command);
    return named ? methodHelp(named) : `help: unknown command: ${withoutSecrets(command, 'name')}`;
  },
});

export const stop = nodeMethod({
  name: 'stop',
  about: 'Stops the server once it has answered the requests that it has accepted.',
  params: [optional(int32('wait', 'ignored'))],
  result: text('that the server stops'),
  examples: ['stop'],
  run: ({ wait }, { dialect, onStop }) => {
    void wait;
    if (!onStop) throw new RpcError(RPC_MISC_ERROR, 'There is no server to stop: end the program that holds this node');
    onStop();
    return `${dialect.coinName} Core stopping`;
  },
});

export const getmemoryinfo = nodeMethod({
  name: 'getmemoryinfo',
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
  checksLate: true,
  about: "Lists the categories of a node's debug log. There is no such log here: none is ever on.",
  params: [
    optional(array('include', of<string>(), 'categories; without effect')),
    optional(array('exclude', of<string>(), 'categories; without effect')),
  ],
  result: dictionary(flag(), 'false, by category'),
  examples: ['logging'],
  run: ({ include = [], exclude = [] }, context) => {
    const { logCategories } = controlRules[context.dialect.generation];
    for (const item of [...include, ...exclude]) checkCategory(item, context);
    return Object.fromEntries(logCategories.map((name) => [name, false]));
  },
});

/** Stand for all categories. */
const ALL = ['all', '1', ''];

function checkCategory(item: JsonValue, { dialect }: NodeContext): void {
  const { value: name } = readValue(item, 'string', dialect);
  if (ALL.includes(name) || controlRules[dialect.generation].logCategories.includes(name)) return;
  throw invalidParameter(`unknown logging category ${withoutSecrets(name, 'name')}`);
}
