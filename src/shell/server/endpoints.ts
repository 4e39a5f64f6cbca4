import { BlockList, isIP } from 'node:net';
import { withoutSecrets } from '../../core/encoding/redaction.ts';
import type { Network } from '../../core/network/networks.ts';
import { UsageError } from '../terminal/usageError.ts';

interface EndpointValues {
  readonly rpcport?: string | undefined;
  readonly rpcbind?: readonly string[];
  readonly rpcallowip?: readonly string[];
}

export interface Endpoint {
  readonly address: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Skipped on a machine that lacks the address. */
  readonly isOptional?: true;
  /** The option that chooses another port, for errors. */
  readonly option?: string;
}

type StatedEndpoint = Omit<Endpoint, 'port'> & { readonly port: number | undefined };

const MAX_PORT = 0xffff;
const DEFAULT_PORT = 8332;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Listens only on loopback addresses, unless both `--rpcbind` and `--rpcallowip` are given.
 * @see Bitcoin Core `HTTPBindAddresses`
 */
export function chooseEndpoints({ rpcport, rpcbind = [], rpcallowip = [] }: EndpointValues): readonly StatedEndpoint[] {
  const port = rpcport === undefined ? undefined : parsePort(rpcport, '--rpcport');
  if (rpcbind.length === 0) {
    if (rpcallowip.length > 0)
      throw new UsageError('--rpcallowip needs --rpcbind: without it, only this machine can connect');
    return [
      { address: '127.0.0.1', port },
      { address: '::1', port, isOptional: true },
    ];
  }
  const endpoints = rpcbind.map((text) => parseEndpoint(text, port));
  const open = endpoints.find(({ address }) => !isLoopback(address));
  if (open && rpcallowip.length === 0) {
    throw new UsageError(
      `--rpcbind ${open.address} is reachable from other machines, without encryption: name the allowed clients with --rpcallowip`,
    );
  }
  return endpoints;
}

export const atPorts = (
  endpoints: readonly StatedEndpoint[],
  { rpcPort = DEFAULT_PORT }: Pick<Network, 'rpcPort'>,
): readonly Endpoint[] => endpoints.map(({ port = rpcPort, ...rest }) => ({ ...rest, port }));

/** Returns each address once, with another port. */
export function withPort(
  endpoints: readonly Pick<Endpoint, 'address' | 'isOptional'>[],
  text: string,
): readonly Endpoint[] {
  const port = parsePort(text, '--esplora');
  const addresses = new Map(endpoints.map((endpoint) => [endpoint.address, { ...endpoint, port }]));
  return [...addresses.values()];
}

export function isLoopback(address: string): boolean {
  return loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function parseEndpoint(text: string, port: number | undefined): StatedEndpoint {
  const plain = text.replace(/^\[(.*)\]$/, '$1');
  if (isIP(plain) !== 0) return { address: plain, port };
  const {
    ipv6,
    ipv4,
    digits = '',
  } = /^(?:\[(?<ipv6>[^\]]*)\]|(?<ipv4>[0-9.]+)):(?<digits>.*)$/.exec(text)?.groups ?? {};
  const address = ipv6 ?? ipv4 ?? '';
  if (isIP(address) === 0) throw new UsageError(`--rpcbind needs an IP address, not "${withoutSecrets(text)}"`);
  return { address, port: parsePort(digits, '--rpcbind') };
}

function parsePort(text: string, option: string): number {
  return parseCount(text, { option, least: 0, most: MAX_PORT });
}

export function parseCount(
  text: string,
  { option, least, most }: { readonly option: string; readonly least: number; readonly most: number },
): number {
  const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${option} must be a number from ${least} to ${most}, not "${withoutSecrets(text)}"`);
}
