import { parseHex } from '../bytes/hex.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ$*+-./:';
const BASE = /* @__PURE__ */ BigInt(DIGITS.length);
/** More characters than a QR code holds: parsing takes time in proportion to the square of the length. */
const LONGEST = 4296;

/**
 * Parses base43, in which Electrum writes QR codes: a number, with a `0` before it for each zero byte, as in base58.
 */
export function parseBase43(text: string): Uint8Array | undefined {
  if (text.length > LONGEST || !/^[0-9A-Z$*+\-./:]*$/.test(text)) return undefined;
  const zeros = /^0*/.exec(text)?.[0] ?? '';
  let number = 0n;
  for (const digit of text.slice(zeros.length)) number = number * BASE + BigInt(DIGITS.indexOf(digit));
  const hex = number === 0n ? '' : number.toString(16);
  return parseHex(`${'00'.repeat(zeros.length)}${hex.length % 2 ? '0' : ''}${hex}`);
}
