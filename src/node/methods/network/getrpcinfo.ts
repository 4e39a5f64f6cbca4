import { optional, string } from '../../../answers/method/parameters.ts';
import { type Answer, dictionary, flag, list, members, numeric, text } from '../../../answers/method/results.ts';
import { nodeMethod } from '../context.ts';

const rpcInfoResult = members({
  active_commands: list(members({ method: text(), duration: numeric('in microseconds') })),
  logpath: text(),
});

/** The answer of `getrpcinfo`. */
export type RpcInfoJson = Answer<typeof rpcInfoResult>;

export const uptime = nodeMethod({
  name: 'uptime',
  about: 'Returns for how many seconds the program has been running.',
  params: [],
  result: numeric('the seconds'),
  examples: ['uptime'],
  run: (_, { node }) => node.uptime(),
});

export const getrpcinfo = nodeMethod({
  name: 'getrpcinfo',
  about: 'Lists the calls that are being answered: this one. There is no log file.',
  params: [],
  result: rpcInfoResult,
  examples: ['getrpcinfo'],
  run: () => ({ active_commands: [{ method: 'getrpcinfo', duration: 0 }], logpath: '' }),
});

export const getzmqnotifications = nodeMethod({
  name: 'getzmqnotifications',
  about: 'Lists the ZeroMQ notifications that are sent: none.',
  params: [],
  result: list(members({}), 'empty'),
  examples: ['getzmqnotifications'],
  run: () => [],
});

export const getindexinfo = nodeMethod({
  name: 'getindexinfo',
  checksLate: true,
  about: 'Lists the indexes of the chain: none.',
  params: [optional(string('index_name', 'the index to show'))],
  result: dictionary(members({ synced: flag(), best_block_height: numeric() }), 'empty'),
  examples: ['getindexinfo'],
  run: (args) => {
    void args.index_name;
    return {};
  },
});
