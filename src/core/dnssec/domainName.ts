import { bytesKey, parseBytesKey } from '../bytes/compare.ts';
import { joinBytes } from '../bytes/joinBytes.ts';
import { type Reader, readBytes, readU8 } from '../bytes/reader.ts';
import { refuse } from './fault.ts';

/** The labels of a name from the left, in lower case: each a text of as many characters as it has bytes. The root has none. */
export type DomainName = readonly string[];

export const ROOT: DomainName = [];

/** In bytes. @see RFC 1035 §2.3.4 */
const MAX_LABEL = 63;
const MAX_NAME = 255;

/** Reads a name in wire form, and refuses compression. @see RFC 4034 §6.2 */
export function readDomainName(reader: Reader): DomainName {
  const labels: string[] = [];
  for (;;) {
    const length = readU8(reader);
    if (length > MAX_LABEL) refuse('malformed');
    if (length === 0) return checked(labels);
    labels.push(lowerCase(bytesKey(readBytes(reader, length))));
    if (labels.length > MAX_NAME / 2) refuse('malformed');
  }
}

/** Only letters of ASCII have two cases in a name. @see RFC 4343 */
const lowerCase = (label: string): string => label.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

function checked(name: DomainName): DomainName {
  if (nameSize(name) > MAX_NAME) refuse('malformed');
  return name;
}

const nameSize = (name: DomainName): number => name.reduce((size, { length }) => size + 1 + length, 1);

/** Parses names such as `alice.user._bitcoin-payment.example.com`, of printable ASCII; `undefined` for what cannot be one. */
export function parseDomainName(text: string): DomainName | undefined {
  const labels = lowerCase(text).split('.');
  const areLabels = labels.every((label) => /^[!-~]{1,63}$/.test(label));
  return areLabels && nameSize(labels) <= MAX_NAME ? labels : undefined;
}

export const encodeDomainName = (name: DomainName): Uint8Array =>
  joinBytes([...name.flatMap((label) => [Uint8Array.of(label.length), parseBytesKey(label)]), Uint8Array.of(0)]);

/** Returns a text that no other name has. */
export const nameKey = (name: DomainName): string => name.map((label) => `${label.length} ${label}`).join('');

export const isSameName = (a: DomainName, b: DomainName): boolean => a.length === b.length && isWithin(a, b);

/** Tells whether a name is the other, or below it: compares labels, since ends of texts are not names. */
export const isWithin = (name: DomainName, above: DomainName): boolean =>
  name.length >= above.length && above.every((label, i) => label === name[name.length - above.length + i]);

/** Orders names from the right, label by label. @see RFC 4034 §6.1 */
export function compareNames(a: DomainName, b: DomainName): number {
  for (let i = 1; i <= Math.min(a.length, b.length); i += 1) {
    const [x = '', y = ''] = [a[a.length - i], b[b.length - i]];
    if (x !== y) return x < y ? -1 : 1;
  }
  return a.length - b.length;
}

/** Replaces the end `from` of a name. @returns `undefined` if the result is too long. @see RFC 6672 §2.2 */
export function replaceEnd(name: DomainName, from: DomainName, to: DomainName): DomainName | undefined {
  const replaced = [...name.slice(0, name.length - from.length), ...to];
  return nameSize(replaced) <= MAX_NAME ? replaced : undefined;
}

/** Writes a name for people. */
export const formatDomainName = (name: DomainName): string =>
  `${name.map((label) => label.replace(/[^!-~]|[.\\]/g, (byte) => `\\${byte.charCodeAt(0).toString().padStart(3, '0')}`)).join('.')}.`;
