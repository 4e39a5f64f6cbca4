import { optional, string } from '../../../answers/method/parameters.ts';
import type { RpcInfoJson } from '../chainJsonTypes.ts';
import { nodeMethod } from '../context.ts';

export const uptime = nodeMethod({
  name: 'uptime',
  about: 'Returns for how many seconds the program has been running.',
  params: [],
  result: 'the seconds',
  examples: ['uptime'],
  run: (_, { node }): number => node.uptime(),
});

export const getrpcinfo = nodeMethod({
  name: 'getrpcinfo',
  about: 'Lists the calls that are being answered: this one. There is no log file.',
  params: [],
  result: 'the calls',
  examples: ['getrpcinfo'],
  run: (): RpcInfoJson => ({ active_commands: [{ method: 'getrpcinfo', duration: 0 }], logpath: '' }),
});

export const getzmqnotifications = nodeMethod({
  name: 'getzmqnotifications',
  about: 'Lists the ZeroMQ notifications that are sent: none.',
  params: [],
  result: '[]',
  examples: ['getzmqnotifications'],
  run: (): readonly never[] => [],
});

export const getindexinfo = nodeMethod({
  name: 'getindexinfo',
  checksLate: true,
  about: 'Lists the indexes of the chain: none.',
  params: [optional(string('index_name', 'the index to show'))],
  result: '{}',
  examples: ['getindexinfo'],
  run: (args): Readonly<Record<string, never>> => {
    void args.index_name;
    return {};
  },
});
