import { isAbsent, isGiven, parseInt64, readValue } from '../../../answers/arguments/argumentValues.ts';
import { RPC_CLIENT_NODE_NOT_CONNECTED, RPC_INVALID_PARAMS } from '../../../answers/method/errorCodes.ts';
import { bool, int64, optional, string, unread } from '../../../answers/method/parameters.ts';
import { flag, nothing } from '../../../answers/method/results.ts';
import { RpcError } from '../../../core/errors.ts';
import { nodeMethod } from '../context.ts';
import { networkRules } from './networkRules.ts';

export const ping = nodeMethod({
  name: 'ping',
  category: 'network',
  about: 'Asks the connected nodes for a sign of life: there are none.',
  params: [],
  result: nothing(),
  examples: ['ping'],
  run: () => null,
});

export const disconnectnode = nodeMethod({
  name: 'disconnectnode',
  category: 'network',
  checksLate: true,
  about: 'Ends the connection to a node: there is none.',
  params: [
    optional(unread(string('address', 'the address of the node, with its port; empty beside nodeid'))),
    optional(unread(int64('nodeid', 'the number of the connection'))),
  ],
  result: nothing(),
  examples: ['disconnectnode 192.168.0.6:8333'],
  run: ({ address, nodeid }, { dialect }) => {
    const isByAddress = isGiven(address) && isAbsent(nodeid);
    const isById = isGiven(nodeid) && (isAbsent(address) || (address.type === 'string' && address.value === ''));
    if (isByAddress) readValue(address, 'string', dialect);
    if (isById || (isGiven(nodeid) && networkRules[dialect.generation].readsNodeIdFirst)) {
      parseInt64(readValue(nodeid, 'number', dialect));
    }
    if (!isByAddress && !isById) {
      throw new RpcError(RPC_INVALID_PARAMS, 'Only one of address and nodeid should be provided.');
    }
    throw new RpcError(RPC_CLIENT_NODE_NOT_CONNECTED, 'Node not found in connected nodes');
  },
});

export const setnetworkactive = nodeMethod({
  name: 'setnetworkactive',
  category: 'network',
  checksLate: true,
  about: 'Allows or forbids connections, as getnetworkinfo then shows; none is made.',
  params: [bool('state', 'whether they are')],
  result: flag('the state'),
  examples: ['setnetworkactive false'],
  run: ({ state }, { peers }) => {
    peers.isNetworkActive = state;
    return state;
  },
});
