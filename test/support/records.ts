import { formatHex } from './library.ts';

const MAGIC_SIZE = 5;

/**
 * Lists the records of each map of a PSBT as `key=value` in hex, sorted, to compare PSBTs regardless of order. Parses the
 * framing itself, independently of the codec under test.
 */
export function recordsOf(psbt: Uint8Array): readonly (readonly string[])[] {
  const view = new DataView(psbt.buffer, psbt.byteOffset, psbt.length);
  const maps: string[][] = [[]];
  let offset = MAGIC_SIZE;
  const readSize = (): number => {
    const first = view.getUint8(offset);
    offset += first < 0xfd ? 1 : first === 0xfd ? 3 : 5;
    if (first < 0xfd) return first;
    return first === 0xfd ? view.getUint16(offset - 2, true) : view.getUint32(offset - 4, true);
  };
  const readHex = (): string => {
    const size = readSize();
    offset += size;
    return formatHex(psbt.slice(offset - size, offset));
  };
  while (offset < psbt.length) {
    const key = readHex();
    if (key === '') maps.push([]);
    else maps.at(-1)?.push(`${key}=${readHex()}`);
  }
  return maps.map((map) => map.sort());
}
