import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { invalidParameter } from '../../../answers/method/errorCodes.ts';
import { choice, int32, optional } from '../../../answers/method/parameters.ts';
import { type Answer, dictionary, list, maybe, members, numeric, text, time } from '../../../answers/method/results.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { nodeMethod } from '../context.ts';
import { networkRules } from './networkRules.ts';

/** @see Core `GetNetworkNames` */
const NETWORKS = ['ipv4', 'ipv6', 'onion', 'i2p', 'cjdns'] as const;

/** Callers of nodes that have connections get these types. */
const nodeAddressResult = members({
  time: time('when the node was last seen'),
  services: numeric(),
  address: text(),
  port: numeric(),
  network: maybe(text(), { since: 'core-29' }),
});

/** An address in the answer of `getnodeaddresses`. */
export type NodeAddressJson = Answer<typeof nodeAddressResult>;

export const getnodeaddresses = nodeMethod({
  name: 'getnodeaddresses',
  category: 'network',
  checksLate: true,
  about: 'Lists known addresses of other nodes: none.',
  params: [
    optional(int32('count', 'how many at most; 0 for all'), 1),
    lasting(optional(choice('network', NETWORKS, 'lists only those of this network')), { since: 'core-29' }),
  ],
  result: list(nodeAddressResult, 'empty'),
  examples: ['getnodeaddresses 8'],
  run: (args, { dialect }) => {
    if (args.count < 0) throw invalidParameter('Address count out of range');
    const { network } = args;
    const { aliasesTor } = networkRules[dialect.generation];
    const known: readonly string[] = [...NETWORKS, ...(aliasesTor ? ['tor'] : [])];
    if (network !== undefined && !known.includes(network.toLowerCase())) {
      throw invalidParameter(`Network not recognized: ${withoutSecrets(network, 'name')}`);
    }
    return [];
  },
});

const addressCountsResult = members({ new: numeric('0'), tried: numeric('0'), total: numeric('0') });

/** How many addresses of a network a node knows, in the answer of `getaddrmaninfo`. */
export type AddressCountsJson = Answer<typeof addressCountsResult>;

export const getaddrmaninfo = lasting(
  nodeMethod({
    name: 'getaddrmaninfo',
    category: 'network',
    about: 'Counts the known addresses of other nodes: none.',
    params: [],
    result: dictionary(addressCountsResult, 'by network, and all_networks'),
    examples: ['getaddrmaninfo'],
    run: () => Object.fromEntries([...NETWORKS, 'all_networks'].map((name) => [name, { new: 0, tried: 0, total: 0 }])),
  }),
  { since: 'core-29' },
);
