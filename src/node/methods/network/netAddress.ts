import { compareBySize, concatBytes, equalBytes } from '../../../core/bytes/compare.ts';
import { encodeUtf8 } from '../../../core/bytes/utf8.ts';
import { sha3 } from '../../../core/crypto/sha3.ts';
import { formatBase32, parseBase32 } from '../../../core/encoding/base32.ts';
import { parseDigits, parseIpv4, parseIpv6 } from './ipText.ts';
import type { NetworkRules } from './networkRules.ts';

/** In the order of lists. @see Core `Network` */
const NETS = ['ipv4', 'ipv6', 'onion', 'i2p'] as const;

/** An address of a node. @see Core `CNetAddr` */
export interface NetAddress {
  readonly net: (typeof NETS)[number];
  /** 4 bytes, 16 or 32; 10 of an onion address of version 2. */
  readonly bytes: Uint8Array;
  /** The link of an IPv6 address, 0 for none. It does not distinguish addresses. @see RFC 4007 */
  readonly scope: number;
}

const inNet = (net: NetAddress['net'], bytes: Uint8Array): NetAddress => ({ net, bytes, scope: 0 });

export const isIp = ({ net }: NetAddress): boolean => net === 'ipv4' || net === 'ipv6';

/** @see Core `operator<(const CNetAddr&, const CNetAddr&)` */
export const compareAddresses = (a: NetAddress, b: NetAddress): number =>
  NETS.indexOf(a.net) - NETS.indexOf(b.net) || compareBySize(a.bytes, b.bytes);

/** Reads an address, which may be in brackets, but no name. @see Core `LookupHost` */
export const lookupHost = (text: string, rules: NetworkRules): NetAddress | undefined =>
  lookup(/^\[.*\]$/s.test(text) ? text.slice(1, -1) : text, rules);

/** @see Core `LookupIntern` */
const lookup = (text: string, rules: NetworkRules): NetAddress | undefined =>
  parseSpecial(text, rules) ?? parseIp(text, rules);

/** Reads an address that may have a port, but no name. @see Core `LookupNumeric`, `SplitHostPort` */
export function lookupNumeric(
  text: string,
  { rules, defaultPort }: { readonly rules: NetworkRules; readonly defaultPort: number },
): { readonly address: NetAddress; readonly port: number } | undefined {
  const [, host = text, digits = ''] = /^(\[.*\]|[^:]*):([^:]*)$/s.exec(text) ?? [];
  const port = parseDigits(digits, 0xffff, rules);
  const address = lookupHost(port === undefined ? text : host, rules);
  return address && { address, port: port ?? defaultPort };
}

const MAPPED_IPV4 = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff);
const SHORT_ONION = Uint8Array.of(0xfd, 0x87, 0xd8, 0x7e, 0xeb, 0x43);
/** Stands for the hash of a name. */
const INTERNAL = Uint8Array.of(0xfd, 0x6b, 0x88, 0xc0, 0x87, 0x24);
const DOCUMENTATION = Uint8Array.of(0x20, 0x01, 0x0d, 0xb8);

const startsWith = (bytes: Uint8Array, prefix: Uint8Array): boolean =>
  equalBytes(bytes.subarray(0, prefix.length), prefix);

/** @see Core `CNetAddr::SetLegacyIPv6` */
function parseIp(text: string, { knowsShortOnions }: NetworkRules): NetAddress | undefined {
  const ipv4 = parseIpv4(text);
  if (ipv4) return inNet('ipv4', ipv4);
  const ipv6 = parseIpv6(text);
  if (!ipv6 || startsWith(ipv6.bytes, INTERNAL)) return undefined;
  if (startsWith(ipv6.bytes, MAPPED_IPV4)) return inNet('ipv4', ipv6.bytes.slice(MAPPED_IPV4.length));
  if (!startsWith(ipv6.bytes, SHORT_ONION)) return { net: 'ipv6', ...ipv6 };
  return knowsShortOnions
    ? inNet('onion', ipv6.bytes.slice(SHORT_ONION.length))
    : { ...ipv6, net: 'ipv6', bytes: new Uint8Array(16) };
}

const SHORT_ONION_SIZE = 10;
const ONION_VERSION = Uint8Array.of(3);
const KEY_SIZE = 32;

/** @see Core `CNetAddr::SetSpecial` */
function parseSpecial(text: string, { knowsShortOnions, knowsI2p }: NetworkRules): NetAddress | undefined {
  const [, label = '', ending = ''] = /^([a-z2-7]+)([.]onion|[.]b32[.]i2p)$/i.exec(text) ?? [];
  const bytes = parseBase32(label.toUpperCase());
  if (!bytes) return undefined;
  if (ending !== '.onion') {
    const isI2p = knowsI2p && ending.toLowerCase() === '.b32.i2p' && bytes.length === KEY_SIZE;
    return isI2p ? inNet('i2p', bytes) : undefined;
  }
  if (knowsShortOnions && bytes.length === SHORT_ONION_SIZE) return inNet('onion', bytes);
  const key = bytes.slice(0, KEY_SIZE);
  return equalBytes(bytes, withChecksum(key)) ? inNet('onion', key) : undefined;
}

/** @see Tor's rend-spec-v3, "Encoding onion addresses" */
function withChecksum(key: Uint8Array): Uint8Array {
  const hash = sha3(concatBytes(encodeUtf8('.onion checksum'), key, ONION_VERSION));
  return concatBytes(key, hash.subarray(0, 2), ONION_VERSION);
}

/** Tells whether a node may have the address, which need not be public. @see Core `CNetAddr::IsValid` */
export function isValid({ net, bytes }: NetAddress): boolean {
  if (net === 'ipv4') return !bytes.every((byte) => byte === 0) && !bytes.every((byte) => byte === 0xff);
  return net !== 'ipv6' || !(bytes.every((byte) => byte === 0) || startsWith(bytes, DOCUMENTATION));
}

/** @see Core `CNetAddr::ToStringAddr` */
export function formatAddress({ net, bytes, scope }: NetAddress, rules: NetworkRules): string {
  switch (net) {
    case 'ipv4':
      return bytes.join('.');
    case 'ipv6':
      return `${formatIpv6(bytes, rules)}${scope === 0 ? '' : `%${scope}`}`;
    case 'onion': {
      const encoded = bytes.length === SHORT_ONION_SIZE ? bytes : withChecksum(bytes);
      return `${formatBase32(encoded).toLowerCase()}.onion`;
    }
    case 'i2p':
      return `${formatBase32(bytes).toLowerCase()}.b32.i2p`;
    default:
      return net satisfies never;
  }
}

/** Shortens the first of the longest runs of zeros. @see RFC 5952 §4 */
function formatIpv6(bytes: Uint8Array, { writesCompatible }: NetworkRules): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const groups = Array.from({ length: 8 }, (_, i) => view.getUint16(2 * i).toString(16));
  const runs = groups.map((_, start) => {
    const end = groups.findIndex((group, i) => i >= start && group !== '0');
    return (end < 0 ? groups.length : end) - start;
  });
  const longest = Math.max(...runs);
  if (longest < 2) return groups.join(':');
  const start = runs.indexOf(longest);
  if (writesCompatible && start === 0 && longest === 6) return `::${bytes.slice(12).join('.')}`;
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + longest).join(':')}`;
}
