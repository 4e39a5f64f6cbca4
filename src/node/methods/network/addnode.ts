import { isAbsent, isGiven, readValue } from '../../../answers/arguments/argumentValues.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import {
  invalidParameter,
  RPC_CLIENT_NODE_ALREADY_ADDED,
  RPC_CLIENT_NODE_NOT_ADDED,
} from '../../../answers/method/errorCodes.ts';
import { bool, choice, optional, string, unread } from '../../../answers/method/parameters.ts';
import { type Answer, flag, list, members, nothing, text } from '../../../answers/method/results.ts';
import { RpcError } from '../../../core/errors.ts';
import { type NodeContext, nodeMethod } from '../context.ts';
import { readingCommand, unknownCommand } from './command.ts';
import { compareAddresses, isValid, lookupHost, lookupNumeric } from './netAddress.ts';
import { networkRules } from './networkRules.ts';

const COMMANDS = ['add', 'remove', 'onetry'] as const;

export const addnode = nodeMethod({
  name: 'addnode',
  category: 'network',
  checksLate: true,
  about: 'Puts a node on a list, or takes it off; no connection is made.',
  params: [
    string('node', 'the address or name of the node, with its port if that is not the usual one'),
    readingCommand(choice('command', COMMANDS, 'what to do; onetry does nothing')),
    lasting(optional(bool('v2transport', 'is read: there are no connections')), { since: 'core-29' }),
  ],
  result: nothing(),
  examples: ['addnode 192.168.0.6:8333 add'],
  run: (args, context) => {
    const { command } = args;
    if (!COMMANDS.some((known) => known === command)) throw unknownCommand('addnode', context);
    const { node } = args;
    const { refusesBlankNodes } = networkRules[context.dialect.generation];
    if (refusesBlankNodes && /^[ \f\n\r\t\v]*$/.test(node)) {
      throw invalidParameter('Error: Node address cannot be empty');
    }
    if (command === 'add') addNode(node, context);
    if (command === 'remove') removeAddedNode(node, context);
    return null;
  },
});

/** @see Core `CConnman::AddNode` */
function addNode(node: string, context: NodeContext): void {
  const { peers } = context;
  if (peers.added.some((other) => isSameNode(node, other, context))) {
    throw new RpcError(RPC_CLIENT_NODE_ALREADY_ADDED, 'Error: Node already added');
  }
  peers.added = [...peers.added, node];
}

/** Compares texts, which a text without a numeric address stands for, and addresses with their ports. */
function isSameNode(node: string, other: string, context: NodeContext): boolean {
  if (node === other) return true;
  const [one, two] = [node, other].map((each) => resolve(each, context));
  if (!one || !two || !isValid(one.address)) return false;
  return compareAddresses(one.address, two.address) === 0 && one.port === two.port;
}

/** Bitcoin's chains have the port of connections after that of calls. @see Core `CConnman::GetDefaultPort` */
function resolve(
  node: string,
  { dialect, network: { rpcPort = 8332 } }: NodeContext,
): ReturnType<typeof lookupNumeric> {
  const rules = networkRules[dialect.generation];
  if (!rules.comparesNodes) return undefined;
  const defaultPort = lookupHost(node, rules)?.net === 'i2p' ? 0 : rpcPort + 1;
  return lookupNumeric(node, { rules, defaultPort });
}

/** @see Core `CConnman::RemoveAddedNode` */
function removeAddedNode(node: string, { peers }: NodeContext): void {
  if (!peers.added.includes(node)) {
    throw new RpcError(
      RPC_CLIENT_NODE_NOT_ADDED,
      'Error: Node could not be removed. It has not been added previously.',
    );
  }
  peers.added = peers.added.filter((other) => other !== node);
}

const addedNodeResult = members({
  addednode: text('as it was added'),
  connected: flag('false'),
  addresses: list(members({ address: text('with the port'), connected: text('inbound or outbound') }), 'empty'),
});

/** A node on the list of `getaddednodeinfo`. */
export type AddedNodeJson = Answer<typeof addedNodeResult>;

export const getaddednodeinfo = nodeMethod({
  name: 'getaddednodeinfo',
  category: 'network',
  checksLate: true,
  about: 'Lists the nodes that addnode added, or shows one of them; none is connected.',
  params: [optional(unread(string('node', 'the node, as it was added')))],
  result: list(addedNodeResult),
  examples: ['getaddednodeinfo'],
  run: ({ node }, { peers, dialect }) => {
    // 0.21 does not look at the argument if the list is empty.
    const shown = peers.added.filter((other) => isAbsent(node) || other === readValue(node, 'string', dialect).value);
    if (isGiven(node) && shown.length === 0) {
      throw new RpcError(RPC_CLIENT_NODE_NOT_ADDED, 'Error: Node has not been added.');
    }
    return shown.map((addednode) => ({ addednode, connected: false, addresses: [] }));
  },
});
