/** The characters of a descriptor by value: the low five bits are coded directly, the rest in groups of three. */
const INPUT_CHARSET =
  "0123456789()[],'/*abcdefgh@:$%{}" + 'IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~' + 'ijklmnopqrstuvwxyzABCDEFGH`#"\\ ';
const CHECKSUM_CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const CHECKSUM_SIZE = 8;

/** The generator's 40-bit coefficients, split into the upper 8 and the lower 32 bits. */
const GENERATOR: readonly (readonly [number, number])[] = [
  [0xf5, 0xdee51989],
  [0xa9, 0xfdca3312],
  [0x1b, 0xab10e32d],
  [0x37, 0x06b1677a],
  [0x64, 0x4d626ffd],
];

const VALUES: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = INPUT_CHARSET.indexOf(String.fromCharCode(code));
  return value < 0 ? 0xff : value;
});

/**
 * The eight-character checksum of a descriptor without one, or `undefined` if it holds a character that descriptors
 * cannot have.
 * @see BIP380 "Checksum"
 */
export function descriptorChecksum(body: string): string | undefined {
  let high = 0;
  let low = 1;
  // Multiplies the 40-bit remainder by x, adds a 5-bit value and reduces by the generator.
  const step = (value: number): void => {
    const top = high >>> 3;
    high = ((high & 0x07) << 5) | (low >>> 27);
    low = (low << 5) ^ value;
    for (let i = 0; i < GENERATOR.length; i += 1) {
      const [upper, lower] = GENERATOR[i] ?? [0, 0];
      if (((top >>> i) & 1) === 0) continue;
      high ^= upper;
      low ^= lower;
    }
  };
  let group = 0;
  let pending = 0;
  for (let i = 0; i < body.length; i += 1) {
    const value = VALUES[body.charCodeAt(i)] ?? 0xff;
    if (value === 0xff) return undefined;
    step(value & 31);
    group = group * 3 + (value >> 5);
    pending += 1;
    if (pending === 3) {
      step(group);
      group = 0;
      pending = 0;
    }
  }
  if (pending > 0) step(group);
  for (let i = 0; i < CHECKSUM_SIZE; i += 1) step(0);
  low ^= 1;
  let checksum = '';
  for (let i = CHECKSUM_SIZE - 1; i >= 0; i -= 1) {
    const bits = 5 * i;
    const value = bits >= 32 ? high >>> (bits - 32) : bits > 27 ? (low >>> bits) | (high << (32 - bits)) : low >>> bits;
    checksum += CHECKSUM_CHARSET.charAt(value & 31);
  }
  return checksum;
}

/** Adds `#` and the checksum to a descriptor of ours. */
export function withChecksum(body: string): string {
  return `${body}#${descriptorChecksum(body) ?? ''}`;
}
