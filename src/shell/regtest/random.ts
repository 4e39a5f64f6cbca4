import { encodeUtf8 } from '../../core/bytes/utf8.ts';
import { sha256 } from '../../core/crypto/hash.ts';

/** Where in which stream the next bytes come from. */
export interface RandomPosition {
  readonly seed: string;
  /** How many blocks of 32 bytes were drawn. */
  readonly draws: number;
}

/** Bytes that look random and are the same for the same seed: keys of a regtest protect nothing. */
interface SeededRandom {
  readonly draw: (size: number) => Uint8Array;
  position: RandomPosition;
}

export function seededRandom(start: string): SeededRandom {
  const random: SeededRandom = {
    position: { seed: start, draws: 0 },
    draw: (size) => {
      const { seed, draws } = random.position;
      const bytes = new Uint8Array(size);
      const count = Math.ceil(size / 32);
      for (let i = 0; i < count; i += 1) {
        const block = sha256(encodeUtf8(`${seed} ${draws + i}`));
        bytes.set(block.subarray(0, size - 32 * i), 32 * i);
      }
      random.position = { seed, draws: draws + count };
      return bytes;
    },
  };
  return random;
}
