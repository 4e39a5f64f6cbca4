import { BlockList, isIP } from 'node:net';

/** Whether a client's address may ask at all; `undefined` where it is gone already. */
export type IsAllowed = (address: string | undefined) => boolean;

/**
 * Makes the list of who may ask: this machine, and what is named: addresses, or networks as `10.0.0.0/8` or
 * `10.0.0.0/255.0.0.0`.
 * @returns the text that makes no sense, if there is one
 */
export function allowClients(allowed: readonly string[]): IsAllowed | { readonly fault: string } {
  // One for each family: in one for both, networks of IPv6 such as ::/0 would hold all of IPv4, too.
  const lists: Readonly<Record<Family, BlockList>> = { ipv4: new BlockList(), ipv6: new BlockList() };
  lists.ipv4.addSubnet('127.0.0.0', 8, 'ipv4');
  lists.ipv6.addAddress('::1', 'ipv6');
  for (const text of allowed) {
    const [address = '', mask, ...more] = text.split('/');
    const family = familyOf(address);
    const prefix = family && prefixLength(mask, family);
    if (!family || prefix === undefined || more.length > 0) return { fault: text };
    lists[family].addSubnet(address, prefix, family);
  }
  return (address) => {
    // An IPv4 client of an IPv6 socket is written as IPv6; a link-local address has its interface behind it.
    const plain = address?.replace(/^::ffff:(?=[0-9.]+$)/, '').replace(/%.*$/, '') ?? '';
    const family = familyOf(plain);
    return family !== undefined && lists[family].check(plain, family);
  };
}

type Family = 'ipv4' | 'ipv6';

function familyOf(address: string): Family | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}

/** How many leading bits a mask keeps: all of them without one. */
function prefixLength(mask: string | undefined, family: Family): number | undefined {
  const size = family === 'ipv4' ? 32 : 128;
  if (mask === undefined) return size;
  if (/^[0-9]{1,3}$/.test(mask)) return Number(mask) <= size ? Number(mask) : undefined;
  if (family !== 'ipv4' || familyOf(mask) !== family) return undefined;
  const bits = mask.split('.').reduce((text, part) => text + Number(part).toString(2).padStart(8, '0'), '');
  return /^1*0*$/.test(bits) ? bits.replaceAll('0', '').length : undefined;
}
