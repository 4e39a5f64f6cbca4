import { encodeUtf8 } from '../../core/bytes/utf8.ts';
import { sha256 } from '../../core/crypto/hash.ts';

/** Returns bytes that look random and are the same for the same seed: keys of a regtest protect nothing. */
export function seededRandom(seed: string): (size: number) => Uint8Array {
  let count = 0;
  return (size) => {
    const bytes = new Uint8Array(size);
    for (let offset = 0; offset < size; offset += 32) {
      const block = sha256(encodeUtf8(`${seed} ${count}`));
      count += 1;
      bytes.set(block.subarray(0, size - offset), offset);
    }
    return bytes;
  };
}
