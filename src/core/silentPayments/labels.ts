import { bytesKey, concatBytes, parseBytesKey } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { pointsOf } from '../crypto/noblePoints.ts';
import { labelTweak } from './sharedSecret.ts';

/** An output, by its x-only key, that pays a key with a label. */
interface Labeled {
  readonly output: string;
  readonly label: number;
  readonly tweak: Uint8Array;
}

/** Finds the output that is a key, 33 bytes, plus the point of a label. */
export type FindLabeled = (key: Uint8Array, outputs: ReadonlyMap<string, unknown>) => Labeled | undefined;

/** The label of change. @see BIP352 "Labels for change" */
export const CHANGE_LABEL = 0;
/** Labels have 32 bits. */
export const MAX_LABEL = 2 ** 32 - 1;
const [EVEN, ODD] = [0x02, 0x03];

/** Computes the points of labels once. @see BIP352 "Scanning" */
export function createLabelFinder(scanSecretKey: Uint8Array, labels: readonly number[], ecc: Ecc): FindLabeled {
  const points = pointsOf(ecc);
  const byPoint = new Map(
    [...new Set([CHANGE_LABEL, ...labels])].map((label) => {
      const tweak = labelTweak(scanSecretKey, label);
      const point = ecc.publicKey(tweak);
      return [bytesKey(point), { label, tweak, point }] as const;
    }),
  );
  const addEach: FindLabeled = (key, outputs) => {
    for (const found of byPoint.values()) {
      const sum = points.add([key, found.point]);
      const output = sum && bytesKey(sum, 1);
      if (output !== undefined && outputs.has(output)) return { output, ...found };
    }
    return undefined;
  };
  const subtractFromEach: FindLabeled = (key, outputs) => {
    const negated = withParity(key[0] === EVEN ? ODD : EVEN, key.subarray(1));
    // The y of an output is not known.
    const candidates = [...outputs.keys()].flatMap((output) => [EVEN, ODD].map((parity) => ({ output, parity })));
    for (const { output, parity } of candidates) {
      const difference = points.add([withParity(parity, parseBytesKey(output)), negated]);
      const found = difference && byPoint.get(bytesKey(difference));
      if (found) return { output, ...found };
    }
    return undefined;
  };
  return (key, outputs) => (byPoint.size <= 2 * outputs.size ? addEach : subtractFromEach)(key, outputs);
}

const withParity = (parity: number, x: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(parity), x);
