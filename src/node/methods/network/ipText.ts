import type { NetworkRules } from './networkRules.ts';

/** Reads a number up to `most`. @see Core `ToIntegral` */
export function parseDigits(text: string, most: number, { takesPlusSigns }: NetworkRules): number | undefined {
  const form = takesPlusSigns ? /^\+?[0-9]+$/ : /^[0-9]+$/;
  return form.test(text) && Number(text) <= most ? Number(text) : undefined;
}

/**
 * Reads an IPv4 address as C does: of one to four numbers, of which the last fills the rest, also in octal and hex.
 * @see POSIX `inet_addr`
 */
export function parseIpv4(text: string): Uint8Array | undefined {
  const parts = text.split('.');
  if (parts.length > 4 || !parts.every((part) => /^(?:0x[0-9a-f]+|0[0-7]*|[1-9][0-9]*)$/i.test(part))) return undefined;
  const numbers = parts.map((part) => Number(/^0[0-7]/.test(part) ? `0o${part}` : part));
  const last = numbers.at(-1) ?? 0;
  const rest = 5 - parts.length;
  if (last >= 256 ** rest || numbers.slice(0, -1).some((number) => number > 0xff)) return undefined;
  const filled = Array.from({ length: rest }, (_, i) => Math.floor(last / 256 ** (rest - 1 - i)));
  return Uint8Array.from([...numbers.slice(0, -1), ...filled]);
}

/** Reads an IPv6 address, which may end with an IPv4 address and the number of a link. @see RFC 4291 §2.2, RFC 4007 §11 */
export function parseIpv6(text: string): { readonly bytes: Uint8Array; readonly scope: number } | undefined {
  const [, address = '', zone = '0'] = /^([0-9a-f:.]+)(?:%([0-9]+))?$/i.exec(text) ?? [];
  const scope = Number(zone);
  const groups = expandGroups(address.replace(/(?<=:)[0-9]+(?:[.][0-9]+){3}$/, groupsOfIpv4));
  if (!groups || scope > 0xffff_ffff) return undefined;
  return { bytes: Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff])), scope };
}

/** Writes four numbers in two groups, unless one is no byte or has leading zeros. */
function groupsOfIpv4(text: string): string {
  const bytes = text.split('.').map(Number);
  if (text !== bytes.join('.') || bytes.some((byte) => byte > 0xff)) return text;
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  return [256 * a + b, 256 * c + d].map((group) => group.toString(16)).join(':');
}

/** Puts zeros in the place of `::`. @returns the eight groups */
function expandGroups(text: string): readonly number[] | undefined {
  const halves = text.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const [before = [], after = []] = halves;
  const given = before.length + after.length;
  const isWhole = halves.length === 1 ? given === 8 : halves.length === 2 && given < 8;
  if (!isWhole || ![...before, ...after].every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  const zeros = Array.from({ length: 8 - given }, () => '0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}
