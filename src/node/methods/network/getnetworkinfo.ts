import { type ByDialect, byDialect } from '../../../answers/dialect/dialect.ts';
import {
  type Answer,
  amount,
  either,
  flag,
  hex,
  list,
  maybe,
  members,
  numeric,
  text,
} from '../../../answers/method/results.ts';
import { nodeMethod } from '../context.ts';
import { listWarnings } from '../warnings.ts';

const reachableNetworkResult = members({
  name: text(),
  limited: flag(),
  reachable: flag(),
  proxy: text(),
  proxy_randomize_credentials: flag(),
});

/** A kind of network in `getnetworkinfo`. */
export type ReachableNetworkJson = Answer<typeof reachableNetworkResult>;

const sendQueueResult = members({ backlog: numeric(), count_tok: numeric(), size_tok: numeric() });

/** The rate at which a node sends transactions to one kind of peers. */
export type SendQueueJson = Answer<typeof sendQueueResult>;

const networkInfoResult = members({
  version: numeric(),
  subversion: text(),
  protocolversion: numeric(),
  localservices: hex(),
  localservicesnames: list(text()),
  localrelay: flag(),
  timeoffset: numeric(),
  tx_send_rate: maybe(numeric(), { since: 'core-32' }),
  inv_buckets: maybe(members({ inbound: sendQueueResult, outbound: sendQueueResult }), { since: 'core-32' }),
  networkactive: flag(),
  connections: numeric(),
  connections_in: numeric(),
  connections_out: numeric(),
  networks: list(reachableNetworkResult),
  relayfee: amount('per 1000 virtual bytes'),
  incrementalfee: amount('per 1000 virtual bytes'),
  localaddresses: list(members({ address: text(), port: numeric(), score: numeric() }), 'empty'),
  warnings: either(text(), list(text())),
});

/** The answer of `getnetworkinfo`. */
export type NetworkInfoJson = Answer<typeof networkInfoResult>;

const netTotalsResult = members({
  totalbytesrecv: numeric(),
  totalbytessent: numeric(),
  timemillis: numeric('UNIX time in milliseconds'),
  uploadtarget: members({
    timeframe: numeric(),
    target: numeric(),
    target_reached: flag(),
    serve_historical_blocks: flag(),
    bytes_left_in_cycle: numeric(),
    time_left_in_cycle: numeric(),
  }),
});

/** The answer of `getnettotals`. */
export type NetTotalsJson = Answer<typeof netTotalsResult>;

interface Introduction {
  readonly version: number;
  readonly subversion: string;
  readonly protocolversion: number;
  /** Service bits, in the order of `localservicesnames`. */
  readonly services: Readonly<Record<string, number>>;
  /** Usable networks, and those that need a proxy. */
  readonly networks: { readonly reachable: readonly string[]; readonly others: readonly string[] };
  /** Announced transactions per second. */
  readonly sendRate?: number;
}

const FULL_NODE = { NETWORK: 0x1, WITNESS: 0x8, NETWORK_LIMITED: 0x400 };

const INTRODUCTIONS: ByDialect<Introduction> = byDialect<Introduction>({
  'core-0.21': {
    version: 210_200,
    subversion: '/Satoshi:0.21.2/',
    protocolversion: 70_016,
    services: FULL_NODE,
    networks: { reachable: ['ipv4', 'ipv6'], others: ['onion'] },
  },
  'litecoin-0.21': {
    version: 210_201,
    subversion: '/LitecoinCore:0.21.2.1/',
    services: { ...FULL_NODE, MWEB: 0x100_0000 },
  },
  'core-29': {
    version: 290_000,
    subversion: '/Satoshi:29.0.0/',
    services: { ...FULL_NODE, P2P_V2: 0x800 },
    networks: { reachable: ['ipv4', 'ipv6'], others: ['onion', 'i2p', 'cjdns'] },
  },
  'core-30': { version: 300_000, subversion: '/Satoshi:30.0.0/' },
  'core-31': { version: 310_000, subversion: '/Satoshi:31.0.0/' },
  'core-32': { version: 319_900, subversion: '/Satoshi:31.99.0/', protocolversion: 70_017, sendRate: 14 },
});

export const getnetworkinfo = nodeMethod({
  name: 'getnetworkinfo',
  category: 'network',
  about: 'Shows the version of the node whose answers the dialect gives. It has no connections.',
  params: [],
  result: networkInfoResult,
  examples: ['getnetworkinfo'],
  run: (_, context) => {
    const {
      dialect,
      mempool,
      peers,
      identity: { uacomment = [] },
    } = context;
    const { version, subversion, protocolversion, services, networks, sendRate } = INTRODUCTIONS[dialect.name];
    const { minRelayFee, incrementalFee } = mempool.rules;
    const bits = Object.values(services).reduce((sum, bit) => sum + bit, 0);
    return {
      version,
      subversion: uacomment.length === 0 ? subversion : subversion.replace(/\/$/, `(${uacomment.join('; ')})/`),
      protocolversion,
      localservices: bits.toString(16).padStart(16, '0'),
      localservicesnames: Object.keys(services),
      localrelay: true,
      timeoffset: 0,
      ...(sendRate !== undefined && { tx_send_rate: sendRate, inv_buckets: emptyBuckets(sendRate) }),
      networkactive: peers.isNetworkActive,
      connections: 0,
      connections_in: 0,
      connections_out: 0,
      networks: [
        ...networks.reachable.map((name) => networkJson(name, true)),
        ...networks.others.map((name) => networkJson(name, false)),
      ],
      relayfee: BigInt(minRelayFee),
      incrementalfee: BigInt(incrementalFee),
      localaddresses: [],
      warnings: listWarnings(context),
    };
  },
});

const networkJson = (name: string, reachable: boolean): ReachableNetworkJson => ({
  name,
  limited: !reachable,
  reachable,
  proxy: '',
  proxy_randomize_credentials: false,
});

/** An idle node saves up announcements of so many seconds and bytes. */
const SAVED_SECONDS = 30;
const SAVED_BYTES = 50_000_000;

function emptyBuckets(sendRate: number): { readonly inbound: SendQueueJson; readonly outbound: SendQueueJson } {
  const bucket = (): SendQueueJson => ({ backlog: 0, count_tok: SAVED_SECONDS * sendRate, size_tok: SAVED_BYTES });
  return { inbound: bucket(), outbound: bucket() };
}

export const getconnectioncount = nodeMethod({
  name: 'getconnectioncount',
  category: 'network',
  about: 'Returns the number of connections to other nodes: none.',
  params: [],
  result: numeric('0'),
  examples: ['getconnectioncount'],
  run: () => 0,
});

const UPLOAD_SPAN = 86_400;

export const getnettotals = nodeMethod({
  name: 'getnettotals',
  category: 'network',
  about: 'Shows how much was exchanged with other nodes: nothing.',
  params: [],
  result: netTotalsResult,
  examples: ['getnettotals'],
  run: (_, { node }) => ({
    totalbytesrecv: 0,
    totalbytessent: 0,
    timemillis: 1000 * node.now(),
    uploadtarget: {
      timeframe: UPLOAD_SPAN,
      target: 0,
      target_reached: false,
      serve_historical_blocks: true,
      bytes_left_in_cycle: 0,
      time_left_in_cycle: 0,
    },
  }),
});
