import { encodeQR } from 'qr';
import type { CodeView } from '../protocol.ts';
import { refuse } from '../refusals.ts';

/** Characters of one code. @see ISO/IEC 18004 table 7 */
const MOST = { alphanumeric: 4296, bytes: 2953 } as const;
const ALPHANUMERIC = /^[0-9A-Z $%*+\-./:]*$/;

const mostCharacters = (text: string): number => (ALPHANUMERIC.test(text) ? MOST.alphanumeric : MOST.bytes);

/** `text` must be ASCII. @throws `page/refused` if it is too long */
export function encodeCode(text: string): CodeView {
  if (text.length > mostCharacters(text)) refuse('This is too long for one code: choose BBQr or UR, or save a file');
  // Cuts off the border, of which the library draws at least one module.
  const rows = encodeQR(text, 'raw', { border: 1, ecc: 'low' }).slice(1, -1);
  const modules = Uint8Array.from(
    rows.flatMap((row) => row.slice(1, -1)),
    Number,
  );
  return { text, size: rows.length, modules };
}
