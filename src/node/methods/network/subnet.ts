import { equalBytes } from '../../../core/bytes/compare.ts';
import { parseDigits } from './ipText.ts';
import { compareAddresses, formatAddress, isIp, isValid, lookupHost, type NetAddress } from './netAddress.ts';
import type { NetworkRules } from './networkRules.ts';

/** The addresses that begin as one does. @see Core `CSubNet` */
export interface Subnet {
  /** The other bits are 0. */
  readonly network: NetAddress;
  /** How many leading bits count: the netmask. */
  readonly bits: number;
}

export const singleAddress = (network: NetAddress): Subnet => ({ network, bits: 8 * network.bytes.length });

/** @see Core `operator<(const CSubNet&, const CSubNet&)` */
export const compareSubnets = (a: Subnet, b: Subnet): number =>
  compareAddresses(a.network, b.network) || a.bits - b.bits;

/** Reads an address with a number of bits or a netmask after `/`. @see Core `LookupSubNet` */
export function lookupSubNet(text: string, rules: NetworkRules): Subnet | undefined {
  const slash = text.lastIndexOf('/');
  const address = lookupHost(text.slice(0, slash), rules);
  const bits = address && isIp(address) ? parseNetmask(text.slice(slash + 1), address, rules) : undefined;
  return address && bits !== undefined
    ? { network: { ...address, bytes: keepBits(address.bytes, bits) }, bits }
    : undefined;
}

/** Reads a number of bits, if it is one below 256, or else a mask. */
function parseNetmask(text: string, address: NetAddress, rules: NetworkRules): number | undefined {
  const bits = parseDigits(text, 0xff, rules);
  if (bits !== undefined) return bits <= 8 * address.bytes.length ? bits : undefined;
  const mask = lookupHost(text, rules);
  if (mask?.net !== address.net) return undefined;
  const binary = Array.from(mask.bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return /^1*0*$/.test(binary) ? binary.replaceAll('0', '').length : undefined;
}

/** Clears all but the leading bits. */
const keepBits = (bytes: Uint8Array, bits: number): Uint8Array =>
  bytes.map((byte, i) => byte & (0xff00 >> Math.min(Math.max(bits - 8 * i, 0), 8)));

/** @see Core `CSubNet::Match` */
export const matchesSubnet = ({ network, bits }: Subnet, address: NetAddress): boolean =>
  network.net === address.net && isValid(address) && equalBytes(keepBits(address.bytes, bits), network.bytes);

/** @see Core `CSubNet::ToString` */
export const formatSubnet = ({ network, bits }: Subnet, rules: NetworkRules): string =>
  `${formatAddress(network, rules)}${isIp(network) ? `/${bits}` : ''}`;
