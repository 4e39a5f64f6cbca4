import { optional, string } from '../../../answers/method/parameters.ts';
import { type Answer, dictionary, flag, list, members, numeric, text } from '../../../answers/method/results.ts';
import { activeTip } from '../../chain/chainState.ts';
import { nodeMethodRules } from '../chainRules.ts';
import { type Indexes, nodeMethod } from '../context.ts';

const rpcInfoResult = members({
  active_commands: list(members({ method: text(), duration: numeric('in microseconds') })),
  logpath: text(),
});

/** The answer of `getrpcinfo`. */
export type RpcInfoJson = Answer<typeof rpcInfoResult>;

export const uptime = nodeMethod({
  name: 'uptime',
  category: 'control',
  about: 'Returns for how many seconds the program has been running.',
  params: [],
  result: numeric('the seconds'),
  examples: ['uptime'],
  run: (_, { node, dialect }) =>
    nodeMethodRules[dialect.generation].mocksUptime ? node.now() - node.startTime : node.uptime(),
});

export const getrpcinfo = nodeMethod({
  name: 'getrpcinfo',
  category: 'control',
  about: 'Lists the calls that are being answered: this one.',
  params: [],
  result: rpcInfoResult,
  examples: ['getrpcinfo'],
  run: (_, { identity: { debuglogfile = '' } }) => ({
    active_commands: [{ method: 'getrpcinfo', duration: 0 }],
    logpath: debuglogfile,
  }),
});

export const getzmqnotifications = nodeMethod({
  name: 'getzmqnotifications',
  category: 'zmq',
  about: 'Lists what the node publishes over ZeroMQ.',
  params: [],
  result: list(members({ type: text(), address: text(), hwm: numeric('the most messages that wait for a reader') })),
  examples: ['getzmqnotifications'],
  run: (_, { zmqNotifications }) => zmqNotifications.map(({ type, address, hwm }) => ({ type, address, hwm })),
});

const INDEX_NAMES: readonly (readonly [keyof Indexes, string])[] = [
  ['txs', 'txindex'],
  ['coins', 'coinstatsindex'],
  ['spenders', 'txospenderindex'],
  ['filters', 'basic block filter index'],
];

export const getindexinfo = nodeMethod({
  name: 'getindexinfo',
  category: 'util',
  checksLate: true,
  about: 'Lists the indexes of the chain.',
  params: [optional(string('index_name', 'the index to show'))],
  result: dictionary(members({ synced: flag(), best_block_height: numeric() }), 'by name'),
  examples: ['getindexinfo'],
  run: ({ index_name: wanted }, { node, indexes }) => {
    const { height: best_block_height } = activeTip(node.chain);
    const shown = INDEX_NAMES.flatMap(([index, name]) =>
      indexes[index] && (wanted === undefined || wanted === name) ? [name] : [],
    );
    return Object.fromEntries(shown.map((name) => [name, { synced: true, best_block_height }]));
  },
});
