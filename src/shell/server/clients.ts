import { BlockList, isIP } from 'node:net';

/** `address` is `undefined` for a client that has disconnected. */
export type IsAllowed = (address: string | undefined) => boolean;

/**
 * Allows this machine, and addresses or networks such as `10.0.0.0/8` or `10.0.0.0/255.0.0.0`. `fault`: an invalid
 * text.
 */
export function allowClients(allowed: readonly string[]): IsAllowed | { readonly fault: string } {
  // In a common list, an IPv6 network such as ::/0 would also contain all of IPv4.
  const lists: Readonly<Record<Family, BlockList>> = { ipv4: new BlockList(), ipv6: new BlockList() };
  lists.ipv4.addSubnet('127.0.0.0', 8, 'ipv4');
  lists.ipv6.addAddress('::1', 'ipv6');
  for (const text of allowed) {
    const [address = '', mask, ...more] = text.split('/');
    const family = addressFamily(address);
    const prefix = family && prefixLength(mask, family);
    if (!family || prefix === undefined || more.length > 0) return { fault: text };
    lists[family].addSubnet(address, prefix, family);
  }
  return (address) => {
    // On an IPv6 socket, an IPv4 client is ::ffff:10.0.0.1; a link-local address ends with its interface.
    const plain = address?.replace(/^::ffff:(?=[0-9.]+$)/, '').replace(/%.*/s, '') ?? '';
    const family = addressFamily(plain);
    return family !== undefined && lists[family].check(plain, family);
  };
}

const thisMachine = allowClients([]);

/** Tells whether an address is this machine's. */
export const isLocal: IsAllowed = typeof thisMachine === 'function' ? thisMachine : () => false;

/**
 * Tells whether a `Host` header names a machine by what no other can have: web pages, whose host name may have become
 * that of this machine, ask for another. @see RFC 6761 section 6.3
 */
export function isLocalName(host: string): boolean {
  const name = host.replace(/:[0-9]*$/, '').replace(/^\[(.*)\]$/, '$1');
  return isIP(name) !== 0 || /^(?:.+\.)?localhost$/i.test(name);
}

type Family = 'ipv4' | 'ipv6';

function addressFamily(address: string): Family | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}

/** Returns `undefined` for an invalid mask. */
function prefixLength(mask: string | undefined, family: Family): number | undefined {
  const size = family === 'ipv4' ? 32 : 128;
  if (mask === undefined) return size;
  if (/^[0-9]{1,3}$/.test(mask)) return Number(mask) <= size ? Number(mask) : undefined;
  if (family !== 'ipv4' || addressFamily(mask) !== family) return undefined;
  const bits = mask.split('.').reduce((text, part) => text + Number(part).toString(2).padStart(8, '0'), '');
  return /^1*0*$/.test(bits) ? bits.replaceAll('0', '').length : undefined;
}
