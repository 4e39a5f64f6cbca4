import {
  invalidParameter,
  RPC_CLIENT_INVALID_IP_OR_SUBNET,
  RPC_CLIENT_NODE_ALREADY_ADDED,
} from '../../../answers/method/errorCodes.ts';
import { bool, choice, int64, optional, reading, string } from '../../../answers/method/parameters.ts';
import { type Answer, list, maybe, members, nothing, numeric, text, time } from '../../../answers/method/results.ts';
import { RpcError } from '../../../core/errors.ts';
import { type Ban, type NodeContext, nodeMethod } from '../context.ts';
import { readingCommand, unknownCommand } from './command.ts';
import { isValid, lookupHost } from './netAddress.ts';
import { type NetworkRules, networkRules } from './networkRules.ts';
import { compareSubnets, formatSubnet, lookupSubNet, matchesSubnet, type Subnet, singleAddress } from './subnet.ts';

/** In seconds. @see Core `DEFAULT_MISBEHAVING_BANTIME` */
const USUAL_BAN = 86_400;

export const setban = nodeMethod({
  name: 'setban',
  category: 'network',
  checksLate: true,
  about: 'Bans an address or a subnet, until the program ends at the latest, or lifts a ban.',
  params: [
    string('subnet', 'the address, or a subnet: an address with a number of bits or a netmask after a slash'),
    readingCommand(choice('command', ['add', 'remove'], 'what to do')),
    optional(int64('bantime', `how long to ban, in seconds, or until when; 0 for ${USUAL_BAN} seconds`), 0),
    optional(
      // 0.21 does not check its type.
      reading(bool('absolute', 'bantime is a UNIX time'), (value) => value?.type === 'bool' && value.value),
      false,
    ),
  ],
  result: nothing(),
  examples: ['setban 192.168.0.6 add 86400', 'setban 192.168.0.0/24 add'],
  run: (args, context) => {
    const { command } = args;
    if (command !== 'add' && command !== 'remove') throw unknownCommand('setban', context);
    const rules = networkRules[context.dialect.generation];
    const { subnet: asked } = args;
    const isSubnet = asked.includes('/');
    const subnet = isSubnet ? lookupSubNet(asked, rules) : lookupAddress(asked, rules);
    if (!subnet) throw new RpcError(RPC_CLIENT_INVALID_IP_OR_SUBNET, 'Error: Invalid IP/Subnet');
    if (command === 'remove') {
      unban(subnet, context);
      return null;
    }
    if (isSubnet ? isSubnetBanned(subnet, context) : isAddressBanned(subnet, context)) {
      throw new RpcError(RPC_CLIENT_NODE_ALREADY_ADDED, 'Error: IP/Subnet already banned');
    }
    const { bantime, absolute } = args;
    if (rules.refusesPastBans && absolute && bantime < context.node.now()) {
      throw invalidParameter('Error: Absolute timestamp is in the past');
    }
    ban({ subnet, bantime, isAbsolute: absolute }, context);
    return null;
  },
});

function lookupAddress(text: string, rules: NetworkRules): Subnet | undefined {
  const address = lookupHost(text, rules);
  return address && isValid(address) ? singleAddress(address) : undefined;
}

/** Finds the ban of this very subnet, which may be over. */
const findBan = (subnet: Subnet, { peers }: NodeContext): Ban | undefined =>
  peers.bans.find((each) => compareSubnets(each.subnet, subnet) === 0);

/** @see Core `BanMan::IsBanned(const CSubNet&)` */
const isSubnetBanned = (subnet: Subnet, context: NodeContext): boolean =>
  context.node.now() < (findBan(subnet, context)?.until ?? 0);

/** Counts the bans of all subnets that have the address. @see Core `BanMan::IsBanned(const CNetAddr&)` */
const isAddressBanned = ({ network }: Subnet, { node, peers }: NodeContext): boolean =>
  peers.bans.some(({ subnet, until }) => node.now() < until && matchesSubnet(subnet, network));

interface NewBan {
  readonly subnet: Subnet;
  /** Seconds, or a UNIX time. */
  readonly bantime: number;
  readonly isAbsolute: boolean;
}

/** Never shortens a ban. @see Core `BanMan::Ban` */
function ban({ subnet, bantime, isAbsolute }: NewBan, context: NodeContext): void {
  const { node, peers } = context;
  const created = node.now();
  const until = bantime > 0 ? bantime + (isAbsolute ? 0 : created) : USUAL_BAN + created;
  const known = findBan(subnet, context);
  if (known && known.until >= until) return;
  const others = peers.bans.filter((each) => each !== known);
  peers.bans = withoutExpired([...others, { subnet: known?.subnet ?? subnet, created, until }], created);
}

/** @see Core `BanMan::Unban` */
function unban(subnet: Subnet, context: NodeContext): void {
  const { node, peers } = context;
  const known = findBan(subnet, context);
  if (!known) {
    throw new RpcError(
      RPC_CLIENT_INVALID_IP_OR_SUBNET,
      'Error: Unban failed. Requested address/subnet was not previously manually banned.',
    );
  }
  peers.bans = withoutExpired(
    peers.bans.filter((each) => each !== known),
    node.now(),
  );
}

/** @see Core `BanMan::SweepBanned` */
const withoutExpired = (bans: readonly Ban[], now: number): readonly Ban[] => bans.filter(({ until }) => now <= until);

const bannedSubnetResult = members(
  {
    address: text('with the number of its bits'),
    ban_created: time(),
    banned_until: time(),
    ban_duration: maybe(numeric('in seconds'), { since: 'core-29' }),
    time_remaining: maybe(numeric('in seconds'), { since: 'core-29' }),
  },
  '',
  [{ until: 'core-0.21', last: ['ban_created'] }],
);

/** A ban in the answer of `listbanned`. */
export type BannedSubnetJson = Answer<typeof bannedSubnetResult>;

export const listbanned = nodeMethod({
  name: 'listbanned',
  category: 'network',
  about: 'Lists the bans that have not expired.',
  params: [],
  result: list(bannedSubnetResult),
  examples: ['listbanned'],
  run: (_, { dialect, node, peers }) => {
    const now = node.now();
    peers.bans = withoutExpired(peers.bans, now);
    const listed = [...peers.bans].sort((a, b) => compareSubnets(a.subnet, b.subnet));
    return listed.map((each) => bannedSubnet(each, now, networkRules[dialect.generation]));
  },
});

const bannedSubnet = ({ subnet, created, until }: Ban, now: number, rules: NetworkRules): BannedSubnetJson => ({
  address: formatSubnet(subnet, rules),
  ban_created: created,
  banned_until: until,
  ban_duration: until - created,
  time_remaining: until - now,
});

export const clearbanned = nodeMethod({
  name: 'clearbanned',
  category: 'network',
  about: 'Lifts all bans.',
  params: [],
  result: nothing(),
  examples: ['clearbanned'],
  run: (_, { peers }) => {
    peers.bans = [];
    return null;
  },
});
