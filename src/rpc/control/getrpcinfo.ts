import { readOptional } from '../argumentValues.ts';
import type { RpcInfoJson } from '../views/chainJsonTypes.ts';
import type { NodeMethod } from '../wallet/context.ts';

/** @see Bitcoin Core `uptime` */
export const uptime: NodeMethod<number> = {
  name: 'uptime',
  needs: 'node',
  params: [],
  help: `Returns for how many seconds the program has been running.

Result:
the seconds

Examples:
> countersign uptime`,
  run: (_, { node }) => node.uptime(),
};

/** @see Bitcoin Core `getrpcinfo` */
export const getrpcinfo: NodeMethod<RpcInfoJson> = {
  name: 'getrpcinfo',
  needs: 'node',
  params: [],
  help: `Lists the calls that are being answered: this one. There is no log file.

Result:
the calls

Examples:
> countersign getrpcinfo`,
  run: () => ({ active_commands: [{ method: 'getrpcinfo', duration: 0 }], logpath: '' }),
};

/** @see Bitcoin Core `getzmqnotifications` */
export const getzmqnotifications: NodeMethod<readonly never[]> = {
  name: 'getzmqnotifications',
  needs: 'node',
  params: [],
  help: `Lists the ZeroMQ notifications that are sent: none.

Result:
[]

Examples:
> countersign getzmqnotifications`,
  run: () => [],
};

/** @see Bitcoin Core `getindexinfo` */
export const getindexinfo: NodeMethod<Readonly<Record<string, never>>> = {
  name: 'getindexinfo',
  needs: 'node',
  params: [{ name: 'index_name', type: 'string', isOptional: true }],
  checksLate: true,
  help: `Lists the indexes of the chain: none.

Arguments:
1. index_name    (string, optional) the index to show

Result:
{}

Examples:
> countersign getindexinfo`,
  run: (args, { dialect }) => {
    readOptional(args[0], 'string', dialect);
    return {};
  },
};
