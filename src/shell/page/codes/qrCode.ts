import { encodeQR } from 'qr';
import type { CodeView } from '../protocol.ts';
import { refuse } from '../refusals.ts';

/** The most characters of a code: of capital letters, digits and a few signs, and of bytes. @see ISO/IEC 18004 table 7 */
const MOST = { alphanumeric: 4296, bytes: 2953 } as const;
const ALPHANUMERIC = /^[0-9A-Z $%*+\-./:]*$/;

/** Tells how many characters of such a text fit into one code. */
const mostCharacters = (text: string): number => (ALPHANUMERIC.test(text) ? MOST.alphanumeric : MOST.bytes);

/** Makes a code of a text in ASCII. @throws `page/refused` if it is too long */
export function codeOf(text: string): CodeView {
  if (text.length > mostCharacters(text)) refuse('This is too long for one code: choose BBQr or UR, or save a file');
  // The library draws a border of at least one module.
  const rows = encodeQR(text, 'raw', { border: 1, ecc: 'low' }).slice(1, -1);
  const modules = Uint8Array.from(
    rows.flatMap((row) => row.slice(1, -1)),
    Number,
  );
  return { text, size: rows.length, modules };
}
