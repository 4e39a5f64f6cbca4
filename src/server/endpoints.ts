import { BlockList, isIP } from 'node:net';
import { withoutSecrets } from '../encoding/redaction.ts';
import { UsageError } from '../terminal/usageError.ts';

/** Where a server listens and whom it lets in, as options say. */
interface EndpointValues {
  readonly rpcport?: string | undefined;
  readonly rpcbind?: readonly string[];
  readonly rpcallowip?: readonly string[];
}

/** An address and port to listen on. */
export interface Endpoint {
  readonly address: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Set if the endpoint is skipped on a machine that lacks the address. */
  readonly isOptional?: true;
}

const MAX_PORT = 0xffff;
/** Default RPC ports by network; a custom network has that of `main`. */
const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ['main', 8332],
  ['testnet3', 18332],
  ['testnet4', 48332],
  ['signet', 38332],
  ['regtest', 18443],
  ['litecoin', 9332],
  ['litecoin-testnet', 19332],
  ['litecoin-regtest', 19443],
]);
const DEFAULT_PORT = 8332;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Returns the endpoints to listen on: only the loopback addresses, unless both `--rpcbind` and `--rpcallowip` are given.
 *
 * - `network`: name of the network, for the default port
 * @throws UsageError
 * @see Bitcoin Core `HTTPBindAddresses`
 */
export function endpointsOf({ rpcport, rpcbind = [], rpcallowip = [] }: EndpointValues, network: string): Endpoint[] {
  const port = rpcport === undefined ? (DEFAULT_PORTS.get(network) ?? DEFAULT_PORT) : parsePort(rpcport, '--rpcport');
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

/** Tells whether an address is a loopback address, which only this machine can reach. */
export function isLoopback(address: string): boolean {
  return loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function parseEndpoint(text: string, port: number): Endpoint {
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

/** Parses an option whose value is a whole number. @throws UsageError naming the option and its range */
export function parseCount(
  text: string,
  { option, least, most }: { readonly option: string; readonly least: number; readonly most: number },
): number {
  const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${option} must be a number from ${least} to ${most}, not "${withoutSecrets(text)}"`);
}
